// The inputs that depend on one query. An input knows its places in the lists of its first two queries, so
// that coming and going needs no hash; only an input that asks more lies in a set.

import type {Entry} from '../run/entry.ts';

export class Users {
  readonly #list: Entry[] = [];
  #more: Set<Entry> | null = null;

  get size(): number {
    return this.#list.length + (this.#more === null ? 0 : this.#more.size);
  }

  has(entry: Entry): boolean {
    return entry.home === this || entry.home2 === this || (this.#more?.has(entry) ?? false);
  }

  /** False if it was one already. */
  add(entry: Entry): boolean {
    if (this.has(entry)) return false;
    if (entry.home === null) {
      entry.home = this;
      entry.place = this.#list.length;
      this.#list.push(entry);
    } else if (entry.home2 === null) {
      entry.home2 = this;
      entry.place2 = this.#list.length;
      this.#list.push(entry);
    } else {
      this.#more ??= new Set();
      this.#more.add(entry);
    }
    return true;
  }

  /** False if it was none. */
  delete(entry: Entry): boolean {
    if (entry.home === this) {
      entry.home = null;
      this.#vacate(entry.place);
      return true;
    }
    if (entry.home2 === this) {
      entry.home2 = null;
      this.#vacate(entry.place2);
      return true;
    }
    return this.#more?.delete(entry) ?? false;
  }

  // The last one moves up, so that nothing has to be shifted.
  #vacate(place: number): void {
    const last = this.#list.pop() as Entry;
    if (place === this.#list.length) return;
    this.#list[place] = last;
    if (last.home === this) last.place = place;
    else last.place2 = place;
  }

  each(f: (entry: Entry) => void): void {
    for (const entry of this.#list) f(entry);
    if (this.#more !== null) for (const entry of this.#more) f(entry);
  }

  /** Runs each of them again. */
  mark(): void {
    const list = this.#list;
    for (let i = 0; i < list.length; i++) (list[i] as Entry).mark();
    if (this.#more !== null) for (const entry of this.#more) entry.mark();
  }
}
