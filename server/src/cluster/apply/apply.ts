// Server-side apply. A manager states the fields it wants. Conflicts with other owners are refused or forced,
// and fields that the manager no longer states are removed.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {groupVersion} from '../kinds/served-resource.ts';
import {isObject, type JsonObject, type StoredObject} from '../object/stored-object.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import type {WriteContext} from '../verbs/write.ts';
import {StatusError} from '../wire/responses/status-error.ts';
import {
  emptyObject,
  type ManagerFields,
  readEntries,
  sameIdentity,
  withoutSystemFields,
  writeEntries,
} from './field-managers.ts';
import {type FieldSet, printPath} from './field-set.ts';
import {compareTyped, fieldSetOf, mergeTyped, removeOwned} from './typed-merge.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

interface Conflict {
  entry: ManagerFields;
  set: FieldSet;
}

/**
 * The object after the apply, with its managed fields. `live` is undefined when the apply creates the object.
 */
export function applyConfig(
  write: WriteContext,
  live: StoredObject | undefined,
  config: StoredObject,
  force: boolean,
): StoredObject {
  const {resource, subresource, api} = write;
  const schema = resource.schema();
  const entries = readEntries(live);
  const before = withoutManagedFields(live) ?? emptyObject(resource);
  const identity = {
    manager: write.manager,
    operation: 'Apply',
    apiVersion: groupVersion(resource),
    subresource,
  };
  const own = entries.find(e => sameIdentity(e, identity));
  const wanted = fieldSetOf(config, schema);
  let merged = mergeTyped(deepCopy(before), config, schema) as StoredObject;
  if (own) {
    const owned = entries.filter(e => e !== own).reduce((set, e) => set.union(e.set), wanted);
    merged = removeOwned(merged, own.set, owned, schema) as StoredObject;
  }
  const difference = compareTyped(before, merged, schema);
  const touched = difference.added.union(difference.modified);
  const others = entries.filter(e => e !== own);
  const conflicts = others
    .map(entry => ({entry, set: entry.set.intersection(touched)}))
    .filter(c => !c.set.empty);
  if (conflicts.length > 0 && !force) refuseUnlessUpgrade(write, conflicts, live, schema);
  for (const entry of others) entry.set = entry.set.difference(touched).difference(difference.removed);
  const set = withoutSystemFields(wanted, resource, subresource);
  // An apply that changes nothing updates the ownership and keeps the time.
  const changed = !touched.empty || !difference.removed.empty;
  const time = changed ? api.timestamp() : own?.time;
  writeEntries(merged, [...others, {...identity, time, set}]);
  return merged;
}

function withoutManagedFields(object: StoredObject | undefined): StoredObject | undefined {
  if (!object) return undefined;
  const out = deepCopy(object);
  delete out.metadata.managedFields;
  return out;
}

/** kubectl may take over the fields of its own client-side apply, which the last-applied annotation lists. */
function refuseUnlessUpgrade(
  write: WriteContext,
  conflicts: Conflict[],
  live: StoredObject | undefined,
  schema: FieldSchema | undefined,
): void {
  let left = conflicts;
  const text = live?.metadata.annotations?.[LAST_APPLIED];
  if (write.manager === 'kubectl' && text !== undefined) {
    // Fields that changed since, such as replicas by kubectl scale, no longer belong to client-side apply.
    const last = parseLastApplied(text);
    const since = compareTyped(last, withoutManagedFields(live) ?? {}, schema);
    const allowed = fieldSetOf(last, schema)
      .difference(since.modified)
      .difference(since.added)
      .difference(since.removed);
    left = conflicts.map(c => ({...c, set: c.set.difference(allowed)})).filter(c => !c.set.empty);
  }
  if (left.length > 0) throw conflictError(left);
}

function parseLastApplied(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function conflictError(conflicts: Conflict[]): StatusError {
  const sorted = [...conflicts].sort((a, b) => (a.entry.manager < b.entry.manager ? -1 : 1));
  const causes = sorted.flatMap(({entry, set}) =>
    [...set.paths()].map(path => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${printManager(entry)}`,
      field: printPath(path),
    })),
  );
  const groups = sorted.map(({entry, set}) => {
    const paths = [...set.paths()].map(printPath);
    if (paths.length === 1) return `conflict with ${printManager(entry)}: ${paths[0]}`;
    return `conflicts with ${printManager(entry)}:\n${paths.map(path => `- ${path}`).join('\n')}`;
  });
  const count = causes.length;
  const message = `Apply failed with ${count} conflict${count === 1 ? '' : 's'}: ${groups.join('\n')}`;
  return new StatusError(409, 'Conflict', message, {causes});
}

function printManager(entry: ManagerFields): string {
  const sub = entry.subresource === '' ? '' : ` with subresource ${JSON.stringify(entry.subresource)}`;
  const version = entry.operation === 'Apply' ? '' : ` using ${entry.apiVersion}`;
  return `${JSON.stringify(entry.manager)}${sub}${version}`;
}
