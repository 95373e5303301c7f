// How long to wait before asking again: 0.8 s doubling to 5 s while an outage is young, so that a server that
// comes back is found at once, and to 30 s when it lasts; stretched by chance, so that a thousand watchers do
// not come back in the same second.

import type {Clock} from '../clock.ts';

/** An outage is young for this long. */
const young = 60_000;

export interface BackoffOptions {
  first?: number;
  /** The longest wait while the outage is young, and after that. */
  youngCap?: number;
  cap?: number;
}

export class Backoff {
  readonly #clock: Clock;
  readonly #first: number;
  readonly #youngCap: number;
  readonly #cap: number;
  #next: number;
  #since: number | undefined;

  constructor(clock: Clock, options: BackoffOptions = {}) {
    this.#clock = clock;
    this.#first = options.first ?? 800;
    this.#youngCap = options.youngCap ?? 5_000;
    this.#cap = options.cap ?? 30_000;
    this.#next = this.#first;
  }

  /** Milliseconds to wait now. */
  next(): number {
    const now = this.#clock.now();
    this.#since ??= now;
    const cap = now - this.#since < young ? this.#youngCap : this.#cap;
    const base = Math.min(this.#next, cap);
    this.#next = Math.min(base * 2, this.#cap);
    return base * (1 + this.#clock.random() / 2);
  }

  /** Something succeeded: the next outage is a new one. */
  reset(): void {
    this.#next = this.#first;
    this.#since = undefined;
  }
}
