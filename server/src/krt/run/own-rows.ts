// The rows of a derived collection. As long as each lies under its own input's key, they are found through
// the inputs and filed nowhere; the first row under another key files them all by their keys.

import {Row} from '../graph/row.ts';
import type {Derived} from '../kinds/derived.ts';
import type {Rows} from './named-rows.ts';

const SPARSE = 8;

export class OwnRows implements Rows {
  readonly #core: Derived;
  #count = 0;
  #keys: Map<string, Row> | null;

  constructor(core: Derived, many: boolean) {
    this.#core = core;
    // One of several rows may come under another key before its input knows of the first.
    this.#keys = many ? new Map() : null;
  }

  get size(): number {
    return this.#keys === null ? this.#count : this.#keys.size;
  }

  /** Every row so far lies under its input's own key. */
  get own(): boolean {
    return this.#keys === null;
  }

  /** Counts a new row that its input holds under its own key; only while all are like that. */
  added(): void {
    this.#count++;
  }

  /** From here on rows lie by their keys. */
  file(): Map<string, Row> {
    if (this.#keys !== null) return this.#keys;
    const keys = new Map<string, Row>();
    for (const row of this.#core.heldRows()) keys.set(row.key, row);
    this.#keys = keys;
    return keys;
  }

  get(key: string): Row | undefined {
    if (this.#keys !== null || this.#core.awaits) return this.file().get(key);
    const held = this.#core.entry(key)?.outputs;
    return held instanceof Row ? held : undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, row: Row): void {
    this.file().set(key, row);
  }

  delete(key: string): boolean {
    if (this.#keys !== null) return this.#keys.delete(key);
    this.#count--;
    return true;
  }

  values(): Iterable<Row> {
    this.#fileIfBetter();
    return this.#keys !== null ? this.#keys.values() : this.#inEntries();
  }

  // A row whose input has gone from the parent stays until the collection's own turn. And where few of many
  // inputs yield a row, walking all of them for each list would cost more than a map.
  #fileIfBetter(): void {
    if (this.#keys !== null) return;
    if (this.#core.awaits || this.#count * SPARSE < this.#core.parent.rows.size) this.file();
  }

  forEach(f: (row: Row) => void): void {
    this.#fileIfBetter();
    if (this.#keys !== null) this.#keys.forEach(f);
    else {
      this.#core.forEachEntry(({outputs}) => {
        if (outputs instanceof Row) f(outputs);
      });
    }
  }

  *#inEntries(): Iterable<Row> {
    for (const {outputs} of this.#core.entries()) if (outputs instanceof Row) yield outputs;
  }
}
