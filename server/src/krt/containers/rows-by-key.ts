// The rows of a collection by key, in the order in which they came. A first list only adds, and whoever adds knows that no
// row has the key: the map, which took as long as the rest of a first run, is made when somebody looks for a row.

import type {Row} from './row.ts';

export class RowsByKey {
  #list: Row[] | null = [];
  #map: Map<string, Row> | null = null;

  get size(): number {
    return this.#list === null ? this.#keyed.size : this.#list.length;
  }

  /** Somebody has looked for a row, or let go of one: a key that is added now has to be looked for, too. */
  get isKeyed(): boolean {
    return this.#list === null;
  }

  /** From now on all are found by their key. */
  buildIndex(): void {
    if (this.#map !== null) return;
    const map = new Map<string, Row>();
    for (const row of this.#list ?? []) map.set(row.key, row);
    this.#map = map;
    this.#list = null;
  }

  /** Adds a row whose key none of them has. */
  add(row: Row): void {
    if (this.#list === null) this.#keyed.set(row.key, row);
    else this.#list.push(row);
  }

  get(key: string): Row | undefined {
    return this.#keyed.get(key);
  }

  has(key: string): boolean {
    return this.#keyed.has(key);
  }

  set(key: string, row: Row): void {
    this.#keyed.set(key, row);
  }

  delete(key: string): void {
    this.#keyed.delete(key);
  }

  values(): Iterable<Row> {
    return this.#list ?? this.#keyed.values();
  }

  forEach(f: (row: Row) => void): void {
    (this.#list ?? this.#keyed).forEach(f);
  }

  get #keyed(): Map<string, Row> {
    this.buildIndex();
    return this.#map as Map<string, Row>;
  }
}
