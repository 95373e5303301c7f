// The rows of a derived collection: changes by a run, and the owner of a row that several inputs claim.
// Nothing here throws: user functions were called when the result was planned.

import {
  ADDED,
  CHANGED,
  DELETED,
  outcomeOf,
  outputChangeOf,
  PlannedRow,
  SAME,
} from '../containers/planned-row.ts';
import {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {BatchRecorder} from '../trace/batch-recorder.ts';
import {DIFFERENT_MAYBE_NOT_IN_JSON, EQUAL} from '../values/equality.ts';
import type {Outcome} from '../values/trace.ts';
import {type InputEntry, outputsOf} from './input-entry.ts';
import {type RowClaim, RowClaims} from './row-claims.ts';
import {UnequalStreaks} from './unequal-streaks.ts';

export class FormulaOutputs {
  readonly #core: CollectionCore;
  readonly claims: RowClaims;
  readonly #streaks: UnequalStreaks;
  #became = 0;
  /** The plan of a result with one item, reused by all runs. */
  readonly one = new PlannedRow('', undefined, null, EQUAL);

  constructor(core: CollectionCore) {
    this.#core = core;
    this.claims = new RowClaims(core);
    this.#streaks = new UnequalStreaks(core);
  }

  /** The row of this key, if the input has one. */
  ownRow(entry: InputEntry, key: string): Row | null {
    const {outputs} = entry;
    if (outputs === null) return null;
    if (!Array.isArray(outputs)) return (outputs as Row).key === key ? (outputs as Row) : null;
    const row = this.#core.rows.get(key);
    if (row === undefined) return null;
    return row.owner === entry || this.claims.of(row, entry) !== undefined ? row : null;
  }

  /** The row of this key, if the input alone claims it and has no other. */
  soleRow(entry: InputEntry, key: string): Row | null {
    const row = entry.outputs as Row | null;
    return row !== null && row.key === key && row.owner === entry && !this.claims.any ? row : null;
  }

  planOne(entry: InputEntry, key: string, item: unknown): PlannedRow {
    const row = this.ownRow(entry, key);
    return this.one.set(key, item, row, this.differs(entry, row, item));
  }

  /** Compares an item with the value of this input. May call a user equality. */
  differs(entry: InputEntry, row: Row | null, value: unknown): number {
    return row === null ? EQUAL : this.#core.compare(this.#valueFor(row, entry), value);
  }

  #valueFor(row: Row, entry: InputEntry): unknown {
    return row.owner === entry ? row.value : this.claims.of(row, entry)?.value;
  }

  /** Applies the plan to the rows of this input. Gives the outcome. */
  commit(entry: InputEntry, plan: PlannedRow | null, recorder: BatchRecorder | null): Outcome {
    this.#became = 0;
    const {outputs} = entry;
    if (hasRowsOf(plan, outputs)) {
      if (recorder !== null && plan !== null) recorder.outputsAgain(outputs as Row | readonly Row[], plan);
      for (let one = plan; one !== null; one = one.next) this.#apply(entry, one);
    } else {
      this.#releaseOthers(entry, plan, recorder);
      entry.outputs = this.#takeUp(entry, plan, recorder);
    }
    return outcomeOf(this.#became);
  }

  #releaseOthers(entry: InputEntry, plan: PlannedRow | null, recorder: BatchRecorder | null): void {
    if (entry.outputs === null) return;
    const planned = new Set<Row | null>();
    for (let one = plan; one !== null; one = one.next) planned.add(one.row);
    for (const row of outputsOf(entry)) {
      if (planned.has(row)) continue;
      this.#became |= DELETED;
      if (recorder !== null) recorder.output(row, 'deleted');
      this.release(entry, row);
    }
  }

  #takeUp(entry: InputEntry, plan: PlannedRow | null, recorder: BatchRecorder | null): Row | Row[] | null {
    if (plan === null) return null;
    if (plan.next === null) return this.#takeUpOne(entry, plan, recorder);
    const rows: Row[] = [];
    for (let one: PlannedRow | null = plan; one !== null; one = one.next)
      rows.push(this.#takeUpOne(entry, one, recorder));
    return rows;
  }

  #takeUpOne(entry: InputEntry, planned: PlannedRow, recorder: BatchRecorder | null): Row {
    const row = this.#apply(entry, planned);
    if (recorder !== null) recorder.output(row, outputChangeOf(planned));
    return row;
  }

  #apply(entry: InputEntry, planned: PlannedRow): Row {
    const {key, value, row: held, difference} = planned;
    // The reused plan must not keep the item alive.
    planned.value = undefined;
    if (held === null) {
      this.#became |= ADDED;
      return this.claim(entry, key, value);
    }
    this.#became |= difference === EQUAL ? SAME : CHANGED;
    this.update(entry, held, value, difference);
    return held;
  }

  /** Gives a row of this input its new item, which differs like this from the last one. `alone`: see DerivedCore.#run. */
  update(entry: InputEntry, row: Row, value: unknown, difference: number, alone = false): void {
    if (difference === DIFFERENT_MAYBE_NOT_IN_JSON)
      this.#streaks.suspect(row.key, this.#valueFor(row, entry), value);
    else this.#streaks.end(row.key);
    if (difference === EQUAL) return;
    const claim = this.claims.of(row, entry);
    if (claim !== undefined) claim.value = value;
    if (row.owner !== entry) return;
    if (alone && !row.dirty) this.#core.announceNow(row, value);
    else this.#assign(row, value);
  }

  #assign(row: Row, value: unknown): void {
    this.#core.markDirty(row);
    const {before} = row;
    // A row that changed hands within the batch, and equals its announced value, has not changed.
    const back = before !== undefined && row.value !== before && this.#core.safelyEqual(before, value);
    row.value = back ? before : value;
  }

  /** Gives the input a row of this key, which it has not yet. */
  claim(entry: InputEntry, given: string, value: unknown): Row {
    const {rows} = this.#core;
    const own = given === entry.row.key;
    // Reuse the text of the input key, whose hash is known.
    const key = own ? entry.row.key : given;
    // If all items have the key of their input, no two keys are equal.
    let row = own && !rows.isKeyed ? undefined : rows.get(key);
    if (row === undefined) {
      row = new Row(key);
      rows.add(row);
    }
    if (row.owner === null) {
      row.owner = entry;
      this.#assign(row, value);
      return row;
    }
    const owner: RowClaim = {entry: row.owner as InputEntry, value: row.value};
    this.#settleOwner(row, this.claims.add(row, owner, {entry, value}));
    return row;
  }

  // The smallest input key owns the row, even if it came later.
  #settleOwner(row: Row, first: RowClaim): void {
    if (row.owner === first.entry) return;
    row.owner = first.entry;
    this.#handOver(row, first.value);
  }

  #handOver(row: Row, value: unknown): void {
    this.#core.markDirty(row);
    const {before} = row;
    row.value = before !== undefined && this.#core.safelyEqual(before, value) ? before : value;
  }

  /** The input gives up this row. The next claimant takes it over without a run. */
  release(entry: InputEntry, row: Row): void {
    const first = this.claims.any ? this.claims.remove(row, entry) : undefined;
    if (first !== undefined) {
      this.#settleOwner(row, first);
      return;
    }
    this.#core.markDirty(row);
    // Later claims in this batch must find the row.
    this.#core.rows.buildIndex();
    row.owner = null;
    row.value = undefined;
    this.#streaks.end(row.key);
  }

  /** Removes the rows of a removed input. */
  remove(entry: InputEntry, recorder: BatchRecorder | null): void {
    const rows = outputsOf(entry);
    entry.outputs = null;
    for (const row of rows) {
      if (recorder !== null) recorder.removed(entry, row);
      this.release(entry, row);
    }
  }
}

/** The same rows as last time, in the same order. */
function hasRowsOf(plan: PlannedRow | null, outputs: InputEntry['outputs']): boolean {
  if (plan === null || outputs === null) return plan === null && outputs === null;
  if (!Array.isArray(outputs)) return plan.row === outputs && plan.next === null;
  let at = 0;
  for (let one: PlannedRow | null = plan; one !== null; one = one.next)
    if (one.row !== outputs[at++]) return false;
  return at === outputs.length;
}
