// Collections of the plain engine without a formula: maps, joins, merges, groups, status rows.

import type {Options} from '../index.ts';
import type {PlainDerived} from './plain-derived.ts';
import {type Item, PlainCollection, type PlainEngine, type Rows, safely} from './plain-engine.ts';

/** A collection whose rows are a pure function of other collections' rows. */
export class PlainView extends PlainCollection {
  readonly #upstreams: () => readonly PlainCollection[];
  readonly #begun: (upstreams: readonly PlainCollection[]) => boolean;
  readonly #rows: (view: PlainView, live: readonly PlainCollection[]) => Rows;
  #complete = false;

  /** It starts when `begun` says so, or at once. It is synced when all its inputs are. */
  constructor(
    engine: PlainEngine,
    options: Options<Item>,
    upstreams: () => readonly PlainCollection[],
    begun: (upstreams: readonly PlainCollection[]) => boolean,
    rows: (view: PlainView, live: readonly PlainCollection[]) => Rows,
  ) {
    super(engine, options);
    this.#upstreams = upstreams;
    this.#begun = begun;
    this.#rows = rows;
    this.join();
  }

  protected compute(): Rows | undefined {
    const upstreams = this.#upstreams();
    for (const upstream of upstreams) upstream.settle();
    this.#complete = upstreams.every(({synced}) => synced);
    if (!this.synced && !this.#begun(upstreams)) return undefined;
    return this.#rows(
      this,
      upstreams.filter(({synced}) => synced),
    );
  }

  protected isReady(): boolean {
    return this.#complete;
  }
}

export const allSynced = (upstreams: readonly PlainCollection[]) => upstreams.every(({synced}) => synced);

/** One row for each key, from all items that the collections hold under it. */
export function byKey(live: readonly PlainCollection[], rowOf: (key: string, items: Item[]) => Item): Rows {
  const rows: Rows = new Map();
  for (const key of new Set(live.flatMap(({rows: held}) => [...held.keys()]))) {
    const row = rowOf(
      key,
      live.flatMap(({rows: held}) => held.get(key) ?? []),
    );
    if (row !== undefined && row !== null) rows.set(key, row);
  }
  return rows;
}

/** A merge that throws leaves the row unchanged. */
export function merged(
  view: PlainView,
  live: readonly PlainCollection[],
  merge: (items: Item[]) => Item,
): Rows {
  return byKey(live, (key, items) => {
    const old = view.before.get(key);
    return safely(() => {
      const now = merge(items) ?? undefined;
      return old !== undefined && now !== undefined && view.equals(old, now) ? old : now;
    }, old);
  });
}

/** A map runs again for each changed row and passes every update on. */
export function mapped(view: PlainView, below: PlainCollection, project: (item: Item) => Item): Rows {
  return byKey([below], (key, [item]) => {
    const old = view.before.get(key);
    const asked = !below.changes.has(key) && view.synced;
    if (asked) return old;
    return safely(() => {
      const now = project(item);
      // The real engine checks that the key stayed the same.
      if (now !== undefined) view.options.key?.(now);
      return now;
    }, old);
  });
}

export class PlainIndex {
  readonly collection: PlainCollection;
  readonly #extract: (item: Item) => Iterable<Item>;

  constructor(collection: PlainCollection, extract: (item: Item) => Iterable<Item>) {
    this.collection = collection;
    this.#extract = extract;
    // Refuses items that it cannot read.
    for (const item of collection.list()) extract(item);
  }

  keysOf(item: Item): string[] {
    return safely(() => [...(this.#extract(item) ?? [])].map(String), []);
  }

  asCollection(options: Options<Item> = {}): PlainView {
    const {engine} = this.collection;
    return new PlainView(
      engine,
      options,
      () => [this.collection],
      allSynced,
      view => this.#groups(view),
    );
  }

  #groups(view: PlainView): Rows {
    const {rows, changes} = this.collection;
    const touched = new Set(
      [...changes.values()].flatMap(c =>
        [c.old, c.new].flatMap(item => (item === undefined ? [] : this.keysOf(item))),
      ),
    );
    const groups = new Map<string, [string, Item][]>();
    for (const [key, item] of rows) {
      for (const bucket of this.keysOf(item))
        groups.set(bucket, [...(groups.get(bucket) ?? []), [key, item]]);
    }
    const rowOf = (bucket: string, held: [string, Item][]) => {
      const old = view.before.get(bucket);
      if (old !== undefined && !touched.has(bucket)) return old;
      return {key: bucket, objects: held.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)};
    };
    return new Map([...groups].map(([bucket, held]) => [bucket, rowOf(bucket, held)]));
  }
}

/** Status rows. They are synced after the outputs. */
export function statusPair(outputs: PlainDerived): [PlainCollection, PlainDerived] {
  const rowsOf = (view: PlainView): Rows => {
    const said = [...outputs.inputs].filter(([, {status}]) => status !== undefined);
    return new Map(said.map(([key, {status}]) => [key, view.keep(view.before.get(key), status)]));
  };
  return [
    new PlainView(
      outputs.engine,
      {},
      () => [outputs],
      () => true,
      rowsOf,
    ),
    outputs,
  ];
}
