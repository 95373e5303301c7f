// The rows that a replay brought back, corrected to those that the recording ends with. The two differ where a formula
// was quarantined, or where first runs were under way when the process died.
import type {Published} from '../krt/index.ts';
import {LOST_VALUE, type RecordedState} from './encoding/block-decoder.ts';

export class ReplayedRows {
  readonly #state: RecordedState;
  readonly #seen = new Map<string, Set<string>>();

  constructor(state: RecordedState) {
    this.#state = state;
  }

  /** Call it with each change, newest first, before the change is undone. */
  correct({collection, key, event}: Published): void {
    if (!this.#see(collection, key)) return;
    let rows = this.#state.get(collection);
    if (rows === undefined) {
      rows = new Map();
      this.#state.set(collection, rows);
    }
    if (event === 'delete') rows.delete(key);
    else if (!rows.has(key)) rows.set(key, LOST_VALUE);
  }

  /** For a block that was kept for its living rows: a row that is still there has its last change in it. */
  keep({collection, key}: Published): void {
    if (this.#state.get(collection)?.has(key)) this.#see(collection, key);
  }

  /** If no block is missing, every living row has its last change in some block. Other rows came with the replay. */
  removeOthers(): void {
    for (const [collection, rows] of this.#state) {
      const seen = this.#seen.get(collection);
      for (const key of rows.keys()) if (!seen?.has(key)) rows.delete(key);
    }
  }

  #see(collection: string, key: string): boolean {
    let keys = this.#seen.get(collection);
    if (keys === undefined) {
      keys = new Set();
      this.#seen.set(collection, keys);
    }
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  }
}
