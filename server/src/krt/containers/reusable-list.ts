// A list that is filled and emptied all the time. It keeps its room: for a batch of one, a new list each time would cost
// more than what is done with it.

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

  /** A copy that is no longer than it has to be. */
  list(): T[] {
    return this.#items.slice(0, this.#count) as T[];
  }

  sort(order: (a: T, b: T) => number): void {
    this.#items = this.list().sort(order);
  }

  /** Forgets what is in it; room for very many is given back. */
  clear(): void {
    const count = this.#count;
    this.#count = 0;
    if (count > SHRINK_ABOVE) this.#items = [];
    else for (let i = 0; i < count; i++) this.#items[i] = undefined;
  }
}
