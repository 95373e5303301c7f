// Derived collections of the plain engine. Every input that a change may affect runs again.

import type {Options} from '../index.ts';
import {type Item, PlainCollection, type PlainEngine, type Rows} from './plain-engine.ts';

/** One read of a run, with enough detail to decide later whether a change affects it. */
export interface PlainFetch {
  readonly target: PlainCollection;
  matches(key: string, item: Item): boolean;
  /** An update from one match to another that the filter ignores. */
  same(old: Item, now: Item): boolean;
}

/** The state of one input of a derived collection. */
export interface PlainInput {
  accepted: boolean;
  rows: ReadonlyMap<string, Item>;
  status: Item;
  outcome: 'ok' | 'failed' | 'suspended' | 'discarded';
  /** The reads of its last run. After a discarded run, the reads of the last accepted run follow. */
  dependencies: readonly PlainFetch[];
  acceptedFetches: readonly PlainFetch[];
  waitingFor: PlainCollection | undefined;
}

export type Formula = (ctx: PlainContext, item: Item) => Item;

class Waiting extends Error {}

/** Whether the filter selects an item of a collection. */
export interface PlainFilter {
  (target: PlainCollection, key: string, item: Item): boolean;
  readonly last?: boolean;
}

export class PlainContext {
  readonly fetched: PlainFetch[] = [];
  discarded = false;
  waitingFor: PlainCollection | undefined;

  discardResult(): void {
    this.discarded = true;
  }

  read(target: PlainCollection, filters: readonly PlainFilter[], same: PlainFetch['same']): Item[] {
    target.settle();
    if (!target.synced) {
      this.waitingFor ??= target;
      throw new Waiting();
    }
    // Call user functions last, on the items that all other clauses selected.
    const asked = [...filters].sort((a, b) => Number(a.last === true) - Number(b.last === true));
    const matches = (key: string, item: Item) => asked.every(filter => filter(target, key, item));
    this.fetched.push({target, matches, same});
    return [...target.rows].filter(([key, item]) => matches(key, item)).map(([, item]) => item);
  }
}

/** The parts of a formula's result: its status and its items. */
export type Shape = (result: Item) => readonly [Item, readonly Item[]];
export const one: Shape = result => [undefined, result === undefined || result === null ? [] : [result]];
export const many: Shape = result => [undefined, result ?? []];
export const withStatus =
  (shape: Shape): Shape =>
  result => [result?.[0], shape(result?.[1])[1]];

export class PlainDerived extends PlainCollection {
  readonly #parent: PlainCollection | undefined;
  #formula: Formula;
  readonly #shape: Shape;
  readonly inputs = new Map<string, PlainInput>();
  readonly owners = new Map<string, string>();
  #replaced = false;
  /** Inputs that were suspended at the start. Until they run, the collection is not synced. */
  #holding: Set<string> | undefined;

  /** Without a parent it has one input, which never changes. */
  constructor(
    engine: PlainEngine,
    parent: PlainCollection | undefined,
    formula: Formula,
    shape: Shape,
    options: Options<Item>,
  ) {
    super(engine, options);
    this.#parent = parent;
    this.#formula = formula;
    this.#shape = shape;
    this.join();
  }

  replaceFormula(formula: Formula): void {
    this.engine.batch(() => {
      this.#formula = formula;
      this.#replaced = true;
    });
  }

  protected compute(): Rows | undefined {
    this.#parent?.settle();
    if (this.#parent?.synced === false) return undefined;
    const items: Rows = this.#parent?.rows ?? new Map([['', null]]);
    for (const key of [...this.inputs.keys()]) if (!items.has(key)) this.inputs.delete(key);
    for (const [key, item] of items) {
      const before = this.inputs.get(key);
      if (before !== undefined && !this.#mayBeTouched(key, before)) continue;
      this.engine.ran.add(`${this.name} ${key}`);
      this.inputs.set(key, this.#run(item, before));
    }
    this.#replaced = false;
    const waiting = new Set(
      [...this.inputs].filter(([, input]) => input.outcome === 'suspended').map(([key]) => key),
    );
    this.#holding = this.#holding === undefined ? waiting : this.#holding.intersection(waiting);
    return this.#owned();
  }

  #mayBeTouched(key: string, {dependencies, waitingFor}: PlainInput): boolean {
    if (this.#replaced || this.#parent?.changes.has(key) === true) return true;
    waitingFor?.settle();
    if (waitingFor?.syncedNow === true) return true;
    for (const {target} of dependencies) target.settle();
    return dependencies.some(({target}) => target.changes.size > 0);
  }

  #run(item: Item, before: PlainInput | undefined): PlainInput {
    const ctx = new PlainContext();
    const kept: PlainInput = {
      accepted: before?.accepted ?? false,
      rows: before?.rows ?? new Map(),
      status: before?.status,
      outcome: 'failed',
      dependencies: ctx.fetched,
      acceptedFetches: before?.acceptedFetches ?? [],
      waitingFor: undefined,
    };
    try {
      const [said, items] = this.#shape(this.#formula(ctx, item));
      if (ctx.waitingFor !== undefined) throw new Waiting();
      const rows: Rows = new Map();
      for (const row of items) rows.set(this.keyOf(row), row);
      // If a key occurs twice, only the last item counts and is compared.
      for (const [key, row] of rows) {
        const old = kept.rows.get(key);
        if (old !== undefined && this.equals(old, row)) rows.set(key, old);
      }
      const status = said === undefined ? undefined : {obj: item, status: said};
      if (ctx.discarded && (kept.accepted || rows.size === 0)) {
        return {
          ...kept,
          status,
          outcome: 'discarded',
          dependencies: [...ctx.fetched, ...kept.acceptedFetches],
        };
      }
      return {...kept, accepted: true, rows, status, outcome: 'ok', acceptedFetches: ctx.fetched};
    } catch {
      const {waitingFor} = ctx;
      return waitingFor === undefined ? kept : {...kept, outcome: 'suspended', waitingFor};
    }
  }

  // If several inputs yield a key, the smallest owns the row.
  #owned(): Rows {
    const rows: Rows = new Map();
    this.owners.clear();
    for (const input of [...this.inputs.keys()].sort()) {
      for (const [key, row] of (this.inputs.get(input) as PlainInput).rows) {
        if (rows.has(key)) continue;
        rows.set(key, this.keep(this.before.get(key), row));
        this.owners.set(key, input);
      }
    }
    return rows;
  }

  protected isReady(): boolean {
    return this.#holding !== undefined && this.#holding.size === 0;
  }

  rowState(key: string): {input: string; stale: boolean} | undefined {
    const input = this.owners.get(key);
    if (input === undefined) return undefined;
    const {outcome} = this.inputs.get(input) as PlainInput;
    return {input, stale: outcome === 'failed' || outcome === 'suspended'};
  }

  get(): Item {
    return this.list()[0];
  }
}
