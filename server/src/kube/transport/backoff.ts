// Waits between retries: 0.8 s doubling to 5 s in the first minute of an outage, then to 30 s. Short waits find a
// recovered server quickly. A random factor keeps a thousand clients from retrying in the same second.

import type {Clock} from '../clock.ts';

/** The length of the first phase of an outage, in milliseconds. */
const young = 60_000;

export interface BackoffOptions {
  first?: number;
  /** The longest wait in the first phase; `cap` is the longest wait after it. */
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

  /** Returns the next wait in milliseconds. */
  next(): number {
    const now = this.#clock.now();
    this.#since ??= now;
    const cap = now - this.#since < young ? this.#youngCap : this.#cap;
    const base = Math.min(this.#next, cap);
    this.#next = Math.min(base * 2, this.#cap);
    return base * (1 + this.#clock.random() / 2);
  }

  /** Call this after a success. */
  reset(): void {
    this.#next = this.#first;
    this.#since = undefined;
  }
}
