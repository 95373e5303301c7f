// Listeners of traces and violations. They may come and go at any time. A listener that throws or rejects
// does not affect the others; a violation reports it while it lasts.

import {isThenable} from '../values/thenable.ts';

interface ListenerEntry<T> {
  readonly call: (value: T) => unknown;
}

export class Listeners<T> {
  #all: readonly ListenerEntry<T>[] = [];
  /** Listeners that failed at their last call. */
  readonly #failing = new Set<ListenerEntry<T>>();
  readonly #failed: (error: unknown) => void;
  readonly #healed: () => void;

  /** `failed` gets the error of a listener; `healed` is called when no listener fails any more. */
  constructor(failed: (error: unknown) => void, healed: () => void) {
    this.#failed = failed;
    this.#healed = healed;
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  /** Gives the unsubscribe function. Adding a function twice makes two listeners. */
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

  /** Calls the listeners that existed at the start and still exist. */
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
    // Ignore a listener that has unsubscribed.
    if (!this.#all.includes(own)) return;
    this.#failing.add(own);
    this.#failed(error);
  }

  #heal(own: ListenerEntry<T>): void {
    if (this.#failing.size > 0 && this.#failing.delete(own) && this.#failing.size === 0) this.#healed();
  }
}
