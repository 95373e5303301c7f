// What every collection is inside: rows, those who hang on it, its turn in a batch. Subclasses say where
// rows come from; this file says how a settled change of a row reaches everyone.

import type {Change} from '../api/change.ts';
import type {
  BatchHandler,
  CollectionKind,
  Handler,
  Labels,
  Metadata,
  Options,
  Registration,
  RowState,
} from '../api/collection.ts';
import {comparer} from '../api/equality.ts';
import {asSelector, ownLabels, ownNamespace, ownSelector, requiredKey} from '../api/key.ts';
import type {Derived} from '../kinds/derived.ts';
import type {View} from '../kinds/view.ts';
import type {IndexCore} from '../query/indexes.ts';
import {Queries} from '../query/query.ts';
import type {Entry} from '../run/entry.ts';
import type {Rows} from '../run/named-rows.ts';
import type {EngineCore} from './engine.ts';
import {type HandlerQueue, newRegistration} from './handler.ts';
import type {Row} from './row.ts';

const NO_LABELS: Labels = Object.freeze({});

/** How the items of a collection are read; views may take it over from what they look at. */
export interface Reading {
  labels: (view: unknown) => Labels;
  selector: (view: unknown) => Labels;
  namespace: (view: unknown) => string;
  augment: ((item: unknown) => unknown) | null;
}

function readingOf(options: Options<unknown>, base: Reading | undefined): Reading {
  const {labels, selector, namespace} = options;
  return {
    labels: labels ? view => labels(view) ?? NO_LABELS : (base?.labels ?? ownLabels),
    selector: selector ? view => asSelector(selector(view)) : (base?.selector ?? ownSelector),
    namespace: namespace ? view => namespace(view) ?? '' : (base?.namespace ?? ownNamespace),
    augment: options.augment ?? base?.augment ?? null,
  };
}

export abstract class Core {
  readonly engine: EngineCore;
  name: string;
  readonly uid: number;
  abstract readonly kind: CollectionKind;
  readonly rows: Rows = new Map<string, Row>();
  level = 0;
  queued = false;
  stopped = false;
  synced = false;
  /** Not shown to anyone: the private input of singletons. */
  hidden = false;
  /** Written from outside: its changes are the roots of a batch. */
  readonly root: boolean = false;
  /** Its turn is under way. */
  busy = false;
  visit = 0;
  dirtyRows: Row[] = [];
  dirtyCount = 0;
  children: Derived[] = [];
  views: View[] = [];
  /** Collections with an input that fetches from this one. */
  readonly readers = new Set<Derived>();
  queries: Queries | null = null;
  indexes: IndexCore[] = [];
  handlers: HandlerQueue[] = [];
  /** This batch's changes, for the handlers. */
  changes: Change[] | null = null;
  waiters: Set<Entry> | null = null;
  readonly reading: Reading;
  readonly augment: ((item: unknown) => unknown) | null;
  readonly labelsOfView: (view: unknown) => Labels;
  readonly selectorOfView: (view: unknown) => Labels;
  readonly namespaceOfView: (view: unknown) => string;
  readonly plainEquality: boolean;
  readonly compare: (a: unknown, b: unknown) => number;
  readonly keyOption: ((item: unknown) => string) | null;
  readonly #metadata: Metadata | undefined;
  #waits: ((synced: boolean) => void)[] = [];

  constructor(engine: EngineCore, name: string, options: Options<unknown>, base?: Reading, uid?: number) {
    this.engine = engine;
    this.name = options.name ?? name;
    this.uid = uid ?? engine.nextUid();
    this.#metadata = options.metadata;
    this.reading = readingOf(options, base);
    this.augment = this.reading.augment;
    this.labelsOfView = this.reading.labels;
    this.selectorOfView = this.reading.selector;
    this.namespaceOfView = this.reading.namespace;
    this.compare = comparer(options.equals);
    this.plainEquality = options.equals === undefined;
    this.keyOption = options.key ?? null;
  }

  /** The key of an item of this collection; throws if it has none. */
  keyOf(item: unknown): string {
    return this.keyOption !== null ? this.keyOption(item) : requiredKey(item, this.name);
  }

  /** Does what the batch asks of it and then flushes. */
  abstract turn(): void;
  /** Collections that it is built on, or fetches from at the moment. */
  abstract upstreams(): Iterable<Core>;
  abstract rowState(key: string): RowState | undefined;
  /** Withdraws everything it registered elsewhere. */
  protected abstract withdraw(): void;

  // An item whose attributes cannot be read is filed under none; a fetch that meets it fails its run.
  labelsOf(item: unknown): Labels {
    try {
      return this.labelsOfView(this.augment === null ? item : this.augment(item));
    } catch {
      return NO_LABELS;
    }
  }

  namespaceOf(item: unknown): string {
    try {
      return this.namespaceOfView(this.augment === null ? item : this.augment(item));
    } catch {
      return '';
    }
  }

  /** null if the selector cannot be read. */
  selectorOrNull(item: unknown): Labels | null {
    try {
      return this.selectorOfView(this.augment === null ? item : this.augment(item));
    } catch {
      return null;
    }
  }

  touch(row: Row): void {
    if (row.dirty) return;
    row.dirty = true;
    row.before = row.value;
    this.dirtyRows[this.dirtyCount++] = row;
  }

  /** Announces the net change of every dirty row. */
  flush(): void {
    const count = this.dirtyCount;
    if (count === 0) return;
    const rows = this.dirtyRows;
    this.dirtyCount = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as Row;
      rows[i] = undefined as unknown as Row;
      row.dirty = false;
      const old = row.before;
      const now = row.value;
      row.before = undefined;
      if (now === undefined) this.forgetRow(row, old);
      if (old === now) continue;
      row.updated = old !== undefined;
      this.publish(row, old, now);
    }
    if (count > 1024) this.dirtyRows = [];
  }

  /** `old` is the item that it held before the batch, if any. */
  forgetRow(row: Row, _old: unknown): void {
    this.rows.delete(row.key);
  }

  publish(row: Row, old: unknown, now: unknown): void {
    const engine = this.engine;
    engine.changed = true;
    if (engine.recorder !== null) engine.recorder.publish(this, row, old, now);
    if (this.handlers.length > 0) this.announceRow(row, old, now);
    // Sources keep their indexes as they are written.
    if (this.indexes.length > 0 && !this.root) for (const index of this.indexes) index.changed(row, old, now);
    if (!this.synced) return;
    if (this.queries !== null) this.queries.changed(row, old, now);
    if (old === undefined) {
      for (let i = 0; i < this.children.length; i++) (this.children[i] as Derived).inputAdded(row);
    } else if (row.attached !== null) this.markAttached(row, now);
    for (let i = 0; i < this.views.length; i++) (this.views[i] as View).upstreamChanged(this, row, old, now);
  }

  /** A change of a row goes to its attached inputs and to nobody else. */
  get direct(): boolean {
    return this.synced && this.queries === null && this.views.length === 0 && this.indexes.length === 0;
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

  markAttached(row: Row, now: unknown): void {
    const attached = row.attached;
    if (Array.isArray(attached)) {
      for (let i = 0; i < attached.length; i++) {
        const entry = attached[i] as Entry;
        entry.collection.inputChanged(entry, now);
      }
    } else if (attached !== null) attached.collection.inputChanged(attached, now);
  }

  /** From here on it hands its rows on; in the same batch everyone who waited gets all of them. */
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
    for (const entry of waiters) {
      if (engine.recorder !== null) engine.recorder.syncCause(entry, this);
      entry.mark();
    }
  }

  queriesForFetch(): Queries {
    this.queries ??= new Queries(this);
    return this.queries;
  }

  raise(level: number): void {
    if (this.level >= level) return;
    this.level = level;
    for (const child of this.children) child.raise(level + 1);
    for (const view of this.views) view.raise(level + 1);
    for (const reader of this.readers) reader.raise(level + 1);
  }

  // --- what everyone may call ---

  getKey(key: string): unknown {
    this.engine.untracked(this);
    return this.rows.get(key)?.value;
  }

  list(): unknown[] {
    this.engine.untracked(this);
    return this.items();
  }

  items(): unknown[] {
    const found: unknown[] = [];
    this.rows.forEach(row => {
      if (row.value !== undefined) found.push(row.value);
    });
    return found;
  }

  get size(): number {
    if (this.dirtyCount === 0) return this.rows.size;
    let count = 0;
    this.rows.forEach(row => {
      if (row.value !== undefined) count++;
    });
    return count;
  }

  hasSynced(): boolean {
    return this.synced;
  }

  waitUntilSynced(stop?: AbortSignal): Promise<boolean> {
    if (this.synced) return Promise.resolve(true);
    if (this.stopped || stop?.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      this.#waits.push(resolve);
      stop?.addEventListener('abort', () => resolve(false), {once: true});
    });
  }

  /** Resolves the promises of waitUntilSynced. */
  releaseWaits(): void {
    if (this.#waits.length === 0) return;
    const waits = this.#waits;
    this.#waits = [];
    for (const resolve of waits) resolve(this.synced);
  }

  register(handler: Handler<unknown>): Registration {
    return newRegistration(this, handler as (payload: never) => unknown, true, true);
  }

  registerBatch(handler: BatchHandler<unknown>, runExistingState = true): Registration {
    return newRegistration(this, handler as (payload: never) => unknown, false, runExistingState);
  }

  metadata(): Metadata | undefined {
    return this.#metadata;
  }

  /** What a handler that comes now has to be told: the settled rows, not what an open batch wrote. */
  replay(): Change[] {
    const changes: Change[] = [];
    this.rows.forEach(row => {
      const item = row.dirty ? row.before : row.value;
      if (item !== undefined) changes.push({event: 'add', key: row.key, new: item});
    });
    return changes;
  }

  stop(): void {
    if (this.stopped) return;
    this.engine.write(() => this.end());
  }

  /** As stop, inside a batch that is under way. */
  end(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.withdraw();
    for (const handler of this.handlers) handler.drop();
    this.handlers = [];
    this.changes = null;
    for (const child of this.children) child.parentStopped();
    this.children = [];
    this.views = [];
    this.engine.forget(this);
    this.releaseWaits();
  }

  toJSON(): unknown {
    return {name: this.name, uid: this.uid};
  }
}

export function changeOf(key: string, old: unknown, now: unknown): Change {
  if (old === undefined) return {event: 'add', key, new: now};
  if (now === undefined) return {event: 'delete', key, old};
  return {event: 'update', key, old, new: now};
}
