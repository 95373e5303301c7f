// The edits as the reader writes them: manifests, deletions and undone writes. A link carries them.
import type {WireResource} from '@krtscope/shared/graph.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import {pathDifferences} from '@krtscope/shared/what-if/path-differences.ts';
import type {DraftFormula, EditInput} from '@krtscope/shared/what-if/what-if.ts';
import {parseManifestObjects} from '@krtscope/shared/yaml/manifest-objects.ts';
import {stringify} from 'yaml';

export interface EditDraft {
  readonly manifest: string;
  readonly deletes: readonly ItemRef[];
  readonly undos: readonly (ItemRef & {sequence: number})[];
  /** Drafts of formulas, tried together with the edits. */
  readonly formulas: readonly DraftFormula[];
  /** Whether the controllers of the demo play on the copy. */
  readonly react: boolean;
}

export const emptyDraft: EditDraft = {manifest: '', deletes: [], undos: [], formulas: [], react: false};

/** The object that the editor was opened with. Its edits are sent as a patch, so that removed fields go. */
export interface EditedOriginal extends ItemRef {
  readonly object: Readonly<Record<string, unknown>>;
}

export function writeDraft(draft: EditDraft): string {
  const {manifest: m, deletes, undos, formulas, react} = draft;
  const text = JSON.stringify({
    m,
    d: deletes.map(({collection, key}) => [collection, key]),
    u: undos.map(({sequence, collection, key}) => [sequence, collection, key]),
    ...(formulas.length === 0 ? {} : {f: formulas}),
    ...(react ? {r: 1} : {}),
  });
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined if the text is not a draft. */
export function readDraft(text: string): EditDraft | undefined {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const {m, d, u, f, r} = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(bytes, char => char.charCodeAt(0))),
    ) as {
      m: unknown;
      d: [string, string][];
      u: [number, string, string][];
      f?: DraftFormula[];
      r?: 1;
    };
    return {
      manifest: String(m),
      deletes: d.map(([collection, key]) => ({collection: String(collection), key: String(key)})),
      undos: u.map(([sequence, collection, key]) => ({
        sequence: Number(sequence),
        collection: String(collection),
        key: String(key),
      })),
      formulas: (f ?? []).map(toDraftFormula),
      react: r === 1,
    };
  } catch {
    return undefined;
  }
}

/** Without anything that a hand-written link may add. */
function toDraftFormula({name, code, kind, input, params}: DraftFormula): DraftFormula {
  return {
    name: String(name),
    code: String(code),
    ...(kind === undefined ? {} : {kind}),
    ...(input === undefined ? {} : {input: String(input)}),
    ...(params === undefined ? {} : {params}),
  };
}

/** Fields that the server sets. An edit cannot change them. */
const SERVER_METADATA = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
]);

/** The part of an object that can be edited. */
export function editablePart(value: unknown): Record<string, unknown> {
  const {status: _status, metadata, apiVersion, kind, ...rest} = (value ?? {}) as Record<string, unknown>;
  const kept = Object.fromEntries(
    Object.entries((metadata ?? {}) as object).filter(([name]) => !SERVER_METADATA.has(name)),
  );
  return {apiVersion, kind, metadata: kept, ...rest};
}

export function manifestText(value: unknown): string {
  // Quotes what is read as something else than text, such as "yes" and "0644".
  return stringify(editablePart(value), {lineWidth: 0, version: '1.1', schema: 'yaml-1.1'});
}

/** The edits of a draft. Throws ManifestError. */
export function toEdits(draft: EditDraft, original: EditedOriginal | undefined): EditInput[] {
  const manifests = parseManifestObjects(draft.manifest).flatMap((object): EditInput[] => {
    if (original === undefined || identityOf(object) !== identityOf(original.object))
      return [{apply: object}];
    const body = mergePatchOf(editablePart(original.object), object);
    const {collection, key} = original;
    return Object.keys(body).length === 0 ? [] : [{patch: {collection, key, type: 'merge', body}}];
  });
  return [...manifests, ...draft.deletes.map(ref => ({delete: ref})), ...draft.undos.map(undo => ({undo}))];
}

/** The paths of the original that its manifest changes; empty while the text cannot be read. */
export function editedPaths(manifest: string, original: EditedOriginal | undefined): string[] {
  if (original === undefined) return [];
  try {
    const own = parseManifestObjects(manifest).find(one => identityOf(one) === identityOf(original.object));
    return own === undefined ? [] : pathDifferences(editablePart(original.object), own).map(({path}) => path);
  } catch {
    return [];
  }
}

function identityOf(object: Readonly<Record<string, unknown>>): string {
  const {name, namespace = ''} = (object.metadata ?? {}) as {name?: string; namespace?: string};
  return `${String(object.apiVersion)} ${String(object.kind)} ${namespace}/${String(name)}`;
}

type PatchedObject = Readonly<Record<string, unknown>>;

/** The JSON merge patch from one object to another. Lists are replaced whole. */
export function mergePatchOf(old: PatchedObject, now: PatchedObject): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [before, after] = [old[name], now[name]];
    if (after === undefined) patch[name] = null;
    else if (isObject(before) && isObject(after)) {
      const inner = mergePatchOf(before, after);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (!deepEqual(before, after)) patch[name] = after;
  }
  return patch;
}

function isObject(value: unknown): value is PatchedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same edits as commands. Undone writes have no command of their own. */
export function kubectlCommands(
  edits: readonly EditInput[],
  resourceOf: (collection: string) => WireResource | undefined,
): string {
  return edits
    .map(edit => {
      if ('apply' in edit)
        return `kubectl apply --server-side -f - <<'EOF'\n${stringify(edit.apply, {lineWidth: 0})}EOF`;
      if ('undo' in edit)
        return `# undo #${edit.undo.sequence} of ${edit.undo.collection} ${edit.undo.key}: no single command`;
      const {collection, key} = 'patch' in edit ? edit.patch : edit.delete;
      const resource = resourceOf(collection);
      const target = `${namespaceFlag(resource, key)}`;
      const name = `${resourceName(resource, collection)} ${resource?.namespaced === false ? key : key.slice(key.indexOf('/') + 1)}`;
      if ('delete' in edit) return `kubectl${target} delete ${name}`;
      const body = JSON.stringify(edit.patch.body).replaceAll("'", "'\\''");
      return `kubectl${target} patch ${name} --type ${edit.patch.type ?? 'merge'} -p '${body}'`;
    })
    .join('\n');
}

function namespaceFlag(resource: WireResource | undefined, key: string): string {
  return resource?.namespaced === false || !key.includes('/') ? '' : ` -n ${key.slice(0, key.indexOf('/'))}`;
}

function resourceName(resource: WireResource | undefined, collection: string): string {
  if (resource === undefined) return collection.toLowerCase();
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}
