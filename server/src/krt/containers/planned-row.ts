// One row of a planned result, and what becomes of the rows of a run. The object is reused, because every run needs one.

import {EQUAL} from '../values/equality.ts';
import type {Outcome, RunOutput} from '../values/trace.ts';
import type {Row} from './row.ts';

/** An item of a result. Items of one result form a list. */
export class PlannedRow {
  // `declare` avoids that each field is set twice.
  declare key: string;
  declare value: unknown;
  /** The row with that key, if the input has one. */
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
    // Equal items are not stored: each store of a reference costs a write barrier.
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

// What became of the rows of a run, as bits.
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
