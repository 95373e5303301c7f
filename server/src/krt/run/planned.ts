// What a run yields, item by item, before anything is made of it; and what it was called once all of it is.

import {EQUAL} from '../api/equality.ts';
import type {Row} from '../graph/row.ts';
import type {Outcome} from '../trace/trace.ts';

export class Planned {
  key = '';
  value: unknown = undefined;
  /** The row of that key, if the input has it. */
  row: Row | null = null;
  /** How the item differs from what is in the row. */
  difference = EQUAL;
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
