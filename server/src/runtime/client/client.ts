// What a client promises: reads from the cache where there is one, writes to the server, always.

import type {DeleteOptions} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {FieldSelectorMap, Reader} from '../cache/cache.ts';
import type {Kind, ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {Patch} from './patch.ts';

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** The server does everything but keep it. */
  dryRun?: boolean | undefined;
  /** Who owns the written fields, in managedFields. */
  fieldOwner?: string | undefined;
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
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

/** An object, or as much of one as says which it is. */
export type NamedObject = KubeObject & {metadata: {name?: string}};

/**
 * Writes to the server. What it answers (resourceVersion, uid, defaults) is put into the object that was passed
 * in, unless that is frozen, and is returned. The cache hears of a write when the watch does: no read here sees
 * its own writes.
 */
export interface Writer {
  /** With `metadata.name`, or `generateName` for one that the server completes. */
  create<T extends KubeObject>(object: T, options?: WriteOptions): Promise<T>;
  /** A stale resourceVersion is a conflict, see `isConflict`; none overwrites whatever is there. */
  update<T extends KubeObject>(object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(object: T, patch: Patch<T>, options?: ApplyOptions): Promise<T>;
  /** Server-side apply: the object holds the wished fields and nothing else. Needs a field owner. */
  apply<T extends KubeObject>(object: T, options?: ApplyOptions): Promise<T>;
  delete(object: NamedObject, options?: DeleteOptions): Promise<void>;
  deleteAllOf(kind: Kind, options?: DeleteAllOptions): Promise<void>;
}

/** A part of an object with a path of its own, such as status or scale. */
export interface SubResourceClient {
  /** The subresource's body: the object itself for status, a Scale for scale. */
  get<B extends KubeObject = KubeObject>(object: NamedObject, options?: {signal?: AbortSignal}): Promise<B>;
  /** Posts a body, as for `token` and `eviction`. */
  create<B extends KubeObject>(object: NamedObject, body: B, options?: WriteOptions): Promise<B>;
  update<T extends KubeObject>(object: T, options?: WriteOptions): Promise<T>;
  /** Writes a body of another kind, as for `scale`. */
  update<B extends KubeObject>(object: NamedObject, options: WriteOptions & {body: B}): Promise<B>;
  patch<T extends KubeObject>(object: T, patch: Patch<T>, options?: ApplyOptions): Promise<T>;
  apply<T extends KubeObject>(object: T, options?: ApplyOptions): Promise<T>;
}

export interface Client extends Reader, Writer {
  /** The status of objects: only it is written, and nothing else of the object. */
  status(): SubResourceClient;
  subResource(name: string): SubResourceClient;
  /** Reads from the server, past the cache. */
  readonly apiReader: Reader;
  readonly mapper: Mapper;
  /** The same client whose writes all have these options, such as a dry run or another field owner. */
  with(defaults: Omit<WriteOptions, 'signal'>): Client;
}

/** Something that was read: `cache` cost no request. */
export interface ReadSeen {
  verb: 'get' | 'list';
  kind: Kind;
  from: 'cache' | 'api';
  namespace?: string | undefined;
  name?: string | undefined;
  /** How many objects came; 0 for a get that found none. */
  count: number;
  error?: unknown;
}

/** Something that was written, or refused. */
export interface WriteSeen {
  verb: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deleteAllOf';
  kind: Kind;
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  dryRun: boolean;
  /** What was sent: the object, or the patch. */
  sent?: unknown;
  /** The object as the cache had it when the write was sent. Do not change it. */
  before?: KubeObject | undefined;
  /** The object as the server has it now. */
  result?: KubeObject | undefined;
  error?: unknown;
}

/** Listens to what a client does. */
export interface ClientHooks {
  /** Asked before each call: false spares the work of telling. Absent: always. */
  listening?(): boolean;
  /** The object that a write is about, as it is known without asking: for its difference. */
  peek?(kind: Kind, key: ObjectKey): KubeObject | undefined;
  onRead?(read: ReadSeen): void;
  onWrite?(write: WriteSeen): void;
  /** Throws to keep a write from being sent: a leader whose lease may be another's must not write. */
  beforeWrite?(): void;
}
