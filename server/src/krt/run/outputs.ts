// The rows of a derived collection: what a run yields against what its input had, and who owns a row
// that two inputs claim. Planning may throw and changes nothing; committing changes and cannot throw.

import {DIFFERENT_MAYBE_NOT_IN_JSON, EQUAL} from '../api/equality.ts';
import {Row} from '../graph/row.ts';
import type {Derived} from '../kinds/derived.ts';
import type {Recorder} from '../trace/recorder.ts';
import {CHANGED, type Entry, EQUAL as EQUAL_RUN} from './entry.ts';
import {Streaks} from './streaks.ts';

interface Claim {
  entry: Entry;
  value: unknown;
}

const ADDED = -1;

export class Outputs {
  readonly #core: Derived;
  /** Rows with several claimants; the one with the smallest input key owns it. */
  readonly #claims = new Map<string, Claim[]>();
  readonly #streaks: Streaks;
  // The plan of the run under way. Filled up to #count, never shortened: these are hot.
  #count = 0;
  readonly #keys: string[] = [];
  readonly #values: unknown[] = [];
  readonly #rows: (Row | null)[] = [];
  readonly #differences: number[] = [];
  #places: Map<string, number> | null = null;
  /** The rows of the last result, as long as the planned one goes through the same keys in the same order. */
  #again: readonly Row[] | null = null;
  #allEqual = false;
  #single: Row | null = null;
  #singleValue: unknown = undefined;
  #singleDifference = 0;
  /** Some row is contested, or suspected never to be equal: no run may take the short way. */
  watchful = false;
  /** Keys that the planned result has twice. */
  duplicates: string[] | null = null;
  added = 0;
  changed = 0;
  deleted = 0;
  equal = 0;

  constructor(core: Derived) {
    this.#core = core;
    this.#streaks = new Streaks(core);
  }

  #watch(): void {
    this.watchful = this.#claims.size > 0 || this.#streaks.any;
  }

  /** Inputs that claim a row, if they are several. */
  claimants(key: string): string[] {
    return (this.#claims.get(key) ?? []).map(claim => claim.entry.row.key).sort();
  }

  begin(entry: Entry): void {
    this.#count = 0;
    this.#single = null;
    this.duplicates = null;
    const {outputs} = entry;
    this.#again = Array.isArray(outputs) && this.#claims.size === 0 ? outputs : null;
    this.#allEqual = true;
  }

  /** As plan, for a result that is one item: mostly it goes where the last one went. */
  planOne(entry: Entry, value: unknown): void {
    const core = this.#core;
    const key = core.keyOf(value);
    const row = entry.outputs;
    if (row === null || Array.isArray(row) || row.key !== key || row.owner !== entry) {
      this.#planKey(entry, key, value);
      return;
    }
    this.#singleDifference = core.compare(row.value, value);
    this.#singleValue = value;
    this.#single = row;
    this.#count = 1;
  }

  /** Adds one item of the result to the plan. */
  plan(entry: Entry, value: unknown): void {
    this.#planKey(entry, this.#core.keyOf(value), value);
  }

  #planKey(entry: Entry, key: string, value: unknown): void {
    let at = this.#count;
    if (this.#again !== null) {
      const row = this.#again[at];
      if (row !== undefined && row.key === key && row.owner === entry) {
        this.#planRow(at, row, value);
        return;
      }
      this.#stray();
    }
    if (at > 0) {
      const twin = this.#planned(key);
      if (twin >= 0) {
        this.duplicates ??= [];
        this.duplicates.push(key);
        at = twin;
      }
    }
    const row = this.#ownRow(entry, key);
    this.#differences[at] = row === null ? ADDED : this.#core.compare(this.#valueFor(row, entry), value);
    this.#keys[at] = key;
    this.#values[at] = value;
    this.#rows[at] = row;
    if (at === this.#count) this.#count++;
  }

  // No key of it can come twice: the rows of one result have each their own.
  #planRow(at: number, row: Row, value: unknown): void {
    const difference = this.#core.compare(row.value, value);
    if (difference !== EQUAL) this.#allEqual = false;
    this.#differences[at] = difference;
    this.#keys[at] = row.key;
    this.#values[at] = value;
    this.#rows[at] = row;
    this.#count = at + 1;
  }

  /** From here on the result is another than the last one; what was planned has to be found by its key. */
  #stray(): void {
    this.#again = null;
    if (this.#count > 16) this.#filePlaces(this.#count);
  }

  #filePlaces(count: number): void {
    const places = new Map<string, number>();
    for (let i = 0; i < count; i++) places.set(this.#keys[i] as string, i);
    this.#places = places;
  }

  get planned(): number {
    return this.#count;
  }

  #planned(key: string): number {
    const count = this.#count;
    if (count < 16) {
      for (let i = 0; i < count; i++) if (this.#keys[i] === key) return i;
      return -1;
    }
    if (count === 16) this.#filePlaces(count);
    const places = this.#places as Map<string, number>;
    const at = places.get(key);
    if (at !== undefined) return at;
    places.set(key, count);
    return -1;
  }

  #ownRow(entry: Entry, key: string): Row | null {
    const outputs = entry.outputs;
    if (outputs === null) return null;
    if (!Array.isArray(outputs)) return outputs.key === key ? outputs : null;
    const row = this.#core.rows.get(key);
    if (row === undefined) return null;
    return row.owner === entry || this.#claimOf(row, entry) !== undefined ? row : null;
  }

  #claimOf(row: Row, entry: Entry): Claim | undefined {
    return this.#claims.size === 0 ? undefined : this.#claims.get(row.key)?.find(c => c.entry === entry);
  }

  #valueFor(row: Row, entry: Entry): unknown {
    return row.owner === entry ? row.value : this.#claimOf(row, entry)?.value;
  }

  /**
   * Makes the planned result the rows of this input. Gives the outcome where one item took the place of
   * another, else -1, and then the counts say what happened.
   */
  commit(entry: Entry, recorder: Recorder | null): number {
    const row = this.#single;
    if (row !== null) {
      const value = this.#singleValue;
      this.#singleValue = undefined;
      this.#applyTo(row, entry, this.#singleDifference, value, recorder);
      return this.#singleDifference === EQUAL ? EQUAL_RUN : CHANGED;
    }
    this.added = 0;
    this.changed = 0;
    this.deleted = 0;
    this.equal = 0;
    const count = this.#count;
    const before = entry.outputs;
    const again = this.#again;
    if (again !== null && again.length === count) this.#applyAgain(entry, again, recorder);
    else {
      if (before !== null) this.#releaseUnplanned(entry, before, recorder);
      if (count === 0) entry.outputs = null;
      else if (count === 1) entry.outputs = this.#apply(entry, 0, recorder);
      else {
        const rows: Row[] = [];
        for (let i = 0; i < count; i++) rows.push(this.#apply(entry, i, recorder));
        entry.outputs = rows;
      }
    }
    this.#again = null;
    if (count > 16) this.#places = null;
    if (count > 1024) this.#shrink();
    else for (let i = 0; i < count; i++) this.#values[i] = undefined;
    return -1;
  }

  /** The result has the last one's rows, in their order. */
  #applyAgain(entry: Entry, rows: readonly Row[], recorder: Recorder | null): void {
    if (!this.#allEqual || this.#streaks.any) {
      for (let i = 0; i < rows.length; i++) this.#apply(entry, i, recorder);
      return;
    }
    this.equal = rows.length;
    if (recorder !== null) recorder.equalOutputs(rows);
  }

  #shrink(): void {
    this.#values.length = 0;
    this.#rows.length = 0;
    this.#keys.length = 0;
  }

  #releaseUnplanned(entry: Entry, before: Row | Row[], recorder: Recorder | null): void {
    if (!Array.isArray(before)) {
      if (this.#count === 1 && this.#rows[0] === before) return;
      if (!this.#keeps(before)) this.#drop(entry, before, recorder);
      return;
    }
    const kept = this.#count > 8 ? new Set(this.#rows.slice(0, this.#count)) : null;
    for (const row of before) {
      if (kept !== null ? !kept.has(row) : !this.#keeps(row)) this.#drop(entry, row, recorder);
    }
  }

  #keeps(row: Row): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#rows[i] === row) return true;
    return false;
  }

  #drop(entry: Entry, row: Row, recorder: Recorder | null): void {
    this.deleted++;
    if (recorder !== null) recorder.output(row, 'deleted');
    this.release(entry, row);
  }

  #apply(entry: Entry, at: number, recorder: Recorder | null): Row {
    const value = this.#values[at];
    const row = this.#rows[at] ?? null;
    if (row === null) {
      this.added++;
      const claimed = this.#claim(entry, this.#keys[at] as string, value);
      if (recorder !== null) recorder.output(claimed, 'added');
      return claimed;
    }
    this.#applyTo(row, entry, this.#differences[at] as number, value, recorder);
    return row;
  }

  #applyTo(row: Row, entry: Entry, difference: number, value: unknown, recorder: Recorder | null): void {
    if (difference === EQUAL) {
      this.equal++;
      if (this.#streaks.any) this.#endStreak(row.key);
      if (recorder !== null) recorder.equalOutput(row);
      return;
    }
    this.changed++;
    if (difference === DIFFERENT_MAYBE_NOT_IN_JSON) {
      this.#streaks.suspect(row.key, this.#valueFor(row, entry), value);
      this.#watch();
    } else if (this.#streaks.any) this.#endStreak(row.key);
    if (recorder !== null) recorder.output(row, 'changed');
    if (this.#claims.size > 0) {
      const claim = this.#claimOf(row, entry);
      if (claim !== undefined) claim.value = value;
      if (row.owner !== entry) return;
    }
    this.#assign(row, value, false);
  }

  #assign(row: Row, value: unknown, handedOver: boolean): void {
    if (!row.dirty) {
      this.#core.touch(row);
      if (!handedOver) {
        row.value = value;
        return;
      }
    }
    const {before} = row;
    // Handed over or released and claimed again within the batch: equal to what was announced is no change.
    const again = handedOver || row.value !== before;
    if (again && before !== undefined && this.#safelyEqual(before, value)) row.value = before;
    else row.value = value;
  }

  #safelyEqual(a: unknown, b: unknown): boolean {
    try {
      return this.#core.compare(a, b) === EQUAL;
    } catch {
      return false;
    }
  }

  #claim(entry: Entry, own: string, value: unknown): Row {
    // Mostly the input's own key: that text is in one piece and has its hash, the formula's has neither.
    const ownInput = own === entry.row.key;
    const key = ownInput ? entry.row.key : own;
    const {rows} = this.#core;
    if (ownInput && rows.own) {
      rows.added();
      entry.owner = entry;
      // The first rows of a collection that nobody listens to need not be told as changes.
      if (this.#core.unseen) entry.value = value;
      else this.#assign(entry, value, false);
      return entry;
    }
    const filed = rows.file();
    let row = filed.get(key);
    if (row === undefined) {
      row = ownInput ? entry : new Row(key);
      filed.set(key, row);
    }
    if (row.owner === null) {
      row.owner = entry;
      this.#assign(row, value, false);
      return row;
    }
    const claims = this.#claims.get(key) ?? [{entry: row.owner, value: row.value}];
    claims.push({entry, value});
    this.#claims.set(key, claims);
    this.watchful = true;
    this.#settleOwner(row, claims);
    return row;
  }

  // At any time the smallest input key owns the row, also if it came later.
  #settleOwner(row: Row, claims: Claim[]): void {
    let first = claims[0] as Claim;
    for (const claim of claims) if (claim.entry.row.key < first.entry.row.key) first = claim;
    const inputs = claims.map(claim => claim.entry.row.key).sort();
    if (claims.length === 1) {
      this.#claims.delete(row.key);
      this.#watch();
      this.#core.engine.held.clear('duplicate-across-inputs', this.#core, row.key);
    } else {
      this.#core.engine.report(
        'duplicate-across-inputs',
        this.#core,
        [row.key, ...inputs],
        `inputs ${inputs.join(', ')} of "${this.#core.name}" all yield the key "${row.key}"; "${inputs[0]}" owns it until they differ`,
      );
    }
    if (row.owner === first.entry) return;
    row.owner = first.entry;
    this.#assign(row, first.value, true);
  }

  /** The input no longer claims this row; the next claimant takes it over without a run. */
  release(entry: Entry, row: Row): void {
    const claims = this.#claims.size === 0 ? undefined : this.#claims.get(row.key);
    if (claims !== undefined) {
      const rest = claims.filter(claim => claim.entry !== entry);
      this.#claims.set(row.key, rest);
      if (row.owner === entry) row.owner = null;
      this.#settleOwner(row, rest);
      return;
    }
    this.#core.touch(row);
    row.owner = null;
    row.value = undefined;
    if (this.#streaks.any) this.#endStreak(row.key);
  }

  /** The input is gone, and so are its rows. */
  remove(entry: Entry, recorder: Recorder | null): void {
    const {outputs} = entry;
    entry.outputs = null;
    if (outputs === null) return;
    if (!Array.isArray(outputs)) this.#removeRow(entry, outputs, recorder);
    else for (const row of outputs) this.#removeRow(entry, row, recorder);
  }

  #removeRow(entry: Entry, row: Row, recorder: Recorder | null): void {
    if (recorder !== null) recorder.removed(entry, row);
    this.release(entry, row);
  }

  #endStreak(key: string): void {
    this.#streaks.end(key);
    this.#watch();
  }
}
