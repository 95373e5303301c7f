// A seeded random generator: one seed repeats the same choices.
export class TruthRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0 || 1;
  }

  /** An integer from 0 to `n` - 1. */
  below(n: number): number {
    // xorshift32
    this.#state ^= this.#state << 13;
    this.#state >>>= 0;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % n;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    const chosen: T[] = [];
    while (chosen.length < count && left.length > 0) chosen.push(...left.splice(this.below(left.length), 1));
    return chosen;
  }
}
