// What the graph says of a collection at a moment: how often it had run by then, what failed then, what it waited for.
import type {BatchSummary, CollectionFacts, Records} from '../../../explain/records.ts';

export interface Then {
  readonly facts: CollectionFacts;
  readonly runs: number;
  readonly failed: number;
}

export function countsNow(records: Records, facts: CollectionFacts): Then {
  const {name} = facts;
  return {facts, runs: records.runTotal(name), failed: records.failedInputs(name).length};
}

/** A moment of the past: the present's counts without what has run since. */
export class Since {
  readonly #records: Records;
  readonly #at: number;
  readonly #unsynced: ReadonlySet<string>;
  readonly #ran = new Map<string, number>();
  /** Batches up to then in which something failed. */
  readonly #failing: BatchSummary[] = [];

  constructor(records: Records, at: number) {
    this.#records = records;
    this.#at = at;
    this.#unsynced = new Set(
      records
        .collections(at)
        .filter(({synced}) => !synced)
        .map(({name}) => name),
    );
    for (const batch of records.batches(undefined, at))
      if (batch.runs.some(({outcomes}) => outcomes.failed)) this.#failing.push(batch);
    for (const {runs} of records.batches(at + 1))
      for (const {collection, outcomes} of runs) {
        const ran = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
        this.#ran.set(collection, (this.#ran.get(collection) ?? 0) + ran);
      }
  }

  of(facts: CollectionFacts): Then {
    const {name} = facts;
    return {
      facts: facts.synced ? facts : this.#waiting(facts),
      runs: Math.max(0, this.#records.runTotal(name) - (this.#ran.get(name) ?? 0)),
      failed: this.#failed(name),
    };
  }

  // What a reflector said of itself then is not recorded; what it says now would contradict the rest.
  #waiting({name, uid, kind, parents, indexes, resource}: CollectionFacts): CollectionFacts {
    const waitingFor = parents.find(parent => this.#unsynced.has(parent));
    return {
      name,
      uid,
      kind,
      synced: false,
      parents,
      indexes,
      ...(waitingFor === undefined ? {} : {waitingFor}),
      ...(resource === undefined ? {} : {resource}),
    };
  }

  /** Inputs whose last run by then failed: they fail now, or did in a batch that is kept. */
  #failed(name: string): number {
    const inputs = new Set(this.#records.failedInputs(name));
    for (const {sequence, runs} of this.#failing) {
      if (!runs.some(({collection, outcomes}) => collection === name && outcomes.failed)) continue;
      const batch = this.#records.batch(sequence);
      for (let i = 0; i < (batch?.runCount ?? 0); i++) {
        const run = batch?.run(i);
        if (run?.collection === name && run.outcome === 'failed') inputs.add(run.input);
      }
    }
    let failed = 0;
    for (const input of inputs) {
      const there = this.#records.hasInput(name, input, this.#at);
      if (there && this.#records.lastRun(name, input, this.#at)?.outcome === 'failed') failed++;
    }
    return failed;
  }
}
