// A list that is filled and cleared all the time and keeps its memory. For a batch of one change, a new list
// would cost more than the work itself.

const SHRINK_ABOVE = 1024;

export class ReusableList<T> {
  #items: (T | undefined)[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(item: T): void {
    this.#items[this.#count++] = item;
  }

  at(place: number): T {
    return this.#items[place] as T;
  }

  has(item: T): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#items[i] === item) return true;
    return false;
  }

  /** A copy of exact length. */
  list(): T[] {
    return this.#items.slice(0, this.#count) as T[];
  }

  sort(order: (a: T, b: T) => number): void {
    this.#items = this.list().sort(order);
  }

  /** Also gives the memory of a long list back. */
  clear(): void {
    const count = this.#count;
    this.#count = 0;
    if (count > SHRINK_ABOVE) this.#items = [];
    else for (let i = 0; i < count; i++) this.#items[i] = undefined;
  }
}
