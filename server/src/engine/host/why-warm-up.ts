// Asks why once for each collection that has synced, and drops the answers. Code that has never run is slow, and the
// first user would wait for it.
import type {Question} from '@krtscope/shared/questions.ts';
import type {Records} from '../../explain/records.ts';
import type {IncrementalWork} from '../../history/incremental-work.ts';
import type {SliceScheduler} from './slice-scheduler.ts';

export interface WhyWarmUpOptions {
  readonly slices: SliceScheduler;
  records(): Records | undefined;
  answer(question: Question): unknown;
}

export class WhyWarmUp {
  readonly #options: WhyWarmUpOptions;
  readonly #done = new Set<string>();

  constructor(options: WhyWarmUpOptions) {
    this.#options = options;
  }

  /** These collections have synced. */
  schedule(collections: readonly string[]): void {
    const fresh = collections.filter(name => !this.#done.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) this.#done.add(name);
    const nothing = (): void => {};
    // Do not run inside the batch in which they synced.
    setImmediate(() => this.#options.slices.run(this.#steps(fresh), nothing, nothing));
  }

  *#steps(collections: readonly string[]): IncrementalWork<void> {
    for (const collection of collections) {
      const records = this.#options.records();
      const [key] = records?.keys(collection) ?? [];
      if (records === undefined || key === undefined || !isCheap(records, collection, key)) continue;
      try {
        JSON.stringify(this.#options.answer({ask: 'why', collection, key}));
      } catch {
        // The row may be gone, or may have no answer. A user's question gets the error.
      }
      yield;
    }
  }
}

/** The keys that a run found are known. Searching for them again would read a whole collection and delay others. */
function isCheap(records: Records, collection: string, key: string): boolean {
  const [input] = records.inputsOf(collection, key);
  const run = input === undefined ? undefined : records.lastRun(collection, input);
  return run?.fetches.every(({matched, keys}) => matched <= keys.length) ?? true;
}
