// The rows that a replay brought back, corrected to those that the recording ends with. The two differ where a formula
// was quarantined, where formulas read each other in a circle, or where first runs were under way when the process died.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Published, Run} from '../krt/index.ts';
import {LOST_VALUE, type RecordedState} from './encoding/block-decoder.ts';
import {isAccepted} from './latest-by-key.ts';

/** A row without a replay whose last change is in a block that was kept for living rows and inputs. */
interface LoneRow {
  readonly change: Published;
  /** The input of its run; undefined for a row of a view. */
  readonly input: string | undefined;
  readonly text: string;
}

export class ReplayedRows {
  readonly #state: RecordedState;
  readonly #parentsOf: (collection: string) => readonly string[];
  readonly #seen = new Map<string, Set<string>>();
  /** The inputs that have a later accepted run, and whether that run left rows as they were. */
  readonly #laterRuns = new Map<string, boolean>();
  #lone: LoneRow[] = [];

  constructor(state: RecordedState, parentsOf: (collection: string) => readonly string[]) {
    this.#state = state;
    this.#parentsOf = parentsOf;
  }

  /** Call it with each change, newest first, before the change is undone. `text`: its new value, if the block has it. */
  correct({collection, key, event}: Published, text: string | undefined): void {
    if (!this.#see(collection, key)) return;
    let rows = this.#state.get(collection);
    if (rows === undefined) {
      rows = new Map();
      this.#state.set(collection, rows);
    }
    if (event === 'delete') rows.delete(key);
    else if (text !== undefined) setUnlessEqual(rows, key, text);
    else if (!rows.has(key)) rows.set(key, LOST_VALUE);
  }

  /** For a block that was kept for its living rows: a row that is still there has its last change in it. */
  keep(change: Published, run: Run | undefined, text: string | undefined): void {
    const {collection, key, event} = change;
    const rows = this.#state.get(collection);
    if (rows?.has(key)) {
      if (this.#see(collection, key) && text !== undefined) setUnlessEqual(rows, key, text);
    } else if (text !== undefined && event !== 'delete' && !this.#seen.get(collection)?.has(key)) {
      const later = run && this.#laterRuns.get(idOf(run));
      if (later !== false) this.#lone.push({change, input: run?.input, text});
    }
  }

  /** Call it with each run, newest first, after the changes of its block. */
  note(run: Run, leavesRows: boolean): void {
    const id = idOf(run);
    if (isAccepted(run) && !this.#laterRuns.has(id)) this.#laterRuns.set(id, leavesRows);
  }

  /**
   * Ends the correction. If no block is missing, every living row has its last change in some block: other rows came with
   * the replay.
   */
  end(isComplete: boolean): void {
    this.#restoreLoneRows();
    if (!isComplete) return;
    for (const [collection, rows] of this.#state) {
      const seen = this.#seen.get(collection);
      for (const key of rows.keys()) if (!seen?.has(key)) rows.delete(key);
    }
  }

  /** A row lives while its input does. The input may be such a row itself. */
  #restoreLoneRows(): void {
    for (let before = -1; before !== this.#lone.length; ) {
      before = this.#lone.length;
      this.#lone = this.#lone.filter(({change, input, text}) => {
        const {collection, key} = change;
        const parents = this.#parentsOf(collection);
        const lives =
          parents.length === 0 || parents.some(one => this.#state.get(one)?.has(input ?? key) === true);
        if (!lives || !this.#see(collection, key)) return true;
        change.new = JSON.parse(text);
        const rows = this.#state.get(collection) ?? new Map<string, unknown>();
        this.#state.set(collection, rows.set(key, change.new));
        return false;
      });
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

function idOf({collection, input}: Run): string {
  return `${collection}\n${input}`;
}

/** An equal row stays the object that the present has. */
function setUnlessEqual(rows: Map<string, unknown>, key: string, text: string): void {
  const value: unknown = JSON.parse(text);
  if (!rows.has(key) || !deepEqual(rows.get(key), value)) rows.set(key, value);
}
