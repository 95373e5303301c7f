// The public contract of every collection, and the options of their constructors. Types only.

import type {Change} from './change.ts';
import type {HandlerContext} from './context.ts';
import type {Labels, Metadata} from './labels.ts';
import type {Outcome} from './trace.ts';

/** source static trigger derived many singleton status map join index file, as the graph shows them. */
export type CollectionKind =
  | 'source'
  | 'static'
  | 'trigger'
  | 'derived'
  | 'many'
  | 'singleton'
  | 'status'
  | 'map'
  | 'join'
  | 'index'
  | 'file';

export interface Registration {
  /** True once the collection is synced and every initial call has returned (its promise included). */
  hasSynced(): boolean;
  waitUntilSynced(stop?: AbortSignal): Promise<boolean>;
  /** Drops the undelivered backlog. A second call does nothing. */
  unregisterHandler(): void;
}

export type Handler<T> = (change: Change<T>) => void | Promise<void>;
export type BatchHandler<T> = (changes: Change<T>[]) => void | Promise<void>;

export interface RowState {
  key: string;
  /** The input that owns the row; absent for sources and views. */
  input?: string;
  /** The last run failed or is suspended; the row is that input's last good one. */
  stale: boolean;
  /** Outcome of the owner's last run; of the last change for sources and views. */
  outcome: Outcome;
  waitingFor?: string;
  error?: string;
}

export interface Collection<T> {
  readonly name: string;
  readonly uid: number;
  getKey(key: string): T | undefined;
  /** A fresh array in no particular order. */
  list(): T[];
  hasSynced(): boolean;
  /** Resolves true when synced, false when the collection is stopped or the signal fires first. */
  waitUntilSynced(stop?: AbortSignal): Promise<boolean>;
  /** One call per change, after the batch has settled; what exists is replayed before this returns. */
  register(handler: Handler<T>): Registration;
  /** One call per batch; the replay is one call, and left out with `runExistingState` false. */
  registerBatch(handler: BatchHandler<T>, runExistingState?: boolean): Registration;
  metadata(): Metadata | undefined;
  /** How a row stands: by its key, or by the key of an input that has no row. */
  rowState(key: string): RowState | undefined;
  /** Ends it: rows stay readable, nothing is announced any more, nothing it registered stays. */
  stop(): void;
}

export interface DerivedCollection<I, O> extends Collection<O> {
  /** One batch: every input runs once, only differences are announced. */
  replaceFormula(formula: (ctx: HandlerContext, item: I) => unknown): void;
}

export interface SyncLatch {
  hasSynced(): boolean;
  /** A batch. What waits for the collections of this latch runs in it. */
  markSynced(): void;
}

export interface StaticCollection<T> extends Collection<T> {
  /** Add or replace; announced even if equal, unless it is the identical object. */
  updateObject(object: T): void;
  /** Add or replace; announced only if not equal. */
  conditionalUpdateObject(object: T): void;
  deleteObject(key: string): void;
  deleteObjects(matches: (object: T) => boolean): void;
  /** Replaces everything; equal objects are not announced. */
  reset(objects: readonly T[]): void;
}

export interface Singleton<T> extends Collection<T> {
  get(): T | undefined;
  asCollection(): Collection<T>;
}

export interface DerivedSingleton<T> extends Singleton<T> {
  replaceFormula(formula: (ctx: HandlerContext) => T | null | undefined): void;
}

export interface StaticSingleton<T> extends Singleton<T> {
  set(value: T | null | undefined): void;
  markSynced(): void;
}

/** Where keys, labels, selector and namespace of items come from when not from the items themselves. */
export interface Options<T> {
  name?: string;
  key?: (item: T) => string;
  labels?: (item: T) => Labels | null | undefined;
  selector?: (item: T) => Labels | null | undefined;
  namespace?: (item: T) => string | null | undefined;
  equals?: (a: T, b: T) => boolean;
  /** The view of an item that filters see, at fetch and at change time alike. */
  augment?: (item: T) => unknown;
  metadata?: Metadata;
  /** The latch that says when this source has its first full list; false waits for `markSynced`. */
  synced?: SyncLatch | boolean;
  /** joinCollection: the members promise never to share a key. */
  unchecked?: boolean;
  /** Index as a collection: turns a bucket's text back into a key that is not a string. */
  fromString?: (key: string) => unknown;
}
