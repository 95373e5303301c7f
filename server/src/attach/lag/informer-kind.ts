// Which kind of a cluster an informer of a program follows. A document names neither kind nor group.
import type {ClusterObjects, KindObjects} from './cluster-objects.ts';
import {versionOf} from './cluster-objects.ts';

/** Rows that are looked up to decide between kinds or clusters. */
const SAMPLE = 50;

export type InformerRows = ReadonlyMap<string, unknown>;

/** The kinds whose name fits the collection: `informer/Services` and `crdclient/informer/Service`. */
function kindsNamed(collection: string, cluster: ClusterObjects): KindObjects[] {
  const word = collection.slice(collection.lastIndexOf('/') + 1).replace(/#\d+$/, '');
  const name = word.toLowerCase();
  return [...cluster.kinds()].filter(
    ({resource}) => resource.resource === name || resource.kind.toLowerCase() === name,
  );
}

/** How many of the rows the kind has with the same uid. */
function sharedRows(rows: InformerRows, kind: KindObjects): number {
  let shared = 0;
  let looked = 0;
  for (const [key, value] of rows) {
    if (looked++ === SAMPLE) break;
    const uid = versionOf(value)?.uid;
    if (uid !== undefined && kind.version(key)?.uid === uid) shared++;
  }
  return shared;
}

/** Undefined if the cluster's session does not watch the kind, or if two kinds fit. */
export function kindOfRows(
  collection: string,
  rows: InformerRows,
  cluster: ClusterObjects,
): KindObjects | undefined {
  const named = kindsNamed(collection, cluster);
  if (named.length < 2) return named[0];
  const sharing = named.filter(kind => sharedRows(rows, kind) > 0);
  return sharing.length === 1 ? sharing[0] : undefined;
}

/** The cluster that has the same objects: names repeat between clusters, uids do not. */
export function clusterOfRows(
  informers: ReadonlyMap<string, InformerRows>,
  clusters: readonly ClusterObjects[],
): ClusterObjects | undefined {
  let best: ClusterObjects | undefined;
  let most = 0;
  for (const cluster of clusters) {
    let shared = 0;
    for (const [collection, rows] of informers)
      for (const kind of kindsNamed(collection, cluster)) shared += sharedRows(rows, kind);
    if (shared > most) [best, most] = [cluster, shared];
  }
  return best;
}
