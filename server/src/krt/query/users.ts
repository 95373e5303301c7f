// The inputs that ask one query, in the order in which they came. Whole collections ask the same: a first list only adds,
// and most of it is never looked for again, so that a set of them is made when somebody is.

import type {Entry} from '../run/entry.ts';

/** So few are looked through. */
const FEW = 16;

export class Users {
  #list: Entry[] | null = [];
  #set: Set<Entry> | null = null;

  get size(): number {
    return this.#list === null ? this.#many.size : this.#list.length;
  }

  /** Adds one that is not among them. */
  add(entry: Entry): void {
    if (this.#list === null) this.#many.add(entry);
    else this.#list.push(entry);
  }

  has(entry: Entry): boolean {
    return this.#isShort(this.#list) ? this.#list.includes(entry) : this.#many.has(entry);
  }

  /** False if it was none of them. */
  delete(entry: Entry): boolean {
    if (!this.#isShort(this.#list)) return this.#many.delete(entry);
    const at = this.#list.indexOf(entry);
    if (at >= 0) this.#list.splice(at, 1);
    return at >= 0;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return (this.#list ?? this.#many)[Symbol.iterator]();
  }

  #isShort(list: Entry[] | null): list is Entry[] {
    return list !== null && list.length <= FEW;
  }

  get #many(): Set<Entry> {
    this.#set ??= new Set(this.#list);
    this.#list = null;
    return this.#set;
  }
}
