// The reference engine: the same rules in the least code. Read it first. It has no memo, no shared queries, no index
// and no topological order. After every batch it recomputes everything that a change may affect. It has the public
// names that random graphs need. Model tests and the fuzzer play the same scripts on both engines and compare the
// results.

import type {Change, Options} from '../index.ts';
import {equal} from '../values/equality.ts';
import {ownKey} from '../values/key.ts';

// biome-ignore lint/suspicious/noExplicitAny: what users hold is theirs, here as there.
export type Item = any;
export type Rows = Map<string, Item>;

export class PlainEngine {
  readonly collections: PlainCollection[] = [];
  /** Runs of the last batch, as `collection input`. */
  readonly ran = new Set<string>();
  turn = 0;
  uids = 1;
  #open = false;

  /** Applies the writes, settles, then announces. Handlers never see half a batch. */
  batch<R>(f: () => R): R {
    if (this.#open) return f();
    this.#open = true;
    this.turn++;
    this.ran.clear();
    for (const collection of this.collections) collection.begin();
    try {
      return f();
    } finally {
      for (const collection of [...this.collections]) collection.settle();
      this.#open = false;
      for (const collection of [...this.collections]) collection.tell();
    }
  }
}

/** A collection: its rows and their changes in this batch. Each kind computes its rows differently. */
export abstract class PlainCollection {
  readonly engine: PlainEngine;
  readonly name: string;
  readonly uid: number;
  readonly options: Options<Item>;
  rows: Rows = new Map();
  before: Rows = new Map();
  changes = new Map<string, Change>();
  synced = false;
  syncedNow = false;
  readonly #handlers: ((changes: Change[]) => void)[] = [];
  #settledIn = 0;
  protected stopped = false;

  constructor(engine: PlainEngine, options: Options<Item>) {
    this.engine = engine;
    this.options = options;
    this.name = options.name ?? '';
    this.uid = ++engine.uids;
  }

  /** Call it at the end of the constructor: the collection settles in this batch. */
  protected join(): void {
    this.engine.batch(() => this.engine.collections.push(this));
  }

  /** The current rows; the same object if nothing changed. Undefined if they cannot be computed yet. */
  protected abstract compute(): Rows | undefined;
  protected abstract isReady(): boolean;

  begin(): void {
    this.before = this.rows;
    this.changes = new Map();
    this.syncedNow = false;
  }

  settle(): void {
    if (this.#settledIn === this.engine.turn || this.stopped) return;
    this.#settledIn = this.engine.turn;
    this.rows = this.compute() ?? this.rows;
    for (const key of new Set([...this.before.keys(), ...this.rows.keys()])) {
      const [old, now] = [this.before.get(key), this.rows.get(key)];
      if (old === now) continue;
      if (old === undefined) this.changes.set(key, {event: 'add', key, new: now});
      else if (now === undefined) this.changes.set(key, {event: 'delete', key, old});
      else this.changes.set(key, {event: 'update', key, old, new: now});
    }
    if (!this.synced && this.isReady()) {
      this.synced = true;
      this.syncedNow = true;
    }
  }

  tell(): void {
    for (const handler of this.#handlers)
      if (this.changes.size > 0) safely(() => handler([...this.changes.values()]), undefined);
  }

  keyOf(item: Item): string {
    const key = this.options.key === undefined ? ownKey(item, this.name) : this.options.key(item);
    if (typeof key !== 'string') throw new Error('a key is a text');
    return key;
  }

  equals(a: Item, b: Item): boolean {
    return a === b || (this.options.equals ?? equal)(a, b);
  }

  /** Returns `old` itself if `now` equals it. */
  keep(old: Item, now: Item): Item {
    return old !== undefined && safely(() => this.equals(old, now), false) ? old : now;
  }

  list(): Item[] {
    return [...this.rows.values()];
  }

  getKey(key: string): Item {
    return this.rows.get(key);
  }

  hasSynced(): boolean {
    return this.synced;
  }

  registerBatch(handler: (changes: Change[]) => void, replay = true): void {
    this.#handlers.push(handler);
    const adds = [...this.rows].map(([key, item]): Change => ({event: 'add', key, new: item}));
    if (replay && adds.length > 0) safely(() => handler(adds), undefined);
  }

  stop(): void {
    this.stopped = true;
    this.#handlers.length = 0;
    this.engine.collections.splice(this.engine.collections.indexOf(this), 1);
  }
}

/** Calls a user's function. Returns `otherwise` if it throws. */
export function safely<T>(f: () => T, otherwise: T): T {
  try {
    return f();
  } catch {
    return otherwise;
  }
}

export class PlainSource extends PlainCollection {
  readonly #latch: {synced: boolean};

  constructor(engine: PlainEngine, items: readonly Item[], options: Options<Item>) {
    super(engine, options);
    const {synced} = options;
    this.#latch = typeof synced === 'object' ? (synced as never) : {synced: synced !== false};
    for (const item of items) this.rows.set(this.keyOf(item), item);
    this.join();
  }

  protected write(change: (rows: Rows) => void): void {
    if (this.stopped) return;
    this.engine.batch(() => {
      const rows = new Map(this.rows);
      change(rows);
      this.rows = rows;
    });
  }

  protected compute(): Rows {
    return this.rows;
  }

  protected isReady(): boolean {
    return this.#latch.synced;
  }

  markSynced(): void {
    this.engine.batch(() => {
      this.#latch.synced = true;
    });
  }

  updateObject(item: Item): void {
    this.write(rows => rows.set(this.keyOf(item), item));
  }

  conditionalUpdateObject(item: Item): void {
    this.write(rows => this.#setUnlessEqual(rows, item));
  }

  #setUnlessEqual(rows: Rows, item: Item): void {
    const old = rows.get(this.keyOf(item));
    if (old === undefined || !this.equals(old, item)) rows.set(this.keyOf(item), item);
  }

  deleteObject(key: string): void {
    this.write(rows => rows.delete(key));
  }

  deleteObjects(matches: (item: Item) => boolean): void {
    this.write(rows => {
      for (const [key, item] of rows) if (matches(item)) rows.delete(key);
    });
  }

  reset(items: readonly Item[]): void {
    this.write(rows => {
      const kept = new Map(items.map(item => [this.keyOf(item), item]));
      for (const key of [...rows.keys()]) if (!kept.has(key)) rows.delete(key);
      for (const item of kept.values()) this.#setUnlessEqual(rows, item);
    });
  }

  set(item: Item): void {
    this.write(rows => {
      for (const key of [...rows.keys()])
        if (item === undefined || key !== this.keyOf(item)) rows.delete(key);
      if (item !== undefined) rows.set(this.keyOf(item), item);
    });
  }
}
