// The rows of a derived collection: what became of them in a run, and who owns a row that two inputs claim. Whatever may
// throw was asked when the result was planned: nothing here does.

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
  /** The plan of a result of one item: mostly there is no more to it, and every run would make another. */
  readonly one = new PlannedRow('', undefined, null, EQUAL);

  constructor(core: CollectionCore) {
    this.#core = core;
    this.claims = new RowClaims(core);
    this.#streaks = new UnequalStreaks(core);
  }

  /** The row of this key, if the input has it. */
  ownRow(entry: InputEntry, key: string): Row | null {
    const {outputs} = entry;
    if (outputs === null) return null;
    if (!Array.isArray(outputs)) return (outputs as Row).key === key ? (outputs as Row) : null;
    const row = this.#core.rows.get(key);
    if (row === undefined) return null;
    return row.owner === entry || this.claims.of(row, entry) !== undefined ? row : null;
  }

  /** How an item differs from what this input has in the row; asks an equality of the user's. */
  differs(entry: InputEntry, row: Row | null, value: unknown): number {
    return row === null ? EQUAL : this.#core.compare(this.#valueFor(row, entry), value);
  }

  #valueFor(row: Row, entry: InputEntry): unknown {
    return row.owner === entry ? row.value : this.claims.of(row, entry)?.value;
  }

  /** Makes the planned result the rows of this input; gives the outcome by what became of them. */
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
    const kept = new Set<Row | null>();
    for (let one = plan; one !== null; one = one.next) kept.add(one.row);
    for (const row of outputsOf(entry)) {
      if (kept.has(row)) continue;
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
    // Nothing that is taken over stays in the plan: it would live until the next run.
    planned.value = undefined;
    if (held === null) {
      this.#became |= ADDED;
      return this.#claim(entry, key, value);
    }
    if (difference === EQUAL) {
      this.#became |= SAME;
      this.#streaks.end(held.key);
    } else {
      this.#became |= CHANGED;
      if (difference === DIFFERENT_MAYBE_NOT_IN_JSON) {
        this.#streaks.suspect(held.key, this.#valueFor(held, entry), value);
      } else this.#streaks.end(held.key);
      this.#replace(entry, held, value);
    }
    return held;
  }

  #replace(entry: InputEntry, row: Row, value: unknown): void {
    const claim = this.claims.of(row, entry);
    if (claim !== undefined) claim.value = value;
    if (row.owner === entry) this.#assign(row, value);
  }

  #assign(row: Row, value: unknown): void {
    this.#core.markDirty(row);
    const {before} = row;
    // Handed over, or released and claimed again, within the batch: equal to what was announced is no change.
    const back = before !== undefined && row.value !== before && this.#core.safelyEqual(before, value);
    row.value = back ? before : value;
  }

  #claim(entry: InputEntry, given: string, value: unknown): Row {
    const {rows} = this.#core;
    const own = given === entry.row.key;
    // Mostly an item has the key of its input: that text is there already, and its hash is known.
    const key = own ? entry.row.key : given;
    // As long as all have, and none was let go of, no two have the same.
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

  // At any time the smallest input key owns the row, also if it came later.
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

  /** The input no longer claims this row; the next claimant takes it over without a run. */
  release(entry: InputEntry, row: Row): void {
    const first = this.claims.any ? this.claims.remove(row, entry) : undefined;
    if (first !== undefined) {
      this.#settleOwner(row, first);
      return;
    }
    this.#core.markDirty(row);
    // Until the batch has settled, whoever claims it again has to find it.
    this.#core.rows.buildIndex();
    row.owner = null;
    row.value = undefined;
    this.#streaks.end(row.key);
  }

  /** The input is gone, and so are its rows. */
  remove(entry: InputEntry, recorder: BatchRecorder | null): void {
    const rows = outputsOf(entry);
    entry.outputs = null;
    for (const row of rows) {
      if (recorder !== null) recorder.removed(entry, row);
      this.release(entry, row);
    }
  }
}

/** The rows are those of last time, in their order. */
function hasRowsOf(plan: PlannedRow | null, outputs: InputEntry['outputs']): boolean {
  if (plan === null || outputs === null) return plan === null && outputs === null;
  if (!Array.isArray(outputs)) return plan.row === outputs && plan.next === null;
  let at = 0;
  for (let one: PlannedRow | null = plan; one !== null; one = one.next)
    if (one.row !== outputs[at++]) return false;
  return at === outputs.length;
}
