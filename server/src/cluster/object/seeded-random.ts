// A seeded random generator: one seed repeats the names, the uids and the events of the shop.

const NAME_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Mulberry32: 32 bits of state are enough for a demo. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed | 0, 0x9e3779b1) ^ 0x85ebca6b;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('pick needs at least one item');
    return item;
  }

  /** A suffix as generateName makes it: without vowels, so that it never spells a word. */
  suffix(length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += NAME_LETTERS[this.below(NAME_LETTERS.length)];
    return text;
  }

  /** A version 4 uuid. */
  uuid(): string {
    const word = () => Math.floor(this.next() * 4294967296);
    const hex = [word(), word(), word(), word()].map(x => x.toString(16).padStart(8, '0')).join('');
    const variant = '89ab'[this.below(4)];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
