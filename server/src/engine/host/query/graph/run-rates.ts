// Counts runs of the recent past by second, and how long batches took to settle. Reads only batch summaries.
import type {BatchSummary, Records} from '../../../../explain/records.ts';
import {FirstLists} from './first-lists.ts';

const SECONDS = 720;

interface SecondCounters {
  /** The second of each slot, so that a slot of twelve minutes ago is not taken for now. */
  readonly second: Float64Array;
  readonly runs: Uint32Array;
  readonly equal: Uint32Array;
  readonly milliseconds: Float64Array;
}

export interface RunRate {
  readonly runs: number;
  readonly equal: number;
  readonly milliseconds: number;
}

/** The value below which this share of the sorted list lies. */
export function quantile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return 0;
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
}

export class RunRates {
  readonly #counted = new Map<string, SecondCounters>();
  #lags: {at: number; lag: number; collections: readonly string[]}[] = [];
  #seen = 0;
  readonly #first = new FirstLists();

  /** Reads new batches. Starts again if the recording was replaced. */
  catchUp(records: Records, until = records.newest()): void {
    if (until < this.#seen) {
      this.#counted.clear();
      this.#lags = [];
      this.#seen = 0;
    }
    if (until === this.#seen) return;
    this.#first.catchUp(records);
    for (const batch of records.batches(this.#seen + 1, until)) {
      this.#count(batch);
      if (batch.lag !== undefined && !this.#first.isOnlyFirstLists(records, batch))
        this.#lag(batch, batch.lag);
    }
    this.#seen = until;
  }

  #count(batch: BatchSummary): void {
    const second = Math.floor(batch.at / 1000);
    const slot = second % SECONDS;
    for (const runs of batch.runs) {
      const counted = this.#of(runs.collection);
      if (counted.second[slot] !== second) {
        counted.second[slot] = second;
        counted.runs[slot] = 0;
        counted.equal[slot] = 0;
        counted.milliseconds[slot] = 0;
      }
      for (const count of Object.values(runs.outcomes)) counted.runs[slot]! += count;
      counted.equal[slot]! += runs.outcomes.equal ?? 0;
      counted.milliseconds[slot]! += runs.milliseconds;
    }
  }

  #lag(batch: BatchSummary, lag: number): void {
    this.#lags.push({at: batch.at, lag, collections: batch.runs.map(r => r.collection)});
    // Keep about a minute. Cut in large steps, or every batch would copy the list.
    if (this.#lags.length > 20_000) this.#lags = this.#lags.slice(10_000);
  }

  #of(collection: string): SecondCounters {
    let counted = this.#counted.get(collection);
    if (!counted) {
      counted = {
        second: new Float64Array(SECONDS),
        runs: new Uint32Array(SECONDS),
        equal: new Uint32Array(SECONDS),
        milliseconds: new Float64Array(SECONDS),
      };
      this.#counted.set(collection, counted);
    }
    return counted;
  }

  /** The first lists among the batches read so far. */
  get firstLists(): FirstLists {
    return this.#first;
  }

  /** Runs of one collection in the `seconds` before `end`. */
  rate(collection: string, end: number, seconds = 60): RunRate {
    const counted = this.#counted.get(collection);
    const total = {runs: 0, equal: 0, milliseconds: 0};
    if (!counted) return total;
    const last = Math.floor(end / 1000);
    for (let second = last - seconds + 1; second <= last; second++) {
      const slot = second % SECONDS;
      if (counted.second[slot] !== second) continue;
      total.runs += counted.runs[slot]!;
      total.equal += counted.equal[slot]!;
      total.milliseconds += counted.milliseconds[slot]!;
    }
    return total;
  }

  /** Runs in twelve intervals up to `end`, oldest first. */
  spark(collection: string, end: number, secondsEach: number): number[] {
    return Array.from(
      {length: 12},
      (_, i) => this.rate(collection, end - (11 - i) * secondsEach * 1000, secondsEach).runs,
    );
  }

  /** Milliseconds from received to settled of the last minute's batches, sorted, optionally of one collection. */
  lags(end: number, collection?: string): number[] {
    return this.#lags
      .filter(l => l.at > end - 60_000 && l.at <= end && (!collection || l.collections.includes(collection)))
      .map(l => l.lag)
      .sort((a, b) => a - b);
  }
}
