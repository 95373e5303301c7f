// Sums up the batches of a trial: which rows differ, which runs made them, and where the wave stopped.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RowDifference} from '@krtscope/shared/what-if/what-if.ts';
import {isJournal} from '../../../history/journal.ts';
import type {BatchTrace, Cause, Published, Run} from '../../../krt/index.ts';

/** The rows of one answer. More would be megabytes that no person reads. */
const MAX_ROWS = 20_000;
const MAX_STOPPED = 5000;

interface NetChange {
  readonly collection: string;
  readonly key: string;
  readonly old: unknown;
  new: unknown;
  run: RowDifference['run'];
}

export class TrialDifference {
  readonly #changes = new Map<string, NetChange>();
  readonly #stopped = new Map<string, ItemRef>();
  runs = 0;
  /** Numbers the batches of the trial: their sequences in the copy mean nothing outside. */
  #batches = 0;

  add(trace: BatchTrace): void {
    this.#batches += 1;
    this.runs += trace.runs.length;
    for (const published of trace.published) this.#addChange(published, trace);
    for (const {collection, input, outcome} of trace.runs)
      if (outcome === 'equal' && !isJournal(collection))
        this.#stopped.set(`${collection}\n${input}`, {collection, key: input});
  }

  #addChange(published: Published, trace: BatchTrace): void {
    const {collection, key, old, new: now, run: place} = published;
    if (isJournal(collection)) return;
    const id = `${collection}\n${key}`;
    const run = place === null ? undefined : (trace.runs[place] as Run);
    const made = run && toDifferenceRun(run, `${this.#batches}.${place}`, this.#batches);
    const earlier = this.#changes.get(id);
    if (earlier === undefined) this.#changes.set(id, {collection, key, old, new: now, run: made});
    else Object.assign(earlier, {new: now, run: made ?? earlier.run});
  }

  /** Whether all rows are as they were before the first batch. */
  get isNothing(): boolean {
    for (const {old, new: now} of this.#changes.values()) if (!deepEqual(old, now)) return false;
    return true;
  }

  /** The rows that differ, by collection and in the order of their keys. */
  rows(wanted: readonly string[] | undefined): {
    collections: Record<string, RowDifference[]>;
    omitted: number;
  } {
    const collections: Record<string, RowDifference[]> = Object.create(null);
    let count = 0;
    for (const {collection, key, old, new: now, run} of this.#changes.values()) {
      if (wanted !== undefined && !wanted.includes(collection)) continue;
      if (deepEqual(old, now)) continue;
      count += 1;
      if (count > MAX_ROWS) continue;
      collections[collection] ??= [];
      collections[collection].push({
        key,
        ...(old === undefined ? {} : {old}),
        ...(now === undefined ? {} : {new: now}),
        ...(run === undefined ? {} : {run}),
      });
    }
    for (const rows of Object.values(collections)) rows.sort((a, b) => (a.key < b.key ? -1 : 1));
    return {collections, omitted: Math.max(0, count - MAX_ROWS)};
  }

  stopped(): ItemRef[] {
    return [...this.#stopped.values().take(MAX_STOPPED)];
  }
}

function toDifferenceRun(run: Run, id: string, batch: number): NonNullable<RowDifference['run']> {
  const causes = run.causes.map(({uid: _uid, published: _published, run: made, via, ...cause}: Cause) => ({
    ...cause,
    ...(via === undefined ? {} : {via: {...via}}),
    ...(made === undefined ? {} : {run: `${batch}.${made}`}),
  }));
  return {id, input: run.input, outcome: run.outcome, causes};
}
