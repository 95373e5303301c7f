// The progress of collections that are not synced yet (objects to list, runs to make) and an estimate of the
// remaining time.
import type {Progress} from '@krtscope/shared/graph.ts';

interface SyncStart {
  readonly at: number;
  readonly owed: number;
}

/** The amount of work that is left, and the total. */
export interface OwedRuns {
  readonly runs: number;
  readonly of: number;
}

export class SyncProgress {
  readonly #now: () => number;
  readonly #begun = new Map<string, SyncStart>();

  constructor(now: () => number) {
    this.#now = now;
  }

  of(collection: string, owes: OwedRuns | undefined): Progress | undefined {
    if (owes === undefined || owes.runs === 0) {
      this.#begun.delete(collection);
      return undefined;
    }
    const {runs: owed} = owes;
    const begun = this.#begun.get(collection) ?? {at: this.#now(), owed};
    this.#begun.set(collection, begun);
    const total = Math.max(owes.of, owed);
    const made = begun.owed - owed;
    const done = total - owed;
    if (made <= 0) return {done, total};
    const took = this.#now() - begun.at;
    return {done, total, seconds: Math.ceil((took * owed) / made / 1000)};
  }
}
