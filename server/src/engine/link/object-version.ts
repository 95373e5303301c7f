// One version of one object as text, to find the events that a write of a controller caused.
import type {Attempt, ReconcileCause} from '@krtscope/shared/controllers.ts';
import {readPath} from '@krtscope/shared/path.ts';

type WrittenObject = Pick<Attempt['writes'][number], 'kind' | 'namespace' | 'name' | 'after' | 'dryRun'>;

/** The version that a watch event reported. */
export function eventVersion({kind, key, resourceVersion}: ReconcileCause): string | undefined {
  return versionText(kind, key, resourceVersion);
}

/** The version that a write created; undefined for refused writes and dry runs. */
export function writtenVersion({
  kind,
  namespace,
  name,
  after,
  dryRun,
}: Partial<WrittenObject>): string | undefined {
  if (dryRun) return undefined;
  const own = name ?? readPath(after, 'metadata.name');
  const key = namespace === undefined ? own : `${namespace}/${own}`;
  return versionText(kind, key, readPath(after, 'metadata.resourceVersion'));
}

function versionText(kind: unknown, key: unknown, resourceVersion: unknown): string | undefined {
  if (typeof kind !== 'string' || typeof key !== 'string' || typeof resourceVersion !== 'string')
    return undefined;
  return `${kind}\n${key}\n${resourceVersion}`;
}
