// Finds the last writer of an object: as the main process reported it, else from the object's managedFields.

import {writePath} from '@krtscope/shared/path.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {RecordedChange} from '../records.ts';

interface ManagedFields {
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: string;
  fieldsV1?: unknown;
}

function managedFields(value: unknown): ManagedFields[] {
  const metadata = (value as {metadata?: {managedFields?: unknown}} | undefined)?.metadata;
  return Array.isArray(metadata?.managedFields) ? (metadata.managedFields as ManagedFields[]) : [];
}

function identity(entry: ManagedFields): string {
  return `${entry.manager} ${entry.operation} ${entry.subresource ?? ''}`;
}

/** The paths of a fieldsV1 tree: `f:metadata` is a name, `k:{…}` and `v:…` are elements of lists. */
function ownedPaths(fields: unknown, most = 20, path: string[] = [], found: string[] = []): string[] {
  if (typeof fields !== 'object' || fields === null || found.length >= most) return found;
  const names = Object.keys(fields).filter(name => name.startsWith('f:'));
  if (names.length === 0 && path.length > 0) found.push(writePath(path));
  for (const name of names)
    ownedPaths((fields as Record<string, unknown>)[name], most, [...path, name.slice(2)], found);
  return found;
}

/** The entry is new, newer or owns more fields. An entry that only lost fields was overwritten by another manager. */
function isTouched(entry: ManagedFields, before: ManagedFields | undefined): boolean {
  if (before === undefined || before.time !== entry.time) return true;
  const had = new Set(ownedPaths(before.fieldsV1, 1000));
  return ownedPaths(entry.fieldsV1, 1000).some(path => !had.has(path));
}

/** The manager whose entry this write touched, the newest if several; undefined where fields were only removed. */
export function writerOf(change: RecordedChange): WireWriter | undefined {
  if (change.writer) return change.writer;
  // A deletion does not record who requested it.
  if (change.event === 'delete') return undefined;
  const before = new Map(managedFields(change.old).map(e => [identity(e), e]));
  const last = managedFields(change.new)
    .filter(e => isTouched(e, before.get(identity(e))))
    .reduce<ManagedFields | undefined>(
      (best, e) => (best && (best.time ?? '') > (e.time ?? '') ? best : e),
      undefined,
    );
  if (!last?.manager) return undefined;
  const paths = ownedPaths(last.fieldsV1);
  return {
    manager: last.manager,
    operation: last.operation ?? 'Update',
    ...(last.time ? {time: last.time} : {}),
    ...(paths.length > 0 ? {paths} : {}),
  };
}
