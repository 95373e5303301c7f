// The runs that a collection owes before it is synced. A first list of a hundred thousand would hold up everybody, so a
// batch does as many as its engine allows, and `proceed` the rest: nothing reads a collection that is not synced.

import type {InputEntry} from './input-entry.ts';

export class Backlog {
  #entries: (InputEntry | undefined)[] = [];
  #next = 0;

  get count(): number {
    return this.#entries.length - this.#next;
  }

  add(entry: InputEntry): void {
    // It waits for its turn already, whatever happens to it meanwhile.
    entry.dirty = true;
    entry.owed = true;
    this.#entries.push(entry);
  }

  /** The one that has waited longest; undefined if there is none. */
  take(): InputEntry | undefined {
    const entry = this.#entries[this.#next];
    if (entry === undefined) return undefined;
    this.#entries[this.#next++] = undefined;
    if (this.#next === this.#entries.length) this.clear();
    entry.dirty = false;
    entry.owed = false;
    return entry;
  }

  *waiting(): Iterable<InputEntry> {
    for (let i = this.#next; i < this.#entries.length; i++) yield this.#entries[i] as InputEntry;
  }

  clear(): void {
    this.#entries = [];
    this.#next = 0;
  }
}
