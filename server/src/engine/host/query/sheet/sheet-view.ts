// The sheet: rows aligned by the root's key, kept sorted, filtered and counted while collections change. Recomputes
// only rows whose cells changed. Finds a window by its lines.
import {parsePath} from '@krtscope/shared/path.ts';
import type {Sheet, SheetGroup, SheetRow} from '@krtscope/shared/sheet.ts';
import type {Records, ViewChanges} from '../../../../explain/records.ts';
import {runToEnd} from '../../../../history/incremental-work.ts';
import type {ColumnFieldFinder} from '../graph/column-fields.ts';
import {type FilterMatcher, matcherOf} from '../items/filter-matcher.ts';
import {candidateOf, momentOf, sortKeyOf} from '../items/item.ts';
import {planSheet, rootKeysOf, type SheetPlan} from './sheet-plan.ts';
import {cellsOf, countLines, sheetRowOf} from './sheet-row.ts';
import {parseSort, type SortBy, SortedList, type SortKey} from './sorted-list.ts';
import {addToGroup, compareRowsBy, groupOf, type ViewRow} from './window-view.ts';

export interface SheetViewParams {
  readonly root: string;
  readonly columns?: {collection: string; fields?: string[] | undefined}[] | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly group?: string | undefined;
  readonly folded?: string[] | undefined;
  readonly at?: number | undefined;
}

interface RootRow extends ViewRow {
  readonly lines: number;
}

/** The first line of each row, groups with their header lines, and the total of lines. */
interface SheetLayout {
  readonly starts: Int32Array;
  readonly groups: SheetGroup[];
  readonly lines: number;
}

/** Rows in one step. */
const STEP = 32;

export class SheetView {
  readonly #records: Records;
  readonly #finder: ColumnFieldFinder;
  readonly #params: SheetViewParams;
  readonly #matcher: FilterMatcher;
  readonly #by: SortBy | undefined;
  readonly #at: number | undefined;
  #list: SortedList<RootRow>;
  readonly #folded: ReadonlySet<string>;
  #plan: SheetPlan;
  #layout: SheetLayout | undefined;
  #rows = new Map<string, SheetRow>();
  /** The time of the last fill. Before it the view is empty. */
  #filled = -1;
  /** Roots that changed during a fill: they may have been read too early. */
  #missed: Set<string> | undefined;
  readonly #names = new Map<string, string>();
  readonly #failing = new Set<string>();

  constructor(records: Records, finder: ColumnFieldFinder, params: SheetViewParams) {
    this.#records = records;
    this.#finder = finder;
    this.#params = params;
    this.#matcher = matcherOf(params.q);
    this.#by = parseSort(params.sort);
    this.#at = momentOf(records, params.at);
    this.#folded = new Set(params.folded ?? []);
    this.#plan = planSheet(records, finder, {...params, at: this.#at});
    this.#list = new SortedList<RootRow>(compareRowsBy(this.#by));
  }

  /** Each term must match somewhere in the row. A negated term applies to the root alone. */
  #matches(key: string, now: number): boolean {
    if (this.#matcher.tests.length === 0) return true;
    const root = candidateOf(this.#records, this.#plan.root, key, this.#at);
    const open = this.#matcher.tests.filter(test => !test.matches(root, now));
    if (open.length === 0) return true;
    if (open.some(test => test.negative || test.term.kind === 'namespace')) return false;
    let missing = open;
    for (const cell of cellsOf(this.#records, this.#plan, key, this.#at)) {
      if (cell.column.parent < 0 || cell.column.kind === 'index') continue;
      const item = candidateOf(this.#records, cell.column.collection, cell.key, this.#at);
      missing = missing.filter(test => !test.matches(item, now));
      if (missing.length === 0) return true;
    }
    return missing.every(test => test.term.kind === 'state' && this.#emptyIn(key, test.term.states));
  }

  #emptyIn(key: string, states: readonly string[]): boolean {
    const row = sheetRowOf(this.#records, this.#plan, key, this.#at);
    return Object.values(row.empty ?? {}).some(outcome => states.includes(outcome));
  }

  /** `Workloads.waypoint` sorts by that column's first cell, any other path by the root's item. */
  #sortKey(key: string, by: SortBy): SortKey {
    const [first, ...rest] = parsePath(by.path);
    const place = this.#plan.columns.findIndex(c => c.collection === first && c.parent >= 0);
    if (place < 0 || rest.length === 0)
      return sortKeyOf(candidateOf(this.#records, this.#plan.root, key, this.#at), by);
    for (const cell of cellsOf(this.#records, this.#plan, key, this.#at)) {
      if (cell.column.collection !== first) continue;
      const item = candidateOf(this.#records, first, cell.key, this.#at);
      return sortKeyOf(item, {...by, path: by.path.slice(first.length + 1)});
    }
    return undefined;
  }

  #entry(key: string, now: number): RootRow | null {
    if (!this.#records.has(this.#plan.root, key, this.#at)) return null;
    if (!this.#matches(key, now)) return null;
    const {group} = this.#params;
    return {
      key,
      group: group ? this.#groupOf(key, group) : '',
      sort: this.#by ? this.#sortKey(key, this.#by) : undefined,
      worst: this.#failing.has(key) ? 'failed' : undefined,
      lines: this.#plan.columns[0]!.spills ? countLines(this.#records, this.#plan, key, this.#at) : 1,
    };
  }

  /** All rows of a group share one string object, which makes comparing them fast. */
  #groupOf(key: string, group: string): string {
    const name = groupOf(candidateOf(this.#records, this.#plan.root, key, this.#at), group);
    const shared = this.#names.get(name);
    if (shared !== undefined) return shared;
    this.#names.set(name, name);
    return name;
  }

  /** Root rows with a cell whose last run failed. There are few, so start from the failures. */
  #findFailing(): void {
    this.#failing.clear();
    if (!this.#params.group || this.#at !== undefined) return;
    this.#plan.columns.forEach(column => {
      if (column.way !== 'down') return;
      for (const input of this.#records.failedInputs(column.collection))
        for (const root of rootKeysOf(this.#records, this.#plan, column.parent, input))
          this.#failing.add(root);
    });
  }

  /** Ages refer to the clock of the moment in question, not of the reader. */
  #now(): number {
    return this.#at === undefined ? this.#records.now() : this.#records.timeOf(this.#at);
  }

  /** Whether it can be read as it is: laid out, filled and, where ages count, filled within the last second. */
  get isReady(): boolean {
    this.#replan();
    const aged = this.#matcher.ages && this.#at === undefined && this.#records.now() - this.#filled > 1000;
    return this.#filled >= 0 && !aged;
  }

  /** Fills it in steps. Rows that change on the way are read again at the end. */
  *fill(): Generator<undefined, void> {
    const missed = new Set<string>();
    this.#missed = missed;
    this.#matcher.begin();
    this.#findFailing();
    const now = this.#now();
    const entries: RootRow[] = [];
    let steps = 0;
    for (const key of [...this.#records.keys(this.#plan.root, this.#at)]) {
      const entry = this.#entry(key, now);
      if (entry) entries.push(entry);
      if (++steps % STEP === 0) yield;
    }
    const list = new SortedList<RootRow>(compareRowsBy(this.#by));
    yield* list.fill(entries);
    // Another reader has filled it since, or the layout has changed: this result is older.
    if (this.#missed !== missed) return;
    this.#missed = undefined;
    this.#list = list;
    this.#filled = this.#now();
    this.#layout = undefined;
    this.#refreshRows(missed);
  }

  /** Root rows that a batch may have changed. */
  #touched(changes: ViewChanges): Set<string> {
    const roots = new Set<string>();
    this.#plan.columns.forEach((column, place) => {
      const dirt = changes.get(column.collection);
      if (!dirt) return;
      for (const key of dirt.keys)
        for (const root of rootKeysOf(this.#records, this.#plan, place, key)) roots.add(root);
      if (column.way !== 'down') return;
      for (const input of dirt.inputs)
        for (const root of rootKeysOf(this.#records, this.#plan, column.parent, input)) roots.add(root);
    });
    return roots;
  }

  markChanged(changes: ViewChanges): void {
    if (this.#at !== undefined || (this.#filled < 0 && this.#missed === undefined)) return;
    const roots = this.#touched(changes);
    for (const root of roots) this.#missed?.add(root);
    if (this.#filled >= 0) this.#refreshRows(roots);
  }

  /** Reads these rows again. */
  #refreshRows(roots: ReadonlySet<string>): void {
    this.#matcher.begin();
    const changes = new Map<string, RootRow | null>();
    const now = this.#now();
    this.#findFailing();
    let isLaidOut = true;
    for (const root of roots) {
      this.#rows.delete(root);
      const entry = this.#entry(root, now);
      isLaidOut &&= entry !== null && takesSamePlace(this.#list.get(root), entry);
      changes.set(root, entry);
    }
    if (this.#list.update(changes) || !isLaidOut) this.#layout = undefined;
  }

  /** Runs when collections were added or removed, or when a column's best fields are known only now. */
  #replan(): void {
    const plan = planSheet(this.#records, this.#finder, {...this.#params, at: this.#at});
    const shape = (p: SheetPlan): string =>
      JSON.stringify([p.shown, p.columns.map(c => [c.collection, c.fields, c.parent])]);
    if (shape(plan) === shape(this.#plan)) return;
    this.#plan = plan;
    this.#filled = -1;
    this.#missed = undefined;
    this.#rows.clear();
  }

  #lay(): SheetLayout {
    if (this.#layout) return this.#layout;
    const list = this.#list.list();
    const starts = new Int32Array(list.length);
    const groups: SheetGroup[] = [];
    const grouped = this.#params.group !== undefined && this.#params.group !== '';
    let line = 0;
    let last: SheetGroup | undefined;
    let hidden = false;
    for (let i = 0; i < list.length; i++) {
      const entry = list[i]!;
      if (grouped && (last === undefined || last.name !== entry.group)) {
        last = {name: entry.group, count: 0, offset: line};
        groups.push(last);
        hidden = this.#folded.has(entry.group);
        line++;
      }
      if (last) addToGroup(last, entry);
      starts[i] = line;
      if (!hidden) line += entry.lines;
    }
    this.#layout = {starts, groups, lines: line};
    return this.#layout;
  }

  /** Whole rows with a line in [offset, offset + count), each with its first line in the whole list. */
  answer(offset: number, count: number, reads: (collections: readonly string[]) => Sheet['reads']): Sheet {
    if (!this.isReady) runToEnd(this.fill());
    const {starts, groups, lines} = this.#lay();
    const list = this.#list.list();
    const grouped = groups.length > 0;
    const rows = new Map<string, SheetRow>();
    for (let i = firstRowAtLine(starts, offset, lines); i < list.length && starts[i]! < offset + count; i++) {
      const entry = list[i]!;
      if (grouped && this.#folded.has(entry.group)) continue;
      let row = this.#rows.get(entry.key) ?? sheetRowOf(this.#records, this.#plan, entry.key, this.#at);
      if (row.line !== starts[i]! || row.group !== (grouped ? entry.group : undefined))
        row = {...row, line: starts[i]!, ...(grouped ? {group: entry.group} : {})};
      rows.set(entry.key, row);
    }
    this.#rows = rows;
    return {
      root: this.#plan.root,
      columns: this.#plan.shown.map(place => {
        const {collection, fields, available} = this.#plan.columns[place]!;
        return {collection, fields, available};
      }),
      total: list.length,
      of: this.#records.size(this.#plan.root, this.#at),
      lines,
      offset,
      rows: [...rows.values()],
      ...(grouped ? {groups} : {}),
      reads: reads(this.#plan.shown.map(place => this.#plan.columns[place]!.collection)),
    };
  }
}

/** Whether a row has as many lines as before, and counts in its group as before. */
function takesSamePlace(old: RootRow | undefined, row: RootRow): boolean {
  return old !== undefined && old.lines === row.lines && old.group === row.group && old.worst === row.worst;
}

/** The first row that reaches past a line. A row ends where the next one, or its header, begins. */
function firstRowAtLine(starts: Int32Array, line: number, lines: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle + 1] ?? lines) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}
