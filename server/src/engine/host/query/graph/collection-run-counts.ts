// A collection's run counts, failures and waits at a moment.
import type {CollectionFacts, Records} from '../../../../explain/records.ts';

export interface CollectionRunCounts {
  readonly facts: CollectionFacts;
  readonly runs: number;
  readonly failed: number;
}

export function currentRunCounts(records: Records, facts: CollectionFacts): CollectionRunCounts {
  const {name} = facts;
  return {facts, runs: records.runTotal(name), failed: records.failedInputs(name).length};
}

/** For a past moment: the current counts without later runs. */
export class PastCollectionRunCounts {
  readonly #records: Records;
  readonly #at: number;
  readonly #ran = new Map<string, number>();

  constructor(records: Records, at: number) {
    this.#records = records;
    this.#at = at;
    for (const {runs} of records.batches(at + 1))
      for (const {collection, outcomes} of runs) {
        const ran = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
        this.#ran.set(collection, (this.#ran.get(collection) ?? 0) + ran);
      }
  }

  of(facts: CollectionFacts): CollectionRunCounts {
    const {name} = facts;
    return {
      facts,
      runs: Math.max(0, this.#records.runTotal(name) - (this.#ran.get(name) ?? 0)),
      failed: this.#records.failedInputs(name, this.#at).length,
    };
  }
}
