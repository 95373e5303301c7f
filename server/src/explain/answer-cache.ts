// Keeps a costly answer for as long as it would otherwise eat more than its share of the time. Small sessions are
// always answered afresh.
import type {Records} from './records.ts';

/** At most this share of the time goes into one kind of answer, however large the cluster is. */
const SHARE = 0.05;
const SMALL = 3000;

interface CachedAnswer<T> {
  readonly answer: T;
  readonly until: number;
}

export class AnswerCache<T> {
  readonly #records: Records;
  readonly #held = new Map<string, CachedAnswer<T>>();

  constructor(records: Records) {
    this.#records = records;
  }

  answer(id: string, make: () => T): T {
    const held = this.cached(id);
    if (held !== undefined) return held;
    const began = performance.now();
    const answer = make();
    this.store(id, answer, performance.now() - began);
    return answer;
  }

  cached(id: string): T | undefined {
    const held = this.#held.get(id);
    return held && held.until > this.#records.now() ? held.answer : undefined;
  }

  /** For an answer that took so many milliseconds to make. */
  store(id: string, answer: T, took: number): void {
    this.#held.delete(id);
    if (this.#size() > SMALL) this.#held.set(id, {answer, until: this.#records.now() + took / SHARE});
    const oldest = this.#held.keys().next();
    if (this.#held.size > 32 && !oldest.done) this.#held.delete(oldest.value);
  }

  clear(): void {
    this.#held.clear();
  }

  #size(): number {
    return this.#records.collections().reduce((sum, c) => sum + this.#records.size(c.name), 0);
  }
}
