// How long to wait before asking again: 0.8 s doubling to 30 s, each stretched by chance to at most twice
// that, so that a thousand watchers do not come back in the same second.

import type {Clock} from './clock.ts';

export interface BackoffOptions {
  first?: number;
  cap?: number;
  /** After this long without a wait the next one is short again. */
  reset?: number;
}

export class Backoff {
  readonly #clock: Clock;
  readonly #first: number;
  readonly #cap: number;
  readonly #reset: number;
  #next: number;
  #last = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, options: BackoffOptions = {}) {
    this.#clock = clock;
    this.#first = options.first ?? 800;
    this.#cap = options.cap ?? 30_000;
    this.#reset = options.reset ?? 120_000;
    this.#next = this.#first;
  }

  /** Milliseconds to wait now. */
  next(): number {
    const now = this.#clock.now();
    if (now - this.#last > this.#reset) this.#next = this.#first;
    const base = this.#next;
    this.#next = Math.min(base * 2, this.#cap);
    const wait = base * (1 + this.#clock.random());
    this.#last = now + wait;
    return wait;
  }

  reset(): void {
    this.#next = this.#first;
  }
}
