// What a run yields, item by item, against the rows that its input has. Planning asks the user's functions, may throw,
// and changes nothing; formula-outputs.ts makes it so.

import type {Row} from '../containers/row.ts';
import {EQUAL} from '../values/equality.ts';
import type {Outcome, RunOutput} from '../values/trace.ts';
import type {DerivedCore} from './derived-core.ts';
import {type InputEntry, rowAt} from './input-entry.ts';

/** One item of a result, and those after it. */
export class PlannedRow {
  // Every run makes one: a field that is declared here and set there would be set twice.
  declare key: string;
  declare value: unknown;
  /** The row of that key, if the input has it. */
  declare row: Row | null;
  /** How the item differs from what is in the row. */
  declare difference: number;
  declare next: PlannedRow | null;

  constructor(key: string, value: unknown, row: Row | null, difference: number) {
    this.key = key;
    this.value = value;
    this.row = row;
    this.difference = difference;
    this.next = null;
  }

  set(key: string, value: unknown, row: Row | null, difference: number): this {
    this.key = key;
    // Only what is new to the row: to keep the rest, even for a moment, the machine takes notes.
    if (row === null || difference !== EQUAL) this.value = value;
    this.row = row;
    this.difference = difference;
    return this;
  }
}

/** What becomes of the row. */
export function outputChangeOf({row, difference}: PlannedRow): RunOutput['change'] {
  if (row === null) return 'added';
  return difference === EQUAL ? 'equal' : 'changed';
}

/** More planned items than this are found by a map. */
const LINEAR_SEARCH_LIMIT = 16;

/** The plan of a list of items; of two with one key the last counts. */
export class ResultPlan {
  first: PlannedRow | null = null;
  /** Keys that the list has twice. */
  duplicates: string[] | null = null;
  readonly #derived: DerivedCore;
  readonly #entry: InputEntry;
  #last: PlannedRow | null = null;
  #count = 0;
  /** So far the keys are those of the last result, in its order: then the rows are at hand, and no key is there twice. */
  #inStep = true;
  #places: Map<string, PlannedRow> | null = null;

  constructor(derived: DerivedCore, entry: InputEntry) {
    this.#derived = derived;
    this.#entry = entry;
  }

  add(value: unknown): void {
    const {outputs} = this.#derived;
    const key = this.#derived.keyOf(value);
    let row = this.#inStep ? rowAt(this.#entry, this.#count) : null;
    this.#inStep = row !== null && row.key === key;
    if (!this.#inStep) {
      const twin = this.#find(key);
      if (twin !== null) {
        twin.value = value;
        twin.difference = outputs.differs(this.#entry, twin.row, value);
        this.duplicates ??= [];
        this.duplicates.push(key);
        return;
      }
      row = outputs.ownRow(this.#entry, key);
    }
    this.#append(new PlannedRow(key, value, row, outputs.differs(this.#entry, row, value)));
  }

  #append(planned: PlannedRow): void {
    if (this.#last === null) this.first = planned;
    else this.#last.next = planned;
    this.#last = planned;
    this.#count++;
    this.#places?.set(planned.key, planned);
  }

  #find(key: string): PlannedRow | null {
    if (this.#count > LINEAR_SEARCH_LIMIT && this.#places === null) {
      this.#places = new Map();
      for (let one = this.first; one !== null; one = one.next) this.#places.set(one.key, one);
    }
    if (this.#places !== null) return this.#places.get(key) ?? null;
    for (let one = this.first; one !== null; one = one.next) if (one.key === key) return one;
    return null;
  }
}

// What became of the rows of one run, added up.
export const ADDED = 1;
export const CHANGED = 2;
export const DELETED = 4;
export const SAME = 8;

export function outcomeOf(became: number): Outcome {
  if ((became & CHANGED) !== 0) return 'changed';
  if (became === 0) return 'empty';
  if (became === ADDED) return 'added';
  if (became === DELETED) return 'deleted';
  return became === SAME ? 'equal' : 'changed';
}
