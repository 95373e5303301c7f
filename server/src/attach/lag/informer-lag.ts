// Compares the informer rows of each document with the objects of the cluster's own session. A row that differs counts
// from the second document on: the document and the watch of the cluster do not arrive at the same time.
import type {CollectionLag, LagAnswer, LagRow} from '@krtscope/shared/programs/lag.ts';
import {type ClusterObjects, isOlder, type KindObjects, resourceText, versionOf} from './cluster-objects.ts';
import {clusterOfRows, type InformerRows, kindOfRows} from './informer-kind.ts';

const MAX_ROWS = 20;

/** A row that differed at the last comparison. */
interface InformerDifference {
  state: LagRow['state'];
  since: number;
  /** The version of the cluster when the difference began. */
  version: string;
}

interface InformerState {
  differences: Map<string, InformerDifference>;
  /** Rows of the namespaces that the cluster's session reads. */
  watched: number;
  /** Whether it left out objects from the start. Undefined after one document. */
  selective: boolean | undefined;
}

/** A row that has differed for a while, for findings. */
export interface LastingLag {
  collection: string;
  resource: string;
  rows: {key: string; state: LagRow['state']; since: number}[];
}

const NO_CLUSTER_HINT = 'open the cluster of this program too: krtscope compares its informers with it';

export class InformerLag {
  readonly #clusters: () => readonly ClusterObjects[];
  #informers = new Map<string, InformerState>();
  #cluster: ClusterObjects | undefined;
  #answer: LagAnswer = {
    reason: 'no document has arrived yet',
    hint: NO_CLUSTER_HINT,
    collections: [],
    notCompared: [],
  };
  #lasting: {at: number; compared: {name: string; kind: KindObjects; state: InformerState}[]} = {
    at: 0,
    compared: [],
  };

  constructor(clusters: () => readonly ClusterObjects[]) {
    this.#clusters = clusters;
  }

  get answer(): LagAnswer {
    return this.#answer;
  }

  /** The session of the program's cluster, as of the last document. */
  get cluster(): ClusterObjects | undefined {
    return this.#cluster;
  }

  /** Compares a document whose request began at this time. */
  compare(informers: ReadonlyMap<string, InformerRows>, began: number): void {
    const cluster = this.#findCluster(informers);
    if (cluster === undefined) {
      this.#informers.clear();
      this.#lasting = {at: began, compared: []};
      const reason = 'no session of the same cluster is open';
      this.#answer = {reason, hint: NO_CLUSTER_HINT, collections: [], notCompared: [...informers.keys()]};
      return;
    }
    const collections: CollectionLag[] = [];
    const notCompared: string[] = [];
    const compared: {name: string; kind: KindObjects; state: InformerState}[] = [];
    for (const [name, rows] of informers) {
      const kind = kindOfRows(name, rows, cluster);
      if (kind?.current !== true) {
        notCompared.push(name);
        continue;
      }
      const state = this.#compareRows(name, rows, kind, cluster.namespaces, began);
      collections.push(lagOf(name, kind, state, began));
      compared.push({name, kind, state});
    }
    for (const name of this.#informers.keys())
      if (!compared.some(one => one.name === name)) this.#informers.delete(name);
    this.#lasting = {at: began, compared};
    this.#answer = {cluster: cluster.session, asOf: began, collections, notCompared};
  }

  /** Rows that have differed for longer than this. Objects that a selective informer leaves out do not count. */
  lastingLonger(milliseconds: number): LastingLag[] {
    const {at, compared} = this.#lasting;
    return compared.flatMap(({name, kind, state}) => {
      const rows = [...state.differences]
        .filter(([, one]) => isCounted(one, state) && at - one.since > milliseconds)
        .map(([key, {state: difference, since}]) => ({key, state: difference, since}))
        .sort((a, b) => a.since - b.since || (a.key < b.key ? -1 : 1));
      return rows.length === 0 ? [] : [{collection: name, resource: resourceText(kind.resource), rows}];
    });
  }

  /** The same session as before while it is open, since an empty program shares no object with any. */
  #findCluster(informers: ReadonlyMap<string, InformerRows>): ClusterObjects | undefined {
    const clusters = this.#clusters();
    const same = clusters.find(({session}) => session === this.#cluster?.session);
    this.#cluster = same ?? clusterOfRows(informers, clusters);
    return this.#cluster;
  }

  #compareRows(
    name: string,
    rows: InformerRows,
    kind: KindObjects,
    namespaces: readonly string[],
    now: number,
  ): InformerState {
    const before = this.#informers.get(name);
    const differences = new Map<string, InformerDifference>();
    const note = (key: string, state: LagRow['state'], version: string) => {
      const previous = before?.differences.get(key);
      const isSame = previous?.state === state;
      differences.set(key, isSame ? previous : {state, since: now, version});
    };
    let watched = 0;
    for (const [key, value] of rows) {
      if (!isWatched(key, kind, namespaces)) continue;
      watched++;
      const own = versionOf(value)?.resourceVersion ?? '';
      const current = kind.version(key)?.resourceVersion;
      if (current === undefined) note(key, 'extra', '');
      else if (own !== '' && isOlder(own, current)) {
        // A newer version that the program has reached meanwhile was no lag.
        const previous = before?.differences.get(key);
        const hasCaughtUp = previous !== undefined && !isOlder(own, previous.version);
        if (hasCaughtUp) differences.set(key, {state: 'behind', since: now, version: current});
        else note(key, 'behind', current);
      }
    }
    for (const key of kind.keys()) if (!rows.has(key)) note(key, 'missing', '');
    const isMissing = [...differences.values()].some(({state, since}) => state === 'missing' && since < now);
    const state = {differences, watched, selective: before && (before.selective ?? isMissing)};
    this.#informers.set(name, state);
    return state;
  }
}

/** The cluster's session may read some namespaces only. */
function isWatched(key: string, {resource}: KindObjects, namespaces: readonly string[]): boolean {
  if (namespaces.length === 0 || !resource.namespaced) return true;
  return namespaces.includes(key.slice(0, key.indexOf('/')));
}

function isCounted({state}: InformerDifference, {selective}: InformerState): boolean {
  return state !== 'missing' || selective === false;
}

function lagOf(name: string, kind: KindObjects, state: InformerState, now: number): CollectionLag {
  const lasting = [...state.differences].filter(([, {since}]) => since < now);
  const count = (word: LagRow['state']) => lasting.filter(([, one]) => one.state === word).length;
  const [behind, missing, extra] = [count('behind'), count('missing'), count('extra')];
  const counted = lasting.filter(([, one]) => isCounted(one, state));
  const seconds = (since: number) => Math.round((now - since) / 100) / 10;
  const rows = counted
    .map(([key, one]): LagRow => ({key, state: one.state, seconds: seconds(one.since)}))
    .sort((a, b) => b.seconds - a.seconds || (a.key < b.key ? -1 : 1));
  return {
    name,
    resource: resourceText(kind.resource),
    same: state.watched - behind - extra,
    behind,
    missing,
    extra,
    behindSeconds: rows[0]?.seconds ?? 0,
    ...(state.selective ? {selective: true} : {}),
    rows: rows.slice(0, MAX_ROWS),
  };
}
