// Turns edits into the objects that the graph would get from the cluster after them.
import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {Edit} from '@krtscope/shared/what-if/what-if.ts';
import {StatusError} from '../../cluster/wire/responses/status-error.ts';
import type {EditedObject} from '../../engine/link/copy-trial.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import type {Redact} from '../../redact/redactor.ts';
import type {OpenApiDocuments} from '../types/declarations.ts';
import {REACTING_KINDS} from './controller-reaction.ts';
import type {EditableSources, EditSubject} from './edit-subject.ts';
import {EditWorkspace} from './edit-workspace.ts';
import {keepNulls} from './empty-lists.ts';
import {encodedMarkers, encodeMarkers, withoutMarkers} from './redacted-edit.ts';
import {refuseUnknownWrite, undoWrite} from './undo-write.ts';

export interface EditPlanContext {
  readonly sources: EditableSources;
  readonly documents: OpenApiDocuments;
  readonly redact: Redact | undefined;
  /** The objects in the copy, null for missing ones. */
  objects(refs: readonly ItemRef[]): Promise<unknown[]>;
  /** The object in the cluster, with its managedFields and its secrets; undefined if it cannot be read now. */
  readOriginal?(subject: EditSubject): Promise<object | undefined>;
  /** All objects of a source, for the controllers that react. Absent: no controller reacts. */
  allObjects?(collection: string): AsyncIterable<readonly {key: string; value: unknown}[]>;
  /** The states of an object before and after a recorded write; undefined where it did not exist. */
  recordedWrite(undo: ItemRef & {sequence: number}): Promise<{before: unknown; after: unknown}>;
}

export interface EditPlan {
  readonly objects: EditedObject[];
  readonly notes: string[];
}

interface PlannedEdit {
  readonly edit: Edit;
  readonly subject: EditSubject;
}

interface SeededObject {
  /** As the graph has it; undefined if it does not exist. */
  readonly shown: object | undefined;
  /** As the workspace got it. */
  readonly base: object | undefined;
}

/** Edits between two turns of the event loop: each takes about a millisecond of main's time. */
const EDITS_PER_TURN = 5;
const OBJECTS_PER_TURN = 200;

/** Throws EngineFailure for an edit that the API server would refuse. */
export async function planEdits(edits: readonly Edit[], context: EditPlanContext): Promise<EditPlan> {
  return new EditPlanner(context).plan(edits);
}

class EditPlanner {
  readonly #context: EditPlanContext;
  readonly #workspace: EditWorkspace;
  readonly #seeded = new Map<string, SeededObject>();
  readonly #subjects = new Map<string, EditSubject>();
  readonly #notes = new Set<string>();

  constructor(context: EditPlanContext) {
    this.#context = context;
    this.#workspace = new EditWorkspace(context.documents);
  }

  async plan(edits: readonly Edit[]): Promise<EditPlan> {
    const planned = this.#planned(edits.flatMap(itemsOfList));
    await this.#seed(planned);
    if (this.#context.allObjects !== undefined) await this.#seedForReaction(this.#context.allObjects);
    for (const [at, {edit, subject}] of planned.entries()) {
      await this.#execute(edit, subject);
      if (at % EDITS_PER_TURN === 0) await new Promise(resolve => setImmediate(resolve));
    }
    const notes = await this.#workspace.react();
    if (this.#context.allObjects !== undefined) this.#addCreated();
    const objects: EditedObject[] = [];
    for (const [at, subject] of [...this.#subjects.values()].entries()) {
      objects.push(...this.#editedObject(subject));
      if (at % OBJECTS_PER_TURN === 0) await new Promise(resolve => setImmediate(resolve));
    }
    return {objects, notes: [...this.#notes, ...this.#workspace.notes, ...notes]};
  }

  /** Controllers read more objects than the edited ones. */
  async #seedForReaction(allObjects: NonNullable<EditPlanContext['allObjects']>): Promise<void> {
    for (const {name: collection, resource} of this.#reactingSources())
      for await (const page of allObjects(collection))
        for (const {key, value} of page) {
          const subject = this.#subjectAt(collection, key);
          if (this.#subjects.has(idOf(subject))) continue;
          this.#subjects.set(idOf(subject), subject);
          await this.#workspace.prepare(subject);
          const object = value as object;
          // An item has no apiVersion and kind where a list of the API left them out.
          const {group, version, kind} = resource;
          const base = {apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object};
          this.#workspace.seed(subject, base);
          this.#seeded.set(idOf(subject), {shown: object, base});
        }
    this.#workspace.expectReaction();
  }

  /** The objects that controllers created are results, too. */
  #addCreated(): void {
    for (const {name: collection} of this.#reactingSources())
      for (const key of this.#workspace.keys(collection)) {
        const subject = this.#subjectAt(collection, key);
        if (!this.#subjects.has(idOf(subject))) this.#subjects.set(idOf(subject), subject);
      }
  }

  #reactingSources(): EditableSources['all'] {
    return this.#context.sources.all.filter(({resource}) => REACTING_KINDS.has(resource.kind));
  }

  #subjectAt(collection: string, key: string): EditSubject {
    return this.#context.sources.subjectOf({delete: {collection, key}}) as EditSubject;
  }

  #planned(edits: readonly Edit[]): PlannedEdit[] {
    return edits.flatMap(edit => {
      const subject = this.#context.sources.subjectOf(edit);
      if (subject !== undefined) return [{edit, subject}];
      const {apiVersion, kind, metadata} = (edit as {apply: Record<string, unknown>}).apply;
      const name = (metadata as {name?: unknown} | undefined)?.name;
      if (edits.length === 1)
        throw new EngineFailure({
          code: 'invalid-edit',
          message: `${String(kind)} (${String(apiVersion)}) is not a source, so nothing is computed from it`,
          hint: 'add the kind as a source first: POST /api/v1/sources, or "Add a source" in the Graph',
        });
      this.#notes.add(
        `${String(kind)} ${String(name)} was skipped: ${String(apiVersion)} ${String(kind)} is not a source.`,
      );
      return [];
    });
  }

  async #seed(planned: readonly PlannedEdit[]): Promise<void> {
    for (const {subject} of planned) {
      this.#subjects.set(`${subject.collection}\n${subject.key}`, subject);
      await this.#workspace.prepare(subject);
    }
    const subjects = [...this.#subjects.values()];
    const shown = await this.#context.objects(subjects.map(({collection, key}) => ({collection, key})));
    const needsOriginal = new Set(
      planned.filter(({edit}) => 'apply' in edit || 'patch' in edit).map(({subject}) => subject.key),
    );
    for (const [at, subject] of subjects.entries()) {
      const object = (shown[at] ?? undefined) as object | undefined;
      const base =
        object === undefined
          ? undefined
          : await this.#baseOf(subject, object, needsOriginal.has(subject.key));
      if (base !== undefined) this.#workspace.seed(subject, base);
      this.#seeded.set(idOf(subject), {shown: object, base});
    }
  }

  /** The cluster's own object where it is still the same version, because only it has managedFields and secrets. */
  async #baseOf(subject: EditSubject, shown: object, isNeeded: boolean): Promise<object> {
    const original = isNeeded ? await this.#context.readOriginal?.(subject) : undefined;
    // Controllers compare templates of several objects, so all of them must hide their secrets in the same way.
    const isWhole = this.#context.allObjects === undefined;
    if (isWhole && original !== undefined && versionOf(original) === versionOf(shown)) return original;
    const base = encodeMarkers(deepCopy(shown)) as {metadata?: object};
    const {managedFields} = (original as {metadata?: {managedFields?: unknown}})?.metadata ?? {};
    if (managedFields !== undefined) base.metadata = {...base.metadata, managedFields};
    else if (isNeeded && this.#context.readOriginal !== undefined)
      this.#notes.add(
        `The managedFields of ${subject.text} could not be read: fields that a manifest no longer states stay.`,
      );
    return base;
  }

  async #execute(edit: Edit, subject: EditSubject): Promise<void> {
    try {
      if ('apply' in edit) this.#workspace.apply(subject, this.#ownValues(subject, edit.apply));
      else if ('patch' in edit) this.#patch(subject, edit.patch);
      else if ('delete' in edit) this.#delete(subject);
      else await this.#undo(subject, edit.undo);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw new EngineFailure({
        code: 'invalid-edit',
        message: `${subject.text}: ${refusalText(error)}`,
        hint: 'the API server would refuse this edit; correct the named field',
      });
    }
  }

  #ownValues<T>(subject: EditSubject, edit: T): T {
    const {shown, base} = this.#seeded.get(idOf(subject)) ?? {};
    return withoutMarkers(edit, shown, base, subject.text);
  }

  #patch(subject: EditSubject, {type, body}: Extract<Edit, {patch: unknown}>['patch']): void {
    this.#requireExisting(subject);
    this.#workspace.patch(subject, type, this.#ownValues(subject, body));
  }

  #delete(subject: EditSubject): void {
    const object = this.#requireExisting(subject);
    const {finalizers = []} = object.metadata;
    if (finalizers.length > 0)
      this.#notes.add(
        `${subject.text} has finalizers (${finalizers.join(', ')}): it stays until their controllers are done. The answer shows it gone.`,
      );
    else if (subject.resource.kind === 'Pod')
      this.#notes.add(`${subject.text} would first terminate. The answer shows it gone.`);
    if (subject.resource.kind === 'Namespace')
      this.#notes.add(`The objects in ${subject.text} would go, too. The answer does not show that.`);
    this.#workspace.remove(subject);
  }

  async #undo(subject: EditSubject, undo: ItemRef & {sequence: number}): Promise<void> {
    const {before, after} = await this.#context.recordedWrite(undo);
    refuseUnknownWrite(subject.text, undo.sequence, before, after);
    const current = this.#workspace.get(subject);
    if (before === undefined) {
      if (current !== undefined) this.#workspace.remove(subject);
      return;
    }
    if (after === undefined || current === undefined) {
      if (current === undefined) this.#workspace.put(subject, before as object);
      return;
    }
    const {object, rewritten} = undoWrite(withoutManagedFields(current), before, after);
    if (rewritten.length > 0)
      this.#notes.add(
        `${subject.text}: ${rewritten.join(', ')} was written again since #${undo.sequence} and stays.`,
      );
    this.#workspace.put(subject, object as object);
  }

  #requireExisting(subject: EditSubject) {
    const object = this.#workspace.get(subject);
    if (object !== undefined) return object;
    throw new EngineFailure({
      code: 'unknown-key',
      message: `there is no ${subject.text}`,
      hint: 'apply it to add it; GET /api/v1/search finds objects by name',
    });
  }

  /** The object as the informer would pass it on: without managedFields, redacted, with a version of its own. */
  #editedObject(subject: EditSubject): EditedObject[] {
    const {collection, key} = subject;
    const {shown, base} = this.#seeded.get(idOf(subject)) ?? {};
    const now = this.#workspace.get(subject);
    if (this.#workspace.isUnchanged(subject, base)) return [];
    if (now === undefined) return [{collection, key}];
    const object = withoutManagedFields(deepCopy(now));
    keepNulls(shown, object);
    const markers = encodedMarkers(object);
    const {redact} = this.#context;
    redact?.(object, subject.resource.kind);
    const {data} = object as {data?: Record<string, unknown>};
    for (const [name, marker] of markers) if (data !== undefined) data[name] = marker;
    object.metadata.resourceVersion = nextVersion(shown);
    return [{collection, key, new: object}];
  }
}

/** Without the whole object, which Kubernetes prints into the refusal of a patch: it may contain secrets. */
function refusalText({message, details}: StatusError): string {
  const [cause] = details?.causes ?? [];
  if (cause?.field !== 'patch') return message.trim();
  const text = cause.message ?? message;
  return text.slice(text.lastIndexOf('}": ') + '}": '.length);
}

/** The objects of a List, each as an edit of its own. */
function itemsOfList(edit: Edit): Edit[] {
  if (!('apply' in edit) || edit.apply.apiVersion !== 'v1' || edit.apply.kind !== 'List') return [edit];
  const {items} = edit.apply;
  return Array.isArray(items)
    ? items.flatMap(item => itemsOfList({apply: item as Record<string, unknown>}))
    : [];
}

function idOf({collection, key}: EditSubject): string {
  return `${collection}\n${key}`;
}

interface VersionedObject {
  readonly metadata?: {readonly uid?: unknown; readonly resourceVersion?: unknown};
}

function versionOf(object: object | undefined): string {
  const {uid, resourceVersion} = (object as VersionedObject | undefined)?.metadata ?? {};
  return `${String(uid)} ${String(resourceVersion)}`;
}

/** The engine takes an equal resourceVersion for the same write. */
function nextVersion(shown: object | undefined): string {
  const version = String((shown as VersionedObject | undefined)?.metadata?.resourceVersion ?? '');
  return /^\d+$/.test(version) ? String(BigInt(version) + 1n) : `${version}-what-if`;
}

function withoutManagedFields<T extends {metadata: object}>(object: T): T {
  const {managedFields: _, ...metadata} = object.metadata as {managedFields?: unknown};
  return {...object, metadata: metadata as T['metadata']};
}
