// The rows of a derived collection: what a run yields against what its input had, and who owns a row that two inputs
// claim. Planning may throw and changes nothing; committing changes and cannot throw.

import {DIFFERENT_MAYBE_NOT_IN_JSON, EQUAL} from '../api/equality.ts';
import {Row} from '../graph/row.ts';
import type {Derived} from '../kinds/derived.ts';
import type {Recorder} from '../trace/recorder.ts';
import type {Outcome} from '../trace/trace.ts';
import {type Entry, outputsOf} from './entry.ts';
import {ADDED, CHANGED, DELETED, outcomeOf, Planned, SAME} from './planned.ts';
import {Streaks} from './streaks.ts';

interface Claim {
  entry: Entry;
  value: unknown;
}

/** More planned items than this are found by a map. */
const FEW = 16;
/** A plan of more than this is not kept for the next run. */
const MUCH = 1024;

export class Outputs {
  readonly #core: Derived;
  /** Rows with several claimants; the one with the smallest input key owns it. */
  readonly #claims = new Map<string, Claim[]>();
  readonly #streaks: Streaks;
  /** The plan of the run under way. Filled up to #count; the rest waits for a run that yields more. */
  readonly #plan: Planned[] = [];
  #count = 0;
  /** So far the result has the keys of the last one, in its order: then its rows are at hand, and no key is there twice. */
  #inStep = true;
  #places: Map<string, number> | null = null;
  /** Keys that the planned result has twice. */
  duplicates: string[] | null = null;
  #became = 0;

  constructor(core: Derived) {
    this.#core = core;
    this.#streaks = new Streaks(core);
  }

  /** Inputs that claim a row, if they are several. */
  claimants(key: string): string[] {
    return (this.#claims.get(key) ?? []).map(claim => claim.entry.row.key).sort();
  }

  begin(): void {
    this.#count = 0;
    this.#inStep = true;
    this.#places = null;
    this.duplicates = null;
  }

  get planned(): number {
    return this.#count;
  }

  /** Adds one item of the result to the plan; of two with one key the last counts. */
  plan(entry: Entry, value: unknown): void {
    const key = this.#core.keyOf(value);
    let row = this.#inStep ? rowAt(entry, this.#count) : null;
    this.#inStep = row !== null && row.key === key;
    const twin = this.#inStep ? -1 : this.#placeOf(key);
    const at = twin < 0 ? this.#count : twin;
    if (!this.#inStep) row = this.#ownRow(entry, key);
    const difference = row === null ? EQUAL : this.#core.compare(this.#valueFor(row, entry), value);
    if (at === this.#plan.length) this.#plan.push(new Planned());
    const planned = this.#plan[at] as Planned;
    // Of what the run made, only what is new to the row: to keep the rest, even for a moment, the machine takes notes.
    planned.key = row === null ? key : row.key;
    planned.value = row !== null && difference === EQUAL ? undefined : value;
    planned.row = row;
    planned.difference = difference;
    if (twin < 0) {
      this.#count++;
      this.#places?.set(key, at);
    } else {
      this.duplicates ??= [];
      this.duplicates.push(key);
    }
  }

  #placeOf(key: string): number {
    const count = this.#count;
    if (count < FEW) {
      for (let i = 0; i < count; i++) if (this.#plan[i]?.key === key) return i;
      return -1;
    }
    this.#places ??= new Map(this.#plan.slice(0, count).map((planned, at) => [planned.key, at]));
    return this.#places.get(key) ?? -1;
  }

  #ownRow(entry: Entry, key: string): Row | null {
    const {outputs} = entry;
    if (outputs === null) return null;
    if (!Array.isArray(outputs)) return (outputs as Row).key === key ? (outputs as Row) : null;
    const row = this.#core.rows.get(key);
    if (row === undefined) return null;
    return row.owner === entry || this.#claimOf(row, entry) !== undefined ? row : null;
  }

  #claimOf(row: Row, entry: Entry): Claim | undefined {
    if (this.#claims.size > 0)
      for (const c of this.#claims.get(row.key) ?? []) if (c.entry === entry) return c;
    return undefined;
  }

  #valueFor(row: Row, entry: Entry): unknown {
    return row.owner === entry ? row.value : this.#claimOf(row, entry)?.value;
  }

  /** Makes the planned result the rows of this input; gives the outcome by what became of them. */
  commit(entry: Entry, recorder: Recorder | null): Outcome {
    this.#became = 0;
    const count = this.#count;
    if (entry.outputs !== null) this.#releaseUnplanned(entry, recorder);
    if (count === 0) entry.outputs = null;
    else if (count === 1) entry.outputs = this.#apply(entry, this.#plan[0] as Planned, recorder);
    else {
      const rows = this.#inStep && count === lengthOf(entry) ? null : ([] as Row[]);
      for (let i = 0; i < count; i++) {
        const row = this.#apply(entry, this.#plan[i] as Planned, recorder);
        rows?.push(row);
      }
      if (rows !== null) entry.outputs = rows;
    }
    if (this.#plan.length > MUCH) this.#plan.length = 0;
    return outcomeOf(this.#became);
  }

  #releaseUnplanned(entry: Entry, recorder: Recorder | null): void {
    const {outputs} = entry;
    if (this.#inStep) {
      for (let i = this.#count, end = lengthOf(entry); i < end; i++) {
        this.#releaseOne(entry, rowAt(entry, i) as Row, recorder);
      }
      return;
    }
    if (!Array.isArray(outputs)) {
      if (!this.#keeps(outputs as Row)) this.#releaseOne(entry, outputs as Row, recorder);
      return;
    }
    const kept = this.#count > FEW ? new Set(this.#plan.slice(0, this.#count).map(({row}) => row)) : null;
    for (const row of outputs) {
      if (kept === null ? !this.#keeps(row) : !kept.has(row)) this.#releaseOne(entry, row, recorder);
    }
  }

  #releaseOne(entry: Entry, row: Row, recorder: Recorder | null): void {
    this.#became |= DELETED;
    if (recorder !== null) recorder.output(row, 'deleted');
    this.release(entry, row);
  }

  #keeps(row: Row): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#plan[i]?.row === row) return true;
    return false;
  }

  #apply(entry: Entry, planned: Planned, recorder: Recorder | null): Row {
    const {key, value, row: held, difference} = planned;
    // Nothing of a result that is taken over stays here: it would live as long as the collection.
    planned.value = undefined;
    planned.row = null;
    if (held === null) {
      this.#became |= ADDED;
      const row = this.#claim(entry, key, value);
      if (recorder !== null) recorder.output(row, 'added');
      return row;
    }
    if (difference === EQUAL) {
      this.#became |= SAME;
      this.#streaks.end(held.key);
      if (recorder !== null) recorder.output(held, 'equal');
    } else {
      this.#became |= CHANGED;
      if (difference === DIFFERENT_MAYBE_NOT_IN_JSON) {
        this.#streaks.suspect(held.key, this.#valueFor(held, entry), value);
      } else this.#streaks.end(held.key);
      if (recorder !== null) recorder.output(held, 'changed');
      this.#replace(entry, held, value);
    }
    return held;
  }

  #replace(entry: Entry, row: Row, value: unknown): void {
    const claim = this.#claimOf(row, entry);
    if (claim !== undefined) claim.value = value;
    if (row.owner === entry) this.#assign(row, value);
  }

  #assign(row: Row, value: unknown): void {
    this.#core.touch(row);
    const {before} = row;
    // Handed over, or released and claimed again, within the batch: equal to what was announced is no change.
    const back = before !== undefined && row.value !== before && this.#core.safelyEqual(before, value);
    row.value = back ? before : value;
  }

  #claim(entry: Entry, given: string, value: unknown): Row {
    const {rows} = this.#core;
    // Mostly an item has the key of its input: that text is there already, and its hash is known.
    const key = given === entry.row.key ? entry.row.key : given;
    let row = rows.get(key);
    if (row === undefined) {
      row = new Row(key);
      rows.set(key, row);
    }
    if (row.owner === null) {
      row.owner = entry;
      this.#assign(row, value);
      return row;
    }
    const claims = this.#claims.get(key) ?? [{entry: row.owner, value: row.value}];
    claims.push({entry, value});
    this.#claims.set(key, claims);
    this.#settleOwner(row, claims);
    return row;
  }

  // At any time the smallest input key owns the row, also if it came later.
  #settleOwner(row: Row, claims: Claim[]): void {
    let first = claims[0] as Claim;
    for (const claim of claims) if (claim.entry.row.key < first.entry.row.key) first = claim;
    const inputs = claims.map(claim => claim.entry.row.key).sort();
    const {engine} = this.#core;
    if (claims.length === 1) {
      this.#claims.delete(row.key);
      engine.held.clear('duplicate-across-inputs', this.#core, row.key);
    } else {
      engine.report(
        'duplicate-across-inputs',
        this.#core,
        [row.key, ...inputs],
        `inputs ${inputs.join(', ')} of "${this.#core.name}" all yield the key "${row.key}"; "${inputs[0]}" owns it until they differ`,
      );
    }
    if (row.owner === first.entry) return;
    row.owner = first.entry;
    this.#handOver(row, first.value);
  }

  #handOver(row: Row, value: unknown): void {
    this.#core.touch(row);
    const {before} = row;
    row.value = before !== undefined && this.#core.safelyEqual(before, value) ? before : value;
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
    this.#streaks.end(row.key);
  }

  /** The input is gone, and so are its rows. */
  remove(entry: Entry, recorder: Recorder | null): void {
    const rows = outputsOf(entry);
    entry.outputs = null;
    for (const row of rows) {
      if (recorder !== null) recorder.removed(entry, row);
      this.release(entry, row);
    }
  }
}

function lengthOf({outputs}: Entry): number {
  if (outputs === null) return 0;
  return Array.isArray(outputs) ? outputs.length : 1;
}

function rowAt({outputs}: Entry, place: number): Row | null {
  if (Array.isArray(outputs)) return (outputs[place] as Row | undefined) ?? null;
  return place === 0 ? (outputs as Row | null) : null;
}
