// The planned result of a run, compared with the rows of its input. Planning calls user functions, may throw,
// and changes nothing. formula-outputs.ts applies the plan.

import {PlannedRow} from '../containers/planned-row.ts';
import type {FormulaInputs} from './formula-inputs.ts';
import {type InputEntry, rowAt} from './input-entry.ts';

/** Above this number a map finds planned items. */
const LINEAR_SEARCH_LIMIT = 16;

/** The plan of a list. Of two items with one key the last one counts. */
export class ResultPlan {
  first: PlannedRow | null = null;
  /** Keys that occur twice. */
  duplicates: string[] | null = null;
  readonly #derived: FormulaInputs;
  readonly #entry: InputEntry;
  #last: PlannedRow | null = null;
  #count = 0;
  /**
   * So far the keys are those of the last result in the same order. Then the rows are known, and no key
   * occurs twice.
   */
  #inStep = true;
  #places: Map<string, PlannedRow> | null = null;

  constructor(derived: FormulaInputs, entry: InputEntry) {
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
