// Applies edits as an API server would: on its own storage, with defaults, validation and server-side apply. Nothing of
// it reaches the cluster.
import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {EditPatchType} from '@krtscope/shared/what-if/what-if.ts';
import {Api, keyOf} from '../../cluster/api.ts';
import {applyConfig} from '../../cluster/apply/apply.ts';
import type {ServedResource} from '../../cluster/kinds/served-resource.ts';
import type {JsonObject, StoredObject} from '../../cluster/object/stored-object.ts';
import {createObject, updateObject, type WriteContext} from '../../cluster/verbs/write.ts';
import {applyBody, patchObject} from '../../cluster/wire/body/patch-body.ts';
import {StatusError} from '../../cluster/wire/responses/status-error.ts';
import type {OpenApiDocuments} from '../types/declarations.ts';
import {ControllerReaction} from './controller-reaction.ts';
import type {EditSubject} from './edit-subject.ts';
import {type EditableKind, editableKindOf} from './editable-kind.ts';

/** The field manager of `kubectl apply --server-side`. */
const MANAGER = 'kubectl';
const CLIENT_SIDE_MANAGER = 'kubectl-client-side-apply';

export class EditWorkspace {
  readonly #api = new Api();
  #reaction: ControllerReaction | undefined;
  readonly #documents: OpenApiDocuments;
  readonly #kinds = new Map<string, EditableKind>();
  readonly notes = new Set<string>();

  constructor(documents: OpenApiDocuments) {
    this.#documents = documents;
  }

  /** Loads the rules of the subject's kind. Call it before anything else about the subject. */
  async prepare({collection, resource, namespace}: EditSubject): Promise<void> {
    let kind = this.#kinds.get(collection);
    if (kind === undefined) {
      kind = await editableKindOf(this.#api, resource, this.#documents);
      this.#kinds.set(collection, kind);
      if (!kind.hasSchema)
        this.notes.add(`The schema of ${resource.kind} is not known: its fields were not validated.`);
    }
    if (namespace !== '') this.#ensure('namespaces', '', namespace);
  }

  /** Puts an object in as it is in the cluster. */
  seed(subject: EditSubject, object: object): void {
    const {storeName} = this.#served(subject);
    this.#api.storage.seed(storeName, subject.key, deepCopy(object) as StoredObject);
    this.#ensureAccount(subject, object);
  }

  get({collection, key}: EditSubject): StoredObject | undefined {
    const kind = this.#kinds.get(collection);
    return kind && this.#api.resourceStore(kind.served).objects.get(key);
  }

  /** From now on the workspace notes which controllers the edits concern. Seed everything that they read before. */
  expectReaction(): void {
    this.#reaction = new ControllerReaction(this.#api);
  }

  /** Lets the controllers react to the edits. Returns what to tell the reader. */
  async react(): Promise<string[]> {
    const reaction = this.#reaction;
    if (reaction === undefined) return [];
    try {
      return await reaction.play();
    } finally {
      reaction.stop();
    }
  }

  /** The keys of a prepared collection. */
  keys(collection: string): Iterable<string> {
    const kind = this.#kinds.get(collection);
    return kind === undefined ? [] : this.#api.resourceStore(kind.served).objects.keys();
  }

  /** Throws StatusError. */
  apply(subject: EditSubject, object: object): void {
    const write = this.#write(subject);
    const {resource} = write;
    const body = applyBody(
      resource,
      subject.name,
      Buffer.from(JSON.stringify(object)),
      'Strict',
      write.warnings,
    );
    const live = this.get(subject);
    this.#ensureAccount(subject, object);
    if (live === undefined) {
      createObject(write, applyConfig(write, undefined, body, true), {applied: true});
    } else {
      const current = takeOverClientSideApply(deepCopy(live));
      const {uid} = body.metadata;
      delete body.metadata.resourceVersion;
      this.#noteConflicts(write, subject, current, body);
      const merged = applyConfig(write, current, deepCopy(body), true);
      merged.metadata.resourceVersion = live.metadata.resourceVersion as string;
      if (uid) merged.metadata.uid = uid;
      updateObject(write, subject.name, () => merged, {applied: true});
    }
    this.#noteWarnings(write, subject);
  }

  /** Throws StatusError. */
  patch(subject: EditSubject, type: EditPatchType, value: unknown): void {
    const write = this.#write(subject);
    if (type === 'strategic' && write.resource.custom)
      throw new StatusError(
        415,
        'UnsupportedMediaType',
        'a strategic merge patch works on kinds of Kubernetes itself only; use a merge patch',
      );
    const patch = {type, value, doubled: []};
    updateObject(write, subject.name, current =>
      patchObject(write.resource, current, patch, 'Strict', write.warnings),
    );
    this.#noteWarnings(write, subject);
  }

  put(subject: EditSubject, object: object): void {
    this.#api.storage.put(this.#served(subject).storeName, subject.key, deepCopy(object) as StoredObject);
  }

  remove(subject: EditSubject): void {
    this.#api.storage.remove(this.#served(subject).storeName, subject.key);
  }

  /** Whether the subject is as it was seeded, apart from who owns its fields. */
  isUnchanged(subject: EditSubject, seeded: object | undefined): boolean {
    const now = this.get(subject);
    if (now === undefined || seeded === undefined) return now === seeded;
    return deepEqual(comparable(now), comparable(seeded as StoredObject));
  }

  #served({collection}: EditSubject): ServedResource {
    return (this.#kinds.get(collection) as EditableKind).served;
  }

  #write(subject: EditSubject): WriteContext {
    return {
      api: this.#api,
      resource: this.#served(subject),
      namespace: subject.namespace,
      subresource: '',
      manager: MANAGER,
      dryRun: false,
      warnings: [],
    };
  }

  #noteWarnings({warnings}: WriteContext, {text}: EditSubject): void {
    for (const warning of warnings) this.notes.add(`${text}: ${warning}`);
  }

  /** A real apply would be refused. The trial goes on, because the reader wants to know what it would do. */
  #noteConflicts(write: WriteContext, {text}: EditSubject, current: StoredObject, body: StoredObject): void {
    try {
      applyConfig(write, deepCopy(current), deepCopy(body), false);
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error;
      const fields = (error.details?.causes ?? []).map(
        ({field = '', message = ''}) => `${field} (${message.replace(/^conflict with /, '')})`,
      );
      this.notes.add(
        `${text}: other managers own fields that the apply changes: ${fields.join(', ')}. kubectl needs --force-conflicts for it.`,
      );
    }
  }

  /** A Pod needs its ServiceAccount, which is seldom a source. Controllers create Pods from templates. */
  #ensureAccount({resource, namespace}: EditSubject, object: object): void {
    const {spec: own} = object as {spec?: {serviceAccountName?: unknown; template?: {spec?: object}}};
    const spec = (resource.kind === 'Pod' ? own : own?.template?.spec) as typeof own;
    if (spec === undefined) return;
    this.#ensure('serviceaccounts', namespace, String(spec?.serviceAccountName ?? 'default'));
  }

  #ensure(plural: string, namespace: string, name: string): void {
    const resource = this.#api.resources.must('', 'v1', plural);
    if (this.#api.find(resource, namespace, name) !== undefined) return;
    const metadata = namespace === '' ? {name} : {name, namespace};
    const object = {apiVersion: 'v1', kind: resource.kind, metadata} as JsonObject;
    this.#api.storage.seed(resource.storeName, keyOf(namespace, name), object as unknown as StoredObject);
  }
}

/** kubectl takes the fields of its earlier client-side applies over before its first server-side apply. */
function takeOverClientSideApply(object: StoredObject): StoredObject {
  const entries = (object.metadata.managedFields ?? []) as unknown as {
    manager?: string;
    operation?: string;
    subresource?: string;
  }[];
  const isApplied = entries.some(({manager, operation}) => manager === MANAGER && operation === 'Apply');
  if (isApplied) return object;
  const earlier = entries.find(
    ({manager, operation, subresource = ''}) =>
      manager === CLIENT_SIDE_MANAGER && operation === 'Update' && subresource === '',
  );
  if (earlier !== undefined) Object.assign(earlier, {manager: MANAGER, operation: 'Apply'});
  return object;
}

function comparable(object: StoredObject): object {
  const {
    managedFields: _managed,
    resourceVersion: _version,
    ...metadata
  } = object.metadata as unknown as JsonObject;
  return {...object, metadata};
}
