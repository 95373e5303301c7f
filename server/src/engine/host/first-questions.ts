// Asks why itself, once for each collection that has synced: code that has never run is slow, and the first person to ask
// would wait for it. Nobody hears the answers.
import type {Question} from '@krtscope/shared/questions.ts';
import type {Records} from '../../explain/records.ts';
import type {IncrementalWork} from '../../history/incremental-work.ts';
import type {Slices} from './slices.ts';

export interface FirstQuestionsOptions {
  readonly slices: Slices;
  records(): Records | undefined;
  answer(question: Question): unknown;
}

export class FirstQuestions {
  readonly #options: FirstQuestionsOptions;
  readonly #asked = new Set<string>();

  constructor(options: FirstQuestionsOptions) {
    this.#options = options;
  }

  /** These have synced. */
  ask(collections: readonly string[]): void {
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
      if (records === undefined || key === undefined || !isBrief(records, collection, key)) continue;
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
function isBrief(records: Records, collection: string, key: string): boolean {
  const [input] = records.inputsOf(collection, key);
  const run = input === undefined ? undefined : records.lastRun(collection, input);
  return run?.fetches.every(({matched, keys}) => matched <= keys.length) ?? true;
}
