// Counts the runs of an attached program that changed nothing, that repeated another one, and fetches that compare
// every row of a large collection.
import type {CollectionWork} from '@krtscope/shared/programs/work.ts';
import type {InferredRun} from '../infer/inferred-run.ts';
import type {RowRef} from '../infer/krtz-structure.ts';
import {comparesEveryRow} from '../log/filter-text.ts';

/** A fetch that compares fewer rows costs too little to report. */
const MIN_SCANNED = 50;
const MAX_COLLECTIONS = 200;
const MAX_SCANS = 20;

export interface CountedRuns {
  runs: readonly InferredRun[];
  /** The row of an informer that a run goes back to; undefined if it is not known. */
  originOf(run: InferredRun): RowRef | undefined;
  /** The rows of a collection, by the name in the log. */
  sizeOf(collection: string): number;
}

interface CollectionTally {
  runs: number;
  equal: number;
  repeated: number;
  last: CollectionWork['last'];
  repeatedAfter: CollectionWork['repeatedAfter'];
  scans: Map<string, CollectionWork['scans'][number]>;
}

export class RunTally {
  readonly #counts = new Map<string, CollectionTally>();

  add({runs, originOf, sizeOf}: CountedRuns): void {
    const byChange = new Map<string, {collection: string; cause: RowRef | undefined; runs: InferredRun[]}>();
    for (const run of runs) {
      if (run.isRemoval) continue;
      const cause = originOf(run);
      // An unknown cause is a change of its own for each run.
      const id = cause === undefined ? `line ${run.line}` : `${cause.collection}\n${cause.key}`;
      const group = byChange.get(`${run.collection}\n${id}`);
      if (group === undefined)
        byChange.set(`${run.collection}\n${id}`, {collection: run.collection, cause, runs: [run]});
      else group.runs.push(run);
      this.#scans(run, sizeOf);
    }
    for (const {collection, cause, runs: group} of byChange.values()) this.#change(collection, cause, group);
  }

  #change(collection: string, cause: RowRef | undefined, runs: readonly InferredRun[]): void {
    const counts = this.#of(collection);
    const equal = runs.filter(({outputs}) => outputs.length === 0).length;
    const inputs = new Set(runs.map(({input}) => input)).size;
    const repeated = runs.length - inputs;
    counts.runs += runs.length;
    counts.equal += equal;
    counts.repeated += repeated;
    if (equal === 0 && repeated === 0) return;
    const time = Math.round(Math.min(...runs.map(({start}) => start)));
    counts.last = {time, runs: runs.length, equal, repeated, inputs};
    if (cause === undefined) return;
    counts.last.cause = {collection: cause.collection, key: cause.key};
    if (repeated > 0) counts.repeatedAfter = counts.last.cause;
  }

  #scans(run: InferredRun, sizeOf: CountedRuns['sizeOf']): void {
    for (const {collection, filter} of run.fetches) {
      if (!comparesEveryRow(filter)) continue;
      const size = sizeOf(collection);
      if (size < MIN_SCANNED) continue;
      const {scans} = this.#of(run.collection);
      const kind = filterKinds(filter);
      const id = `${collection}\n${kind}`;
      const scan = scans.get(id) ?? {collection, filter: kind, fetches: 0, rows: 0};
      if (!scans.has(id) && scans.size >= MAX_SCANS) continue;
      scans.set(id, {...scan, fetches: scan.fetches + 1, rows: scan.rows + size});
    }
  }

  #of(collection: string): CollectionTally {
    let counts = this.#counts.get(collection);
    if (counts === undefined) {
      counts = {runs: 0, equal: 0, repeated: 0, last: undefined, repeatedAfter: undefined, scans: new Map()};
      this.#counts.set(collection, counts);
    }
    return counts;
  }

  /** The most equal runs first. */
  get collections(): CollectionWork[] {
    return [...this.#counts]
      .map(([name, {last, scans, ...counts}]): CollectionWork => {
        const work: CollectionWork = {
          name,
          ...counts,
          share: counts.equal / Math.max(1, counts.runs),
          scans: [],
        };
        work.scans = [...scans.values()].sort((a, b) => b.rows - a.rows);
        return last === undefined ? work : {...work, last};
      })
      .sort((a, b) => b.equal - a.equal || b.repeated - a.repeated || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_COLLECTIONS);
  }

  get totals(): {runs: number; equal: number; repeated: number} {
    const totals = {runs: 0, equal: 0, repeated: 0};
    for (const {runs, equal, repeated} of this.#counts.values()) {
      totals.runs += runs;
      totals.equal += equal;
      totals.repeated += repeated;
    }
    return totals;
  }
}

/** `selectsNonEmpty=map[app:cart],generic` as `selectsNonEmpty, generic`: values differ from run to run. */
function filterKinds(filter: string): string {
  return filter
    .replace(/\[[^\]]*\]/g, '')
    .split(',')
    .map(part => part.replace(/=.*$/, ''))
    .join(', ');
}
