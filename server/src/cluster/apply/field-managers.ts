// Field ownership for plain writes: metadata.managedFields records which manager wrote which field.

import type {ManagedFieldsEntry} from '../../kube/object.ts';
import {groupVersion, type ServedResource} from '../kinds/served-resource.ts';
import {isObject, type JsonObject, type StoredObject} from '../object/stored-object.ts';
import {decode} from '../schema/decode.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import type {WriteContext} from '../verbs/write.ts';
import {FieldSet} from './field-set.ts';
import {compareTyped} from './typed-merge.ts';

const MAX_UPDATE_ENTRIES = 10;
const SYSTEM_META = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'managedFields',
];

export interface ManagerFields {
  manager: string;
  operation: string;
  apiVersion: string;
  subresource: string;
  time: string | undefined;
  set: FieldSet;
}

export function readEntries(object: StoredObject | undefined): ManagerFields[] {
  return (object?.metadata.managedFields ?? []).map(entry => ({
    manager: entry.manager ?? '',
    operation: entry.operation ?? '',
    apiVersion: entry.apiVersion ?? '',
    subresource: entry.subresource ?? '',
    time: entry.time,
    set: FieldSet.fromFieldsV1(entry.fieldsV1),
  }));
}

export function writeEntries(object: StoredObject, entries: ManagerFields[]): void {
  const nonEmpty = entries.filter(entry => !entry.set.empty);
  if (nonEmpty.length === 0) {
    delete object.metadata.managedFields;
    return;
  }
  nonEmpty.sort(compareEntries);
  object.metadata.managedFields = nonEmpty.map(toManagedFields);
}

function toManagedFields(entry: ManagerFields): ManagedFieldsEntry {
  return {
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    ...(entry.time !== undefined && {time: entry.time}),
    fieldsType: 'FieldsV1',
    fieldsV1: entry.set.toFieldsV1(),
    ...(entry.subresource !== '' && {subresource: entry.subresource}),
  };
}

function compareEntries(a: ManagerFields, b: ManagerFields): number {
  const parts: [string, string][] = [
    [a.operation, b.operation],
    [a.time ?? '', b.time ?? ''],
    [a.manager, b.manager],
    [a.apiVersion, b.apiVersion],
    [a.subresource, b.subresource],
  ];
  for (const [left, right] of parts) if (left !== right) return left < right ? -1 : 1;
  return 0;
}

/**
 * Removes fields without an owner: identity, and the half of a status resource that this write cannot change.
 */
export function withoutSystemFields(set: FieldSet, resource: ServedResource, subresource: string): FieldSet {
  const apart = resource.subresources.some(s => s.subresource === 'status');
  let out = set.without(['f:apiVersion', 'f:kind']);
  if (apart && subresource === '') out = out.without(['f:status']);
  if (subresource === 'status')
    out = out.without([...out.children.keys()].filter(k => k !== 'f:status' && k !== 'f:metadata'));
  const meta = out.children.get('f:metadata');
  if (meta) {
    const stripped = meta.without(SYSTEM_META.map(field => `f:${field}`));
    out = out.without(['f:metadata']);
    if (stripped.children.size > 0) out.children.set('f:metadata', stripped);
  }
  return out;
}

const empties = new WeakMap<FieldSchema, JsonObject>();

/** The fields that Go's empty type already has. A create does not own them. */
export function emptyObject(resource: ServedResource): unknown {
  const schema = resource.schema();
  if (!schema || resource.custom) return {};
  let empty = empties.get(schema);
  if (!empty) {
    empty = withNullSlices(decode({}, schema).value, schema);
    empties.set(schema, empty);
  }
  return empty;
}

/** Go prints a required slice even when it is empty. */
function withNullSlices(value: JsonObject, schema: FieldSchema): JsonObject {
  for (const field of schema.fieldNames()) {
    const child = schema.field(field)!;
    const own = value[field];
    if (isObject(own)) withNullSlices(own, child);
    else if (child.type === 'array' && schema.required.includes(field)) value[field] = null;
  }
  return value;
}

/** Gives the fields of a plain write to its manager and takes them from all others. */
export function recordUpdate(write: WriteContext, old: StoredObject | undefined, object: StoredObject): void {
  const {resource, subresource, api} = write;
  if (old && (old.metadata.managedFields ?? []).length === 0) {
    delete object.metadata.managedFields;
    return;
  }
  // An empty list resets the ownership on purpose.
  if (old && object.metadata.managedFields?.length === 0) {
    delete object.metadata.managedFields;
    return;
  }
  const entries = readEntries(old && object.metadata.managedFields ? object : old);
  const difference = compareTyped(
    withoutManagedFields(old) ?? emptyObject(resource),
    withoutManagedFields(object),
    resource.schema(),
  );
  const taken = withoutSystemFields(difference.added.union(difference.modified), resource, subresource);
  const gone = difference.removed;
  const mine = {manager: write.manager, operation: 'Update', apiVersion: groupVersion(resource), subresource};
  const changed = difference.added.union(difference.modified);
  for (const entry of entries) entry.set = entry.set.difference(changed).difference(gone);
  // A write to scale records no time.
  const time = subresource === 'scale' ? undefined : api.timestamp();
  if (!taken.empty) {
    const own = entries.find(e => sameIdentity(e, mine));
    if (own) {
      own.set = own.set.union(taken);
      own.time = time;
    } else entries.push({...mine, time, set: taken});
  }
  writeEntries(object, capEntries(entries));
}

function withoutManagedFields(object: StoredObject | undefined): StoredObject | undefined {
  return (
    object && {
      ...object,
      metadata: {...object.metadata, managedFields: undefined} as StoredObject['metadata'],
    }
  );
}

export function sameIdentity(
  a: Omit<ManagerFields, 'time' | 'set'>,
  b: Omit<ManagerFields, 'time' | 'set'>,
): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.apiVersion === b.apiVersion &&
    a.subresource === b.subresource
  );
}

/** Merges the oldest update entries when there are too many. */
function capEntries(entries: ManagerFields[]): ManagerFields[] {
  const updates = entries.filter(e => e.operation === 'Update').sort(compareEntries);
  if (updates.length <= MAX_UPDATE_ENTRIES) return entries;
  const old = updates.slice(0, updates.length - MAX_UPDATE_ENTRIES + 1);
  const merged = old.reduce((set, e) => set.union(e.set), new FieldSet());
  const last = old.at(-1)!;
  const bucket: ManagerFields = {...last, manager: 'ancient-changes', subresource: '', set: merged};
  return [...entries.filter(e => !old.includes(e)), bucket];
}
