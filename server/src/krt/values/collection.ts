// The public interface of collections, and the options of their constructors.

import type {Change} from './change.ts';
import type {HandlerContext} from './context.ts';
import type {Labels, Metadata} from './labels.ts';
import type {Outcome} from './trace.ts';

/** The kinds of collections, as the graph shows them. */
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
  /** The last run failed or is suspended. The row is from an earlier run. */
  stale: boolean;
  /** Outcome of the last run of the owner; for sources and views, of the last change. */
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
  /** The state of a row, by its key or by the key of an input without a row. */
  rowState(key: string): RowState | undefined;
  /** Stops the collection. Its rows stay readable, its subscriptions end, and it announces nothing more. */
  stop(): void;
}

export interface DerivedCollection<I, O> extends Collection<O> {
  /** In one batch, every input runs once and only differences are announced. */
  replaceFormula(formula: (ctx: HandlerContext, item: I) => unknown): void;
}

export interface SyncLatch {
  hasSynced(): boolean;
  /** Opens a batch, in which everything that waits for these collections runs. */
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

/** How keys, labels, selector and namespace are read, if not from the items themselves. */
export interface Options<T> {
  name?: string;
  key?: (item: T) => string;
  labels?: (item: T) => Labels | null | undefined;
  selector?: (item: T) => Labels | null | undefined;
  namespace?: (item: T) => string | null | undefined;
  equals?: (a: T, b: T) => boolean;
  /** What filters see instead of the item, at fetch time and at change time. */
  augment?: (item: T) => unknown;
  metadata?: Metadata;
  /** Tells when the source has its first full list; false waits for `markSynced`. */
  synced?: SyncLatch | boolean;
  /** joinCollection: the members promise never to share a key. */
  unchecked?: boolean;
  /** For an index as a collection: parses the text of a key that is not a string. */
  fromString?: (key: string) => unknown;
}
