// The interface of a cache for its readers and for controllers. informer-cache.ts implements it.

import type {Handler, Registration} from '../../kube/informer/change-handler.ts';
import type {KubeObject, ListMeta} from '../../kube/object.ts';
import type {ReflectorState} from '../../kube/reflector/reflector-state.ts';
import type {Resource} from '../../kube/resource.ts';
import type {Kind, KindRef, ObjectKey} from '../scheme/kind.ts';

export interface GetOptions {
  signal?: AbortSignal | undefined;
}

/** Exact values by field. A cache needs an index for each field, see `indexField`. */
export type FieldSelectorMap = Readonly<Record<string, string>>;

export interface ListOptions {
  signal?: AbortSignal | undefined;
  /** Absent: all namespaces. */
  namespace?: string | undefined;
  /** Required label values, or a selector in kubectl's syntax. */
  labels?: Readonly<Record<string, string>> | string | undefined;
  /** Required field values, or a field selector of `=` terms. */
  fields?: FieldSelectorMap | string | undefined;
  limit?: number | undefined;
  /** Only for reads from the server; a cache refuses it. */
  continue?: string | undefined;
  /** Return copies that may be changed instead of frozen objects. */
  copy?: boolean | undefined;
}

export interface ObjectList<T extends KubeObject = KubeObject> {
  metadata: ListMeta;
  items: T[];
}

/** Reads objects from a cache or from the server. */
export interface Reader {
  /** Returns a copy that may be changed. Throws an ApiError 404 for a missing object; see `isNotFound`. */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Returns frozen objects unless `copy: true`. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
}

/** Returns the index values of an object: none, one or many. */
export type Extract<T extends KubeObject> = (object: T) => string | readonly string[] | undefined;

/** Follows one kind. Handlers first receive an add for every object, then every change in order. */
export interface Informer<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly resource: Resource;
  readonly state: ReflectorState;
  addHandler(handler: Handler): Registration;
  hasSynced(): boolean;
  isStopped(): boolean;
  /** Rejects when the signal aborts, with the resource and its state. */
  waitForSync(signal?: AbortSignal): Promise<void>;
}

export interface InformerRequest {
  signal?: AbortSignal | undefined;
  /** False: do not wait for the first list. */
  blockUntilSynced?: boolean | undefined;
}

/** A write of this program, as a cache recognises it in its watch. */
export interface WrittenVersion {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** The resourceVersion that the server answered. */
  readonly version?: string | undefined;
  /** The uids of deleted objects by name; undefined for an unknown uid. */
  readonly deleted?: ReadonlyMap<string, string | undefined> | undefined;
}

export interface Cache extends Reader {
  /**
   * Returns the informer of a kind; the first call creates it. Once the cache runs, the informer starts at once
   * and this waits for its first list, unless `blockUntilSynced` is false.
   */
  informer<T extends KubeObject>(kind: Kind<T>, request?: InformerRequest): Promise<Informer<T>>;
  /** Stops and removes the informer. A later read creates a new one. */
  removeInformer(kind: KindRef): Promise<void>;
  /** Enables `fields: {[field]: value}` in `list`. Call it before the cache starts. */
  indexField<T extends KubeObject>(kind: Kind<T>, field: string, extract: Extract<T>): Promise<void>;
  /** Starts every informer. Resolves when the signal has aborted and all of them have stopped. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves to true when every informer has synced, to false when the signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<boolean>;
  /** False for an object that the cache's selectors leave out, whose write no watch will bring. */
  selects?(kind: KindRef, object: KubeObject): boolean;
  /** True when reads of the kind include the write, or when the kind is not cached. */
  hasWrite?(kind: KindRef, write: WrittenVersion): boolean;
  /** Resolves when `hasWrite` is true. Rejects with OwnWriteNotSeenError after `ownWritesTimeout`. */
  waitForWrite?(kind: KindRef, write: WrittenVersion, signal?: AbortSignal): Promise<void>;
}
