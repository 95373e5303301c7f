// The rows of a derived collection. As long as rows only come, each under its input's own key, they are
// merely listed; the first question by key, and the first row that goes, files them all by their keys.

import type {Rows} from './named-rows.ts';
import type {Row} from './row.ts';

export class GrowingRows implements Rows {
  #list: Row[] | null = [];
  #keys: Map<string, Row> | null = null;

  get size(): number {
    return this.#list !== null ? this.#list.length : this.#filed().size;
  }

  /** Every row so far came under its input's own key, and none has gone. */
  get growing(): boolean {
    return this.#list !== null;
  }

  /** Lists a new row whose key no other row can have; only while it is growing. */
  append(row: Row): void {
    this.#list?.push(row);
  }

  #filed(): Map<string, Row> {
    if (this.#keys !== null) return this.#keys;
    const keys = new Map<string, Row>();
    for (const row of this.#list ?? []) keys.set(row.key, row);
    this.#list = null;
    this.#keys = keys;
    return keys;
  }

  /** From here on rows may go, and so any key may be one that is there already. */
  file(): void {
    if (this.#list !== null) this.#filed();
  }

  get(key: string): Row | undefined {
    return this.#filed().get(key);
  }

  has(key: string): boolean {
    return this.#filed().has(key);
  }

  set(key: string, row: Row): void {
    this.#filed().set(key, row);
  }

  delete(key: string): boolean {
    return this.#filed().delete(key);
  }

  values(): Iterable<Row> {
    return this.#list !== null ? this.#list.values() : this.#filed().values();
  }
}
