// Listeners of traces and violations: they come and go at any time, also while one of them is told. One that throws, now
// or later, harms nobody, and is told as a violation for as long as one of them is like that.

import {isThenable} from '../values/thenable.ts';

interface ListenerEntry<T> {
  readonly call: (value: T) => unknown;
}

export class Listeners<T> {
  #all: readonly ListenerEntry<T>[] = [];
  /** Those that threw when they were told last. */
  readonly #failing = new Set<ListenerEntry<T>>();
  readonly #failed: (error: unknown) => void;
  readonly #healed: () => void;

  /** `failed` hears what a listener throws, `healed` that none does any more. */
  constructor(failed: (error: unknown) => void, healed: () => void) {
    this.#failed = failed;
    this.#healed = healed;
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  /** Gives its unsubscribe. The same function twice is two listeners. */
  add(call: (value: T) => unknown): () => void {
    const own: ListenerEntry<T> = {call};
    this.#all = [...this.#all, own];
    return () => {
      this.#all = this.#all.filter(other => other !== own);
      this.#heal(own);
    };
  }

  clear(): void {
    this.#all = [];
    this.#failing.clear();
  }

  /** Tells those who were there when it began, and still are when it is their turn. */
  notify(value: () => T): void {
    for (const own of this.#all) {
      if (!this.#all.includes(own)) continue;
      try {
        const answer = own.call(value());
        if (isThenable(answer)) this.#await(own, answer);
        else this.#heal(own);
      } catch (error) {
        this.#fail(own, error);
      }
    }
  }

  #await(own: ListenerEntry<T>, answer: PromiseLike<unknown>): void {
    Promise.resolve(answer).then(
      () => this.#heal(own),
      error => this.#fail(own, error),
    );
  }

  #fail(own: ListenerEntry<T>, error: unknown): void {
    // One that has left breaks no promise any more.
    if (!this.#all.includes(own)) return;
    this.#failing.add(own);
    this.#failed(error);
  }

  #heal(own: ListenerEntry<T>): void {
    if (this.#failing.size > 0 && this.#failing.delete(own) && this.#failing.size === 0) this.#healed();
  }
}
