// Wrong tokens by address: each one in a row makes the next refusal slower. The right one is never refused for it.

/** Free mistakes: a person who pastes the wrong line is told at once. */
const FREE = 5;
const FIRST_MS = 100;
const LONGEST_MS = 5000;
const FORGOTTEN_MS = 60_000;
const MOST_ADDRESSES = 10_000;

export class Guesses {
  readonly #now: () => number;
  readonly #wrong = new Map<string, {count: number; last: number}>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Notes a wrong token and says how long its refusal waits. */
  wrong(address: string): number {
    const now = this.#now();
    const known = this.#wrong.get(address);
    const count = known === undefined || now - known.last > FORGOTTEN_MS ? 1 : known.count + 1;
    this.#wrong.delete(address);
    this.#wrong.set(address, {count, last: now});
    if (this.#wrong.size > MOST_ADDRESSES) this.#wrong.delete(this.#wrong.keys().next().value ?? '');
    return count <= FREE ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(count - FREE - 1, 10));
  }
}
