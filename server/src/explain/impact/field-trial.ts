// Tries another value of a field: repeats the runs that read it with the changed rows instead, hop by hop. It says which
// rows would differ, and never touches the graph.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {CounterfactualObject} from '../evidence/rerun.ts';
import type {CollectionFacts, RecordedRun, Records} from '../records.ts';
import {repeatBudget, repeatCost} from './repeat-cost.ts';
import type {ImpactSteps} from './row-readers.ts';

/** New values of rows by key. Undefined: the row would be gone. */
type ChangedRows = Map<string, unknown>;

interface GroupedRow {
  readonly key: string;
  readonly objects: readonly unknown[];
}

export interface TrialReader {
  readonly collection: string;
  readonly input: string;
}

/** The rows that differ, by collection; undefined if a run cannot be repeated or the budget is spent, so that nothing is known. */
export type TrialRows = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

export class FieldTrial {
  readonly #records: Records;
  readonly #reader: RerunReader;
  readonly #at: number | undefined;
  readonly #facts: readonly CollectionFacts[];
  /** Repeats so far, and what they cost. */
  runs = 0;
  #cost = 0;

  constructor(records: Records, reader: RerunReader, at: number | undefined) {
    this.#records = records;
    this.#reader = reader;
    this.#at = at;
    this.#facts = records.collections(at);
  }

  /** `readers` are the rows that may differ. */
  *rows(object: CounterfactualObject, readers: readonly TrialReader[]): ImpactSteps<TrialRows | undefined> {
    const changed = new Map<string, ChangedRows>([
      [object.collection, new Map([[object.key, object.value]])],
    ]);
    const inputs = Map.groupBy(readers, ({collection}) => collection);
    for (const facts of this.#facts) {
      const {name, kind} = facts;
      if (name === object.collection) continue;
      let rows: ChangedRows | undefined;
      if (kind === 'index') rows = yield* this.#indexRows(facts, changed);
      else if (kind === 'join' || kind === 'map') rows = yield* this.#viewRows(facts, changed);
      else {
        const own = new Set((inputs.get(name) ?? []).map(({input}) => input));
        for (const parent of facts.parents) for (const key of changed.get(parent)?.keys() ?? []) own.add(key);
        rows = new Map();
        for (const input of own) {
          yield;
          if (!this.#addRun(facts, input, changed, rows)) return undefined;
        }
      }
      if (rows !== undefined && rows.size > 0) changed.set(name, rows);
    }
    changed.delete(object.collection);
    return changed;
  }

  /** Adds the rows of one run that differ. False if the run cannot be repeated. */
  #addRun(
    facts: CollectionFacts,
    input: string,
    changed: ReadonlyMap<string, ChangedRows>,
    rows: ChangedRows,
  ): boolean {
    const {name} = facts;
    const run = this.#records.lastRun(name, input, this.#at);
    // A row that does not exist yet has no run to repeat.
    if (run === undefined) return true;
    const instead = insteadOf(facts, run, changed);
    if (instead.length === 0) return true;
    this.#cost += repeatCost(this.#records, run, this.#at);
    if (this.#cost > repeatBudget) return false;
    const rerun = this.#reader.rerun(run);
    if (rerun.faith.repeat !== 'same' || run.outcome === 'failed') return false;
    this.runs += 1;
    const {items, error, discarded} = rerun.runWith(instead);
    if (discarded) return true;
    const now = new Map(error === undefined ? items.map(one => [one.key, one.item]) : []);
    for (const key of this.#records.outputsOf(name, input, this.#at))
      if (!now.has(key)) rows.set(key, undefined);
    for (const [key, item] of now)
      if (!deepEqual(item, this.#records.value(name, key, this.#at))) rows.set(key, item);
    return true;
  }

  #valueOf(collection: string, key: string, changed: ReadonlyMap<string, ChangedRows>): unknown {
    const own = changed.get(collection);
    return own?.has(key) ? own.get(key) : this.#records.value(collection, key, this.#at);
  }

  *#viewRows(
    {name, parents}: CollectionFacts,
    changed: ReadonlyMap<string, ChangedRows>,
  ): ImpactSteps<ChangedRows> {
    const rows: ChangedRows = new Map();
    for (const parent of parents)
      for (const key of changed.get(parent)?.keys() ?? []) {
        if (rows.has(key)) continue;
        yield;
        const parts = parents.map(one => this.#valueOf(one, key, changed)).filter(one => one !== undefined);
        const made = this.#records.formulas?.view(name, parts, this.#at ?? this.#records.newest());
        const item = parts.length === 0 ? undefined : (made?.item ?? parts[0]);
        if (!deepEqual(item, this.#records.value(name, key, this.#at))) rows.set(key, item);
      }
    return rows;
  }

  *#indexRows(
    {name, parents: [parent = '']}: CollectionFacts,
    changed: ReadonlyMap<string, ChangedRows>,
  ): ImpactSteps<ChangedRows> {
    const members = changed.get(parent) ?? new Map<string, unknown>();
    const added = new Map<string, unknown[]>();
    const groupsOf = (item: unknown) =>
      item === undefined ? [] : (this.#records.formulas?.groups(name, item) ?? []);
    for (const [member, now] of members) {
      yield;
      for (const group of groupsOf(this.#records.value(parent, member, this.#at)))
        if (!added.has(group)) added.set(group, []);
      for (const group of groupsOf(now)) {
        const items = added.get(group) ?? [];
        items.push(now);
        added.set(group, items);
      }
    }
    const rows: ChangedRows = new Map();
    for (const [group, items] of added) {
      yield;
      const others = this.#records
        .inputsOf(name, group, this.#at)
        .filter(member => !members.has(member))
        .map(member => this.#records.value(parent, member, this.#at));
      const objects = [...others, ...items];
      const row = this.#records.value(name, group, this.#at) as GroupedRow | undefined;
      rows.set(group, objects.length === 0 ? undefined : {...row, key: group, objects});
    }
    return rows;
  }
}

/** The changed rows that a run could see: its input, and rows of collections that it fetches from. */
function insteadOf(
  {parents}: CollectionFacts,
  {input, fetches}: RecordedRun,
  changed: ReadonlyMap<string, ChangedRows>,
): CounterfactualObject[] {
  const found: CounterfactualObject[] = [];
  for (const parent of parents) {
    const rows = changed.get(parent);
    if (rows?.has(input)) found.push({collection: parent, key: input, value: rows.get(input)});
  }
  for (const collection of new Set(fetches.map(fetch => fetch.collection)))
    for (const [key, value] of changed.get(collection) ?? [])
      if (!(parents.includes(collection) && key === input)) found.push({collection, key, value});
  return found;
}
