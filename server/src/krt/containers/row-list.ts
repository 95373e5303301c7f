// The rows that a query selects, with their items in a parallel array. Changes need no search, and the items
// are copied in one step.

import type {Row} from './row.ts';

const LINEAR_SEARCH_LIMIT = 16;

export class RowList {
  readonly rows: Row[] = [];
  readonly items: unknown[] = [];
  /** The position of each row, once there are more than a few. */
  #places: Map<Row, number> | null = null;

  has(row: Row): boolean {
    return this.#at(row) >= 0;
  }

  /** Sets the item of a row and adds a new row. True if the row is new. */
  set(row: Row, item: unknown): boolean {
    const at = this.#at(row);
    if (at >= 0) {
      this.items[at] = item;
      return false;
    }
    const {rows} = this;
    if (this.#places !== null) this.#places.set(row, rows.length);
    else if (rows.length === LINEAR_SEARCH_LIMIT)
      this.#places = new Map([...rows, row].map((each, place) => [each, place]));
    rows.push(row);
    this.items.push(item);
    return true;
  }

  /** The last row moves to the free position. */
  delete(row: Row): void {
    const at = this.#at(row);
    if (at < 0) return;
    const last = this.rows.pop() as Row;
    const item = this.items.pop();
    this.#places?.delete(row);
    if (last === row) return;
    this.rows[at] = last;
    this.items[at] = item;
    this.#places?.set(last, at);
  }

  #at(row: Row): number {
    return this.#places === null ? this.rows.indexOf(row) : (this.#places.get(row) ?? -1);
  }
}
