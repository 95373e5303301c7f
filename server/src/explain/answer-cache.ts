// Caches expensive answers so that recomputing them takes at most 5 % of the engine's time. Small sessions use no cache.
import type {Records} from './records.ts';

/** The share of the time that one kind of answer may take. */
const SHARE = 0.05;
const SMALL = 3000;

interface CachedAnswer<T> {
  readonly answer: T;
  readonly until: number;
}

export class AnswerCache<T> {
  readonly #records: Records;
  readonly #answers = new Map<string, CachedAnswer<T>>();

  constructor(records: Records) {
    this.#records = records;
  }

  answer(id: string, make: () => T): T {
    const cached = this.cached(id);
    if (cached !== undefined) return cached;
    const began = performance.now();
    const answer = make();
    this.store(id, answer, performance.now() - began);
    return answer;
  }

  cached(id: string): T | undefined {
    const entry = this.#answers.get(id);
    return entry && entry.until > this.#records.now() ? entry.answer : undefined;
  }

  /** `took`: the milliseconds that the answer took. */
  store(id: string, answer: T, took: number): void {
    this.#answers.delete(id);
    if (this.#size() > SMALL) this.#answers.set(id, {answer, until: this.#records.now() + took / SHARE});
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > 32 && !oldest.done) this.#answers.delete(oldest.value);
  }

  clear(): void {
    this.#answers.clear();
  }

  #size(): number {
    return this.#records.collections().reduce((sum, c) => sum + this.#records.size(c.name), 0);
  }
}
