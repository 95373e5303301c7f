// Compares a result with the one whose place it takes: the key must be the row's, and the field that differed
// last time is looked at first.

import {DIFFERENT, DIFFERENT_MAYBE_NOT_IN_JSON, differed, EQUAL} from '../api/equality.ts';
import {requiredKey} from '../api/key.ts';
import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';

/** Neither equal nor different: the result has to be planned. */
export const UNKNOWN = -1;

export class InPlace {
  private readonly core: Core;
  /** The field by which the last result differed from the one before: the next one likely does too. */
  private field = '';

  constructor(core: Core) {
    this.core = core;
  }

  compare(row: Row, old: unknown, value: unknown): number {
    const {core} = this;
    const difference = this.differsAgain(old, value) ? DIFFERENT : this.compareAll(old, value);
    if (difference === DIFFERENT_MAYBE_NOT_IN_JSON) return UNKNOWN;
    // Equal by structure is equal in what the key is made from.
    if (difference === EQUAL && core.plainEquality && (value as {equals?: unknown}).equals === undefined)
      return EQUAL;
    const key = core.keyOption === null ? requiredKey(value, core.name) : core.keyOption(value);
    return row.key === key ? difference : UNKNOWN;
  }

  // Plain objects only: in others a field that structure does not count may have the same name.
  private differsAgain(old: unknown, value: unknown): boolean {
    const {field} = this;
    if (field === '' || (value as object).constructor !== Object) return false;
    const now = (value as Record<string, unknown>)[field];
    const before = (old as Record<string, unknown>)[field];
    if (typeof now !== 'string' || typeof before !== 'string' || now === before) return false;
    return (old as {equals?: unknown}).equals === undefined;
  }

  private compareAll(old: unknown, value: unknown): number {
    const difference = this.core.compare(old, value);
    if (difference === DIFFERENT && this.core.plainEquality) this.field = differed;
    return difference;
  }
}
