// Which objects of a cluster changed at about a time, by the times of their field managers. Deletions are not seen.
import type {ClusterObjects} from './cluster-objects.ts';
import {kindOfRows} from './informer-kind.ts';

/** Kubernetes writes whole seconds, and an informer sees a change later than the server. */
const BEFORE_MS = 2500;
const AFTER_MS = 500;
const NO_ROWS: ReadonlyMap<string, unknown> = new Map();

/** The keys of the rows of an informer that changed; undefined if the cluster's session does not watch the kind. */
export function keysChangedAt(
  collection: string,
  time: number,
  cluster: ClusterObjects,
): string[] | undefined {
  const kind = kindOfRows(collection, NO_ROWS, cluster);
  if (kind === undefined) return undefined;
  return [...kind.keys()].filter(key =>
    kind.writers(key).some(writer => {
      const written = Date.parse(writer.time ?? '');
      return written > time - BEFORE_MS && written < time + AFTER_MS;
    }),
  );
}
