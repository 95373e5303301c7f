// Asks why itself, once for each collection that has synced: code that has never run is slow, and the first person to ask
// would wait for it. Nobody hears the answers.
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
  readonly #asked = new Set<string>();

  constructor(options: WhyWarmUpOptions) {
    this.#options = options;
  }

  /** These have synced. */
  schedule(collections: readonly string[]): void {
    const fresh = collections.filter(name => !this.#asked.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) this.#asked.add(name);
    const nothing = (): void => {};
    // Not inside the batch that they synced in.
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
        // It has gone meanwhile, or cannot be told: who asks is told so.
      }
      yield;
    }
  }
}

/** The keys that a run found are known: to find them again would go through a whole collection, and hold others up. */
function isCheap(records: Records, collection: string, key: string): boolean {
  const [input] = records.inputsOf(collection, key);
  const run = input === undefined ? undefined : records.lastRun(collection, input);
  return run?.fetches.every(({matched, keys}) => matched <= keys.length) ?? true;
}
