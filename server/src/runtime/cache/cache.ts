// What a cache promises to its readers and to controllers. informer-cache.ts keeps the promise.

import type {Handler, Registration} from '../../kube/informer/change-handler.ts';
import type {KubeObject, ListMeta} from '../../kube/object.ts';
import type {ReflectorState} from '../../kube/reflector/reflector-state.ts';
import type {Resource} from '../../kube/resource.ts';
import type {Kind, KindRef, ObjectKey} from '../scheme/kind.ts';

export interface GetOptions {
  signal?: AbortSignal | undefined;
}

/** Exact values by field; a cache needs an index for each, see `indexField`. */
export type FieldSelectorMap = Readonly<Record<string, string>>;

export interface ListOptions {
  signal?: AbortSignal | undefined;
  /** Absent: all namespaces. */
  namespace?: string | undefined;
  /** Labels that must have these values, or a selector as kubectl takes it. */
  labels?: Readonly<Record<string, string>> | string | undefined;
  /** Fields that must have these values, or a field selector of `=` terms. */
  fields?: FieldSelectorMap | string | undefined;
  limit?: number | undefined;
  /** Only for reads that go to the server; a cache refuses it. */
  continue?: string | undefined;
  /** Copies that may be changed instead of frozen objects. */
  copy?: boolean | undefined;
}

export interface ObjectList<T extends KubeObject = KubeObject> {
  metadata: ListMeta;
  items: T[];
}

/** Reads objects: a cache, the server, or a client that knows which of the two. */
export interface Reader {
  /** A copy that may be changed. Throws an ApiError 404 where there is none; see `isNotFound`. */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Frozen objects unless `copy: true`. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
}

/** Under which values of a field an object is found: none, one or many. */
export type Extract<T extends KubeObject> = (object: T) => string | readonly string[] | undefined;

/** One kind, followed. Handlers hear in order of an add for everything there is, then of every change. */
export interface Informer<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly resource: Resource;
  readonly state: ReflectorState;
  addHandler(handler: Handler): Registration;
  hasSynced(): boolean;
  isStopped(): boolean;
  /** Rejects when the signal aborts, naming the resource and what it waits for. */
  waitForSync(signal?: AbortSignal): Promise<void>;
}

export interface InformerRequest {
  signal?: AbortSignal | undefined;
  /** False: do not wait for the first list. */
  blockUntilSynced?: boolean | undefined;
}

export interface Cache extends Reader {
  /**
   * The informer of a kind, made by the first who asks. Before the cache has started it is made and not
   * started; afterwards it is started, and waited for unless told otherwise.
   */
  informer<T extends KubeObject>(kind: Kind<T>, request?: InformerRequest): Promise<Informer<T>>;
  /** Stops and forgets it; a later read makes a new one. */
  removeInformer(kind: KindRef): Promise<void>;
  /** Makes `fields: {[field]: value}` possible in `list`. Register before the cache starts; it waits for nothing. */
  indexField<T extends KubeObject>(kind: Kind<T>, field: string, extract: Extract<T>): Promise<void>;
  /** Starts every informer; resolves when the signal has aborted and all of them have stopped. */
  start(signal: AbortSignal): Promise<void>;
  /** True when everything asked for before has synced, false when the signal aborted first. */
  waitForSync(signal?: AbortSignal): Promise<boolean>;
}
