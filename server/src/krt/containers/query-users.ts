// The inputs that share one query, in order of arrival. A first list only adds inputs, and most are never
// searched for. So the set is built on the first search.

/** Up to this length a linear search is faster. */
const LINEAR_SEARCH_LIMIT = 16;

export class QueryUsers<E> {
  #list: E[] | null = [];
  #set: Set<E> | null = null;

  get size(): number {
    return this.#list === null ? this.#many.size : this.#list.length;
  }

  /** Adds an input that is not in the list yet. */
  add(entry: E): void {
    if (this.#list === null) this.#many.add(entry);
    else this.#list.push(entry);
  }

  has(entry: E): boolean {
    return this.#isShort(this.#list) ? this.#list.includes(entry) : this.#many.has(entry);
  }

  /** False if it was not there. */
  delete(entry: E): boolean {
    if (!this.#isShort(this.#list)) return this.#many.delete(entry);
    const at = this.#list.indexOf(entry);
    if (at >= 0) this.#list.splice(at, 1);
    return at >= 0;
  }

  [Symbol.iterator](): Iterator<E> {
    return (this.#list ?? this.#many)[Symbol.iterator]();
  }

  #isShort(list: E[] | null): list is E[] {
    return list !== null && list.length <= LINEAR_SEARCH_LIMIT;
  }

  get #many(): Set<E> {
    this.#set ??= new Set(this.#list);
    this.#list = null;
    return this.#set;
  }
}
