// The rows of a collection by key, in order of arrival. A first list only adds rows with new keys. So the
// map, half the cost of a first run, is built on the first search.

import type {Row} from './row.ts';

export class RowsByKey {
  #list: Row[] | null = [];
  #map: Map<string, Row> | null = null;

  get size(): number {
    return this.#list === null ? this.#keyed.size : this.#list.length;
  }

  /** The map exists: a row was searched for or removed. A new key has to be looked up first. */
  get isKeyed(): boolean {
    return this.#list === null;
  }

  buildIndex(): void {
    if (this.#map !== null) return;
    const map = new Map<string, Row>();
    for (const row of this.#list ?? []) map.set(row.key, row);
    this.#map = map;
    this.#list = null;
  }

  /** Adds a row with a new key. */
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
