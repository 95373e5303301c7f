// Who wrote an object last: from what main said, else from the object's managedFields.

import {writePath} from '@krtscope/shared/path.ts';
import type {Writer} from '@krtscope/shared/run.ts';
import type {RecordedChange} from './records.ts';

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
function ownedPaths(fields: unknown, path: string[] = [], found: string[] = []): string[] {
  if (typeof fields !== 'object' || fields === null || found.length >= 20) return found;
  const names = Object.keys(fields).filter(name => name.startsWith('f:'));
  if (names.length === 0 && path.length > 0) found.push(writePath(path));
  for (const name of names)
    ownedPaths((fields as Record<string, unknown>)[name], [...path, name.slice(2)], found);
  return found;
}

/** The manager whose entry this write touched: new or different from before, the newest if several. */
export function writerOf(change: RecordedChange): Writer | undefined {
  if (change.writer) return change.writer;
  const before = new Map(managedFields(change.old).map(e => [identity(e), JSON.stringify(e)]));
  const now = managedFields(change.new ?? change.old);
  const touched = now.filter(e => before.get(identity(e)) !== JSON.stringify(e));
  const candidates = touched.length > 0 ? touched : now;
  const last = candidates.reduce<ManagedFields | undefined>(
    (best, e) => (best && (best.time ?? '') > (e.time ?? '') ? best : e),
    undefined,
  );
  // A deletion leaves no trace of who asked for it.
  if (!last?.manager || change.event === 'delete') return undefined;
  const paths = ownedPaths(last.fieldsV1);
  return {
    manager: last.manager,
    operation: last.operation ?? 'Update',
    ...(last.time ? {time: last.time} : {}),
    ...(paths.length > 0 ? {paths} : {}),
  };
}
