// Listeners of traces and violations: they come and go at any time, also while one of them is told. One that throws, now
// or later, harms nobody, and is told as a violation.

import {isThenable} from '../api/thenable.ts';

interface Own<T> {
  readonly call: (value: T) => unknown;
}

export class Listeners<T> {
  #all: readonly Own<T>[] = [];
  readonly #failed: (error: unknown) => void;

  /** `failed` hears what a listener throws. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  /** Gives its unsubscribe. The same function twice is two listeners. */
  add(call: (value: T) => unknown): () => void {
    const own: Own<T> = {call};
    this.#all = [...this.#all, own];
    return () => {
      this.#all = this.#all.filter(other => other !== own);
    };
  }

  clear(): void {
    this.#all = [];
  }

  /** Tells those who were there when it began, and still are when it is their turn. */
  tell(value: () => T): void {
    for (const own of this.#all) {
      if (!this.#all.includes(own)) continue;
      try {
        const answer = own.call(value());
        if (isThenable(answer)) Promise.resolve(answer).catch(error => this.#failed(error));
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
