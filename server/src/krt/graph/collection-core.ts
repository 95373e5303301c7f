// The base of every collection: rows, subscribers and its turn in a batch. Subclasses say where rows come
// from. This file says how a settled change of a row reaches everyone.

import {ReusableList} from '../containers/reusable-list.ts';
import {type Row, type RowAttributes, type RowInput, settledValue} from '../containers/row.ts';
import {RowsByKey} from '../containers/rows-by-key.ts';
import {CollectionQueries} from '../query/collection-queries.ts';
import type {IndexCore} from '../query/index-core.ts';
import {ItemAttributes} from '../query/item-attributes.ts';
import type {Change} from '../values/change.ts';
import type {
  BatchHandler,
  CollectionKind,
  Handler,
  Options,
  Registration,
  RowState,
} from '../values/collection.ts';
import {createItemComparer, EQUAL} from '../values/equality.ts';
import {EngineError} from '../values/error.ts';
import {type ItemAccessors, itemAccessorsOf} from '../values/item-accessors.ts';
import {noItemError, requireKey, requireTextKey} from '../values/key.ts';
import type {Metadata} from '../values/labels.ts';
import type {EngineCore} from './engine.ts';
import {type CollectionHandlerQueue, registerHandler} from './handler-queue.ts';
import {SyncWaiters} from './sync-waiters.ts';

export abstract class CollectionCore {
  readonly engine: EngineCore;
  name: string;
  readonly uid: number;
  abstract readonly kind: CollectionKind;
  readonly rows = new RowsByKey();
  level = 0;
  queued = false;
  stopped = false;
  synced = false;
  /** The private input of singletons, which is not shown. */
  hidden = false;
  /** Written from outside: its changes are the roots of a batch. */
  readonly root: boolean = false;
  /** The run that made it is under way, and may wait for it. */
  inMaking = false;
  /** Its turn is under way. */
  busy = false;
  visit = 0;
  /** Rows changed in this batch. */
  readonly #dirty = new ReusableList<Row>();
  /** The only change of the batch so far. It needs no list and no queue. */
  #only: Row | null = null;
  children: ChildCollection[] = [];
  views: CollectionView[] = [];
  /** Collections with an input that fetches from this one. */
  readonly readers = new Set<CollectionCore>();
  queries: CollectionQueries | null = null;
  indexes: IndexCore[] = [];
  handlers: CollectionHandlerQueue[] = [];
  /** The changes of this batch, for the handlers. */
  changes: Change[] | null = null;
  waiters: Set<RowInput> | null = null;
  readonly accessors: ItemAccessors;
  readonly compare: (a: unknown, b: unknown) => number;
  readonly keyOption: ((item: unknown) => string) | null;
  readonly #metadata: Metadata | undefined;
  readonly #waits = new SyncWaiters();

  constructor(
    engine: EngineCore,
    name: string,
    options: Options<unknown>,
    base?: ItemAccessors,
    uid?: number,
  ) {
    this.engine = engine;
    this.name = requireTextName(options.name ?? name);
    this.uid = uid ?? engine.nextUid();
    this.#metadata = options.metadata;
    this.accessors = itemAccessorsOf(options, base);
    this.compare = createItemComparer(options.equals);
    this.keyOption = options.key ?? null;
  }

  /** The key of an item of this collection; throws if it has none. */
  keyOf(item: unknown): string {
    if (item === undefined || item === null) throw noItemError(item, this.name);
    if (this.keyOption === null) return requireKey(item, this.name);
    return requireTextKey(this.keyOption(item), item, this.name);
  }

  /** Does its work in a batch and flushes. */
  abstract turn(only: RowInput | null): void;
  /** Collections that it is built on or fetches from. */
  abstract upstreams(): Iterable<CollectionCore>;
  abstract rowState(key: string): RowState | undefined;
  /** Withdraws everything it registered elsewhere. */
  protected abstract withdraw(): void;

  /** Attributes of the settled item. */
  attributesOf(row: Row): RowAttributes {
    row.attributes ??= new ItemAttributes(this, row.key, settledValue(row));
    return row.attributes;
  }

  /** The item that readers see: sources show writes at once, all others show settled items. */
  visibleItem(row: Row): unknown {
    return this.root ? row.value : settledValue(row);
  }

  /** Equal by the equality of the collection; false if that throws. */
  safelyEqual(a: unknown, b: unknown): boolean {
    try {
      return this.compare(a, b) === EQUAL;
    } catch {
      return false;
    }
  }

  markDirty(row: Row): void {
    if (row.dirty) return;
    row.dirty = true;
    row.before = row.value;
    this.#dirty.add(row);
  }

  /** Like markDirty, if this is the first change of the batch. */
  protected markOnly(row: Row): void {
    row.dirty = true;
    row.before = row.value;
    this.#only = row;
  }

  /** Something else has changed too. */
  queueOnly(): void {
    if (this.#only !== null) this.#dirty.add(this.#only);
    this.#only = null;
    this.engine.enqueue(this);
  }

  /** The turn of a batch with one change. */
  turnOfOnly(): void {
    const row = this.#only;
    this.#only = null;
    if (row !== null) this.#flushRow(row);
  }

  /** Gives a settled row another item that is equal, without an announcement. */
  protected replaceSilently(row: Row, item: unknown): void {
    row.value = item;
    this.queries?.replaced(row, item);
  }

  /** Gives a settled row another item and announces it at once, if the turn has no other change of this row. */
  announceNow(row: Row, now: unknown): void {
    const old = row.value;
    row.value = now;
    row.updated = true;
    this.publish(row, old, now);
  }

  /** Announces the net change of every dirty row. */
  flush(): void {
    const dirty = this.#dirty;
    for (let i = 0; i < dirty.count; i++) this.#flushRow(dirty.at(i));
    dirty.clear();
  }

  #flushRow(row: Row): void {
    const old = row.before;
    const now = row.value;
    row.dirty = false;
    row.before = undefined;
    if (now === undefined) this.dropRow(row);
    // NaN is itself.
    if (old === now || (Number.isNaN(old) && Number.isNaN(now))) {
      for (const index of this.indexes) index.revertRow(row);
      return;
    }
    row.updated = old !== undefined;
    this.publish(row, old, now);
  }

  protected dropRow(row: Row): void {
    this.rows.delete(row.key);
    // The row may have come and gone without an announcement.
    if (this.engine.violationStore.size > 0)
      this.engine.violationStore.clear('attribute-failed', this, row.key);
  }

  publish(row: Row, old: unknown, now: unknown): void {
    const engine = this.engine;
    engine.changed = true;
    if (engine.recorder !== null) engine.recorder.publish(this, row, old, now);
    if (engine.violationStore.size > 0) engine.violationStore.clear('attribute-failed', this, row.key);
    if (this.handlers.length > 0) this.announceRow(row, old, now);
    if (this.indexes.length > 0) this.#index(row, now);
    const was = row.attributes;
    if (was !== null) row.attributes = null;
    if (!this.synced) return;
    if (this.queries !== null)
      this.queries.changed(row, old, now, was ?? new ItemAttributes(this, row.key, old));
    if (old === undefined) for (const child of this.children) child.inputAdded(row);
    else if (Array.isArray(row.attached))
      for (const input of row.attached) input.collection.inputChanged(input, now);
    else if (row.attached !== null) row.attached.collection.inputChanged(row.attached, now);
    if (this.views.length > 0) for (const view of this.views) view.upstreamChanged(this, row, old, now);
  }

  #index(row: Row, now: unknown): void {
    for (const index of this.indexes) {
      // Sources keep their indexes as they are written.
      if (!this.root) index.write(row, now);
      index.announce(row);
    }
  }

  announceRow(row: Row, old: unknown, now: unknown): void {
    this.announce(changeOf(row.key, old, now));
  }

  announce(change: Change): void {
    if (this.changes === null) {
      this.changes = [change];
      this.engine.announced(this);
    } else this.changes.push(change);
  }

  /** From now on it announces its rows. All waiting collections get all rows in this batch. */
  becomeSynced(): void {
    if (this.synced) return;
    this.synced = true;
    const {engine} = this;
    engine.becameSynced(this);
    for (const child of this.children) child.parentSynced();
    for (const view of this.views) view.upstreamSynced(this);
    const waiters = this.waiters;
    if (waiters === null) return;
    this.waiters = null;
    for (const entry of waiters) entry.collection.resume(entry, this);
  }

  queriesForFetch(): CollectionQueries {
    this.queries ??= new CollectionQueries(this);
    return this.queries;
  }

  /** Raises the level of this collection, and of everything built on it. */
  raiseLevel(level: number): void {
    const raised: [CollectionCore, number][] = [[this, level]];
    // No recursion: a chain may be longer than the stack.
    for (let next = raised.pop(); next !== undefined; next = raised.pop()) {
      const [core, above] = next;
      if (core.level >= above) continue;
      core.level = above;
      for (const child of core.children) raised.push([child, above + 1]);
      for (const view of core.views) raised.push([view, above + 1]);
      for (const reader of core.readers) raised.push([reader, above + 1]);
    }
  }

  // --- public methods ---

  getKey(key: string): unknown {
    this.engine.noteUntrackedRead(this);
    const row = this.rows.get(key);
    return row === undefined ? undefined : this.visibleItem(row);
  }

  list(): unknown[] {
    this.engine.noteUntrackedRead(this);
    return this.items();
  }

  items(): unknown[] {
    const found: unknown[] = [];
    for (const row of this.rows.values()) {
      const item = this.visibleItem(row);
      if (item !== undefined) found.push(item);
    }
    return found;
  }

  get size(): number {
    return this.#dirty.count === 0 && this.#only === null ? this.rows.size : this.items().length;
  }

  hasSynced(): boolean {
    return this.synced;
  }

  waitUntilSynced(stop?: AbortSignal): Promise<boolean> {
    if (this.synced) return Promise.resolve(true);
    if (this.stopped || stop?.aborted) return Promise.resolve(false);
    return this.#waits.wait(stop);
  }

  /** Resolves the promises of waitUntilSynced. */
  releaseWaits(): void {
    this.#waits.release(this.synced);
  }

  register(handler: Handler<unknown>): Registration {
    return registerHandler(this, handler as (payload: never) => unknown, true, true);
  }

  registerBatch(handler: BatchHandler<unknown>, runExistingState = true): Registration {
    return registerHandler(this, handler as (payload: never) => unknown, false, runExistingState);
  }

  metadata(): Metadata | undefined {
    return this.#metadata;
  }

  /** The settled rows for a new handler, without the writes of an open batch. */
  replay(): Change[] {
    const changes: Change[] = [];
    this.rows.forEach(row => {
      const item = settledValue(row);
      if (item !== undefined) changes.push({event: 'add', key: row.key, new: item});
    });
    return changes;
  }

  stop(): void {
    if (this.stopped) return;
    this.engine.write(() => this.end());
  }

  /** Like stop, inside an open batch. */
  end(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.withdraw();
    for (const handler of this.handlers) handler.drop();
    this.handlers = [];
    this.changes = null;
    this.children = [];
    this.views = [];
    this.engine.removeCollection(this);
    this.releaseWaits();
  }

  toJSON(): unknown {
    return {name: this.name, uid: this.uid};
  }
}

/** A collection with a formula for each row of this one. */
export interface ChildCollection extends CollectionCore {
  inputAdded(row: Row): void;
  parentSynced(): void;
}

/** A collection that is built on this one without a formula per input. */
export interface CollectionView extends CollectionCore {
  /** This collection has announced the change. */
  upstreamChanged(upstream: CollectionCore, row: Row, old: unknown, now: unknown): void;
  upstreamSynced(upstream: CollectionCore): void;
  /** Whether the view makes rows of the buckets of this index. */
  groups(index: IndexCore): boolean;
}

// Every message contains the name, so it must be a text.
function requireTextName(name: unknown): string {
  if (typeof name === 'string') return name;
  throw new EngineError('wiring', `the option name must be a text, and is ${typeof name}`);
}

export function changeOf(key: string, old: unknown, now: unknown): Change {
  if (old === undefined) return {event: 'add', key, new: now};
  if (now === undefined) return {event: 'delete', key, old};
  return {event: 'update', key, old, new: now};
}
