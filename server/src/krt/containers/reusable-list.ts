// A list that is filled and cleared all the time and keeps its memory. For a batch of one change, a new list
// would cost more than the work itself. The first item has a field of its own: mostly there is no other.

const SHRINK_ABOVE = 1024;

export class ReusableList<T> {
  #first: T | undefined = undefined;
  /** The items after the first. */
  #rest: (T | undefined)[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(item: T): void {
    if (this.#count++ === 0) this.#first = item;
    else this.#rest[this.#count - 2] = item;
  }

  at(place: number): T {
    return (place === 0 ? this.#first : this.#rest[place - 1]) as T;
  }

  has(item: T): boolean {
    for (let i = 0; i < this.#count; i++) if (this.at(i) === item) return true;
    return false;
  }

  /** A copy of exact length. */
  list(): T[] {
    return Array.from({length: this.#count}, (_, place) => this.at(place));
  }

  sort(order: (a: T, b: T) => number): void {
    [this.#first, ...this.#rest] = this.list().sort(order);
  }

  /** Also gives the memory of a long list back. */
  clear(): void {
    const count = this.#count;
    if (count === 0) return;
    this.#count = 0;
    this.#first = undefined;
    if (count > SHRINK_ABOVE) this.#rest = [];
    else for (let i = 0; i < count - 1; i++) this.#rest[i] = undefined;
  }
}
