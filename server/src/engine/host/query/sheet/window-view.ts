// One collection, filtered, sorted and grouped, kept in order while it changes. A window is a range of it.
import type {Item} from '@krtscope/shared/items.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {CollectionWindow, SheetGroup} from '@krtscope/shared/sheet.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {factsOf} from '../../../../explain/evidence/question-subject.ts';
import type {Records, ViewChanges} from '../../../../explain/records.ts';
import {runToEnd} from '../../../../history/incremental-work.ts';
import {type FilterCandidate, type FilterMatcher, labelsOf, matcherOf} from '../items/filter-matcher.ts';
import {candidateOf, itemOf, momentOf, sortKeyOf} from '../items/item.ts';
import {namespaceOf} from '../items/item-namespace.ts';
import {compareSortKeys, parseSort, type SortBy, SortedList, type SortKey} from './sorted-list.ts';

export interface ViewRow {
  readonly key: string;
  readonly group: string;
  readonly sort: SortKey;
  /** The worst outcome, for its group; undefined if there is none. */
  readonly worst: RunOutcome | undefined;
}

export interface ViewParams {
  readonly collection: string;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly group?: string | undefined;
  readonly at?: number | undefined;
  /** Sorts texts by code unit. The page sorts `web-2` before `web-10`. */
  readonly plain?: boolean | undefined;
}

/** The group of an item: its namespace, a label's value, or the value at a path. */
export function groupOf(item: FilterCandidate, group: string): string {
  if (group === 'namespace' || group === 'ns') return namespaceOf(item.collection, item.key, item.value);
  if (group.startsWith('label:')) return String(labelsOf(item.value)[group.slice(6)] ?? '');
  if (group === 'state') return item.outcome;
  const value = readPath(item.value, group) ?? labelsOf(item.value)[group];
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const badOutcomes: readonly RunOutcome[] = ['discarded', 'suspended', 'failed'];

/** The worse of two bad outcomes. */
function worseOutcomeOf(a: RunOutcome | undefined, b: RunOutcome | undefined): RunOutcome | undefined {
  const found = badOutcomes[Math.max(a ? badOutcomes.indexOf(a) : -1, b ? badOutcomes.indexOf(b) : -1)];
  return found;
}

export function compareRowsBy(by: SortBy | undefined): (a: ViewRow, b: ViewRow) => number {
  return (a, b) => {
    // Groups are sorted by name. Items without a group come last.
    if (a.group !== b.group) return a.group === '' ? 1 : b.group === '' ? -1 : a.group < b.group ? -1 : 1;
    return by ? compareSortKeys(a.sort, b.sort, by.descending) : 0;
  };
}

/** The groups of a list that is sorted by group, with the position of each one's first entry. */
export function groupsOf(list: readonly ViewRow[]): SheetGroup[] {
  const groups: SheetGroup[] = [];
  let last: SheetGroup | undefined;
  for (let position = 0; position < list.length; position++) {
    const entry = list[position]!;
    if (last === undefined || last.name !== entry.group) {
      last = {name: entry.group, count: 0, offset: position};
      groups.push(last);
    }
    addToGroup(last, entry);
  }
  return groups;
}

export function addToGroup(group: SheetGroup, entry: ViewRow): void {
  group.count++;
  if (entry.worst === undefined) return;
  const worst = worseOutcomeOf(group.worst, entry.worst);
  if (worst) group.worst = worst;
}

/** Entries in one step. */
const STEP = 32;

export class WindowView {
  readonly #records: Records;
  readonly #params: ViewParams;
  readonly #matcher: FilterMatcher;
  readonly #by: SortBy | undefined;
  readonly #at: number | undefined;
  #list: SortedList<ViewRow>;
  /** The rows of earlier answers: an unchanged row stays the same object. */
  #rows = new Map<string, Item>();
  /** The time of the last fill. Before it the view is empty. */
  #filled = -1;
  /** Keys that changed during a fill: they may have been read too early. */
  #missed: Set<string> | undefined;

  constructor(records: Records, params: ViewParams) {
    this.#records = records;
    this.#params = params;
    this.#matcher = matcherOf(params.q);
    this.#by = parseSort(params.sort);
    this.#at = momentOf(records, params.at);
    factsOf(records, params.collection, this.#at);
    this.#list = new SortedList(compareRowsBy(this.#by));
  }

  #entry(key: string, now: number): ViewRow | null {
    if (!this.#records.has(this.#params.collection, key, this.#at)) return null;
    const item = candidateOf(this.#records, this.#params.collection, key, this.#at);
    if (!this.#matcher.matches(item, now)) return null;
    const {group} = this.#params;
    return {
      key,
      group: group ? groupOf(item, group) : '',
      sort: this.#by ? sortKeyOf(item, this.#by, this.#params.plain) : undefined,
      worst: group ? worseOutcomeOf(undefined, item.outcome) : undefined,
    };
  }

  /** Ages refer to the clock of the moment in question, not of the reader. */
  #now(): number {
    return this.#at === undefined ? this.#records.now() : this.#records.timeOf(this.#at);
  }

  /** Whether it can be read as it is: filled and, where ages count, filled within the last second. */
  get isReady(): boolean {
    const aged = this.#matcher.ages && this.#at === undefined && this.#records.now() - this.#filled > 1000;
    return this.#filled >= 0 && !aged;
  }

  /** Fills it in steps. Rows that change on the way are read again at the end. */
  *fill(): Generator<undefined, void> {
    const missed = new Set<string>();
    this.#missed = missed;
    const now = this.#now();
    const entries: ViewRow[] = [];
    let steps = 0;
    this.#matcher.begin();
    for (const key of [...this.#records.keys(this.#params.collection, this.#at)]) {
      const entry = this.#entry(key, now);
      if (entry) entries.push(entry);
      if (++steps % STEP === 0) yield;
    }
    const list = new SortedList<ViewRow>(compareRowsBy(this.#by));
    yield* list.fill(entries);
    // Another reader has filled it since: this result is older.
    if (this.#missed !== missed) return;
    this.#missed = undefined;
    this.#list = list;
    this.#filled = this.#now();
    this.refreshRows(missed);
  }

  /** Reads only the changed rows again. */
  markChanged(changes: ViewChanges): void {
    if (this.#at !== undefined || (this.#filled < 0 && this.#missed === undefined)) return;
    const dirt = changes.get(this.#params.collection);
    if (!dirt) return;
    const keys = new Set(dirt.keys);
    for (const input of dirt.inputs)
      for (const key of this.#records.outputsOf(this.#params.collection, input)) keys.add(key);
    for (const key of keys) this.#missed?.add(key);
    if (this.#filled >= 0) this.refreshRows(keys);
  }

  /** Reads these rows again. */
  refreshRows(keys: ReadonlySet<string>): void {
    if (keys.size === 0) return;
    const now = this.#now();
    this.#matcher.begin();
    const changes = new Map<string, ViewRow | null>();
    for (const key of keys) {
      this.#rows.delete(key);
      changes.set(key, this.#entry(key, now));
    }
    this.#list.update(changes);
  }

  /** The list in order. Filled by the first call and, where ages count, once a second. */
  entries(): readonly ViewRow[] {
    if (!this.isReady) runToEnd(this.fill());
    return this.#list.list();
  }

  answer(offset: number, count: number): CollectionWindow {
    const list = this.entries();
    const rows = new Map<string, Item>();
    for (const entry of list.slice(offset, offset + count)) {
      const row =
        this.#rows.get(entry.key) ?? itemOf(this.#records, this.#params.collection, entry.key, this.#at);
      rows.set(entry.key, row);
    }
    this.#rows = rows;
    return {
      total: list.length,
      of: this.#records.size(this.#params.collection, this.#at),
      offset,
      rows: [...rows.values()],
      ...(this.#params.group ? {groups: groupsOf(list)} : {}),
    };
  }
}
