// First runs that a collection has to make before it is synced. A batch makes as many as the engine allows,
// so that a first list of 100,000 does not block it. `proceed` makes the rest. Nothing reads the collection
// before. The runs of a formula that is replaced in slices wait here too.

import type {InputEntry} from './input-entry.ts';

export class Backlog {
  #entries: (InputEntry | undefined)[] = [];
  #next = 0;

  get count(): number {
    return this.#entries.length - this.#next;
  }

  add(entry: InputEntry): void {
    // Marked dirty, so that later changes do not queue it again.
    entry.dirty = true;
    entry.owed = true;
    this.#entries.push(entry);
  }

  /** The oldest entry, or undefined. */
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
