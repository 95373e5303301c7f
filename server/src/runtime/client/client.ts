// The interface of a client: it reads from the cache if there is one, and writes to the server.

import type {DeleteOptions} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {FieldSelectorMap, Reader} from '../cache/cache.ts';
import type {Kind, ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {
  DesiredObject,
  NewObject,
  ObjectFor,
  ObjectReference,
  WholeObject,
} from '../scheme/object-types.ts';
import type {Patch} from './patch.ts';

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** The server checks the write and does not store it. */
  dryRun?: boolean | undefined;
  /** The manager of the written fields in managedFields. */
  fieldOwner?: string | undefined;
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** Options for all calls of a client. */
export interface ClientDefaults extends Omit<WriteOptions, 'signal'> {
  /** True: a cached read waits until the cache has received this client's last write to that kind. */
  readOwnWrites?: boolean | undefined;
}

export interface ApplyOptions extends WriteOptions {
  /** Take over fields that others own. */
  force?: boolean | undefined;
}

export interface DeleteAllOptions extends DeleteOptions {
  namespace?: string | undefined;
  labels?: Readonly<Record<string, string>> | string | undefined;
  fields?: FieldSelectorMap | string | undefined;
}

/** An object, or only its apiVersion, kind, namespace and name. */
export type NamedObject = KubeObject & {metadata: {name?: string}};

/**
 * Writes to the server. Returns the server's object, and copies it into the passed object unless that is frozen.
 * The compiler checks objects of built-in kinds against their schema, by apiVersion and kind.
 * The cache receives a write through its watch, so a read right after a write may not see it.
 */
export interface Writer {
  /** Needs `metadata.name`, or `generateName` to let the server choose a name. */
  create<T extends KubeObject, A extends string = string, K extends string = string>(
    object: NewObject<A, K, T>,
    options?: WriteOptions,
  ): Promise<ObjectFor<A, K, T>>;
  /**
   * A stale resourceVersion is a conflict, see `isConflict`. Without a resourceVersion the write always wins; custom
   * resources need one.
   */
  update<T extends KubeObject, A extends string = string, K extends string = string>(
    object: WholeObject<A, K, T>,
    options?: WriteOptions,
  ): Promise<ObjectFor<A, K, T>>;
  patch<T extends KubeObject>(object: T, patch: Patch<T>, options?: ApplyOptions): Promise<T>;
  /** Server-side apply. The object has only the desired fields. Needs a field owner. */
  apply<T extends KubeObject, A extends string = string, K extends string = string>(
    object: DesiredObject<A, K, T>,
    options?: ApplyOptions,
  ): Promise<ObjectFor<A, K, T>>;
  delete<A extends string = string, K extends string = string>(
    object: ObjectReference<A, K>,
    options?: DeleteOptions,
  ): Promise<void>;
  deleteAllOf(kind: Kind, options?: DeleteAllOptions): Promise<void>;
}

/** A subresource with its own path, such as status or scale. */
export interface SubResourceClient {
  /** The subresource's body: the object itself for status, a Scale for scale. */
  get<B extends KubeObject = KubeObject>(object: NamedObject, options?: {signal?: AbortSignal}): Promise<B>;
  /** Posts a body, as for `token` and `eviction`. */
  create<B extends KubeObject>(object: NamedObject, body: B, options?: WriteOptions): Promise<B>;
  update<T extends KubeObject, A extends string = string, K extends string = string>(
    object: WholeObject<A, K, T>,
    options?: WriteOptions,
  ): Promise<ObjectFor<A, K, T>>;
  /** Writes a body of another kind, as for `scale`. */
  update<B extends KubeObject>(object: NamedObject, options: WriteOptions & {body: B}): Promise<B>;
  patch<T extends KubeObject>(object: T, patch: Patch<T>, options?: ApplyOptions): Promise<T>;
  apply<T extends KubeObject, A extends string = string, K extends string = string>(
    object: DesiredObject<A, K, T>,
    options?: ApplyOptions,
  ): Promise<ObjectFor<A, K, T>>;
}

export interface Client extends Reader, Writer {
  /** Writes only the status of objects. */
  status(): SubResourceClient;
  subResource(name: string): SubResourceClient;
  /** Reads from the server without the cache. */
  readonly apiReader: Reader;
  readonly mapper: Mapper;
  /** Returns a client with default options for all calls, such as a dry run or another field owner. */
  with(defaults: ClientDefaults): Client;
}

/** One read. */
export interface ReadSeen {
  verb: 'get' | 'list';
  kind: Kind;
  from: 'cache' | 'api';
  namespace?: string | undefined;
  name?: string | undefined;
  /** The number of objects; 0 for a get of a missing object. */
  count: number;
  /** Milliseconds from the call to its end. */
  took: number;
  /** True for a cached read that does not include an earlier write of this client to what was read. */
  stale?: boolean | undefined;
  error?: unknown;
}

/** One write, successful or not. */
export interface WriteSeen {
  verb: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAllOf';
  kind: Kind;
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  dryRun: boolean;
  /** Milliseconds from the call to its end. */
  took: number;
  /** The object or the patch that was sent. */
  sent?: unknown;
  /** The cached object before the write. Do not change it. */
  before?: KubeObject | undefined;
  /** The server's object after the write. */
  result?: KubeObject | undefined;
  error?: unknown;
}

/** Receives the reads and writes of a client. */
export interface ClientHooks {
  /** Called before each read and write; false skips the other hooks. Default: true. */
  listening?(): boolean;
  /** Returns the cached object before a write, so that the difference can be computed. */
  peek?(kind: Kind, key: ObjectKey): KubeObject | undefined;
  onRead?(read: ReadSeen): void;
  onWrite?(write: WriteSeen): void;
  /** Throws to stop a write, for example when the lease may have another holder. */
  beforeWrite?(): void;
}
