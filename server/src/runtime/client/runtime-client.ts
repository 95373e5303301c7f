// The default client: reads from the cache, writes to the server.

import type {DeleteOptions, DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Cache, GetOptions, ListOptions, ObjectList, Reader} from '../cache/cache.ts';
import {type Kind, type KindRef, kindId, kindOf, type ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {DesiredObject, NewObject, ObjectFor, WholeObject} from '../scheme/object-types.ts';
import type {
  ApplyOptions,
  Client,
  ClientDefaults,
  ClientHooks,
  DeleteAllOptions,
  NamedObject,
  ReadSeen,
  SubResourceClient,
  WriteOptions,
  WriteSeen,
} from './client.ts';
import {ClientWrites, controllerWrites, type WriteAwareCache} from './client-writes.ts';
import {isNotFound} from './error-checks.ts';
import {LiveReader} from './live-reader.ts';
import {LiveWriter, refOf} from './live-writer.ts';
import type {Patch} from './patch.ts';

export interface ClientOptions {
  client: DynamicClient;
  mapper: Mapper;
  /** Absent: every read asks the server. */
  cache?: (Reader & Pick<Cache, 'hasWrite' | 'waitForWrite' | 'selects'>) | undefined;
  /** Kinds that are always read from the server. */
  uncached?: readonly KindRef[] | undefined;
  /**
   * True: a read waits until the cache has received this client's last write to that kind. It rejects with
   * OwnWriteNotSeenError after the cache's `ownWritesTimeout`. Default: false.
   */
  readOwnWrites?: boolean | undefined;
  dryRun?: boolean | undefined;
  fieldOwner?: string | undefined;
  fieldValidation?: WriteOptions['fieldValidation'];
  hooks?: ClientHooks | undefined;
}

export class RuntimeClient implements Client {
  readonly apiReader: Reader;
  readonly mapper: Mapper;
  readonly #options: ClientOptions;
  readonly #client: DynamicClient;
  readonly #cache: Reader | undefined;
  readonly #uncached: ReadonlySet<string>;
  readonly #writer: LiveWriter;
  readonly #hooks: ClientHooks;
  /** Clients that `with` returns share it. */
  readonly #own: ClientWrites;

  constructor(options: ClientOptions, own: ClientWrites = new ClientWrites()) {
    this.#options = options;
    this.mapper = options.mapper;
    this.#client = options.client;
    this.#hooks = options.hooks ?? {};
    this.#own = own;
    this.#cache = options.cache && this.#seen(this.#waiting(options.cache), 'cache');
    this.apiReader = this.#seen(new LiveReader(options.client, options.mapper), 'api');
    this.#uncached = new Set(options.uncached?.map(kindId));
    this.#writer = new LiveWriter(options.client, options.mapper, options, this.#hooks, (write, reply) =>
      this.#record(write, reply),
    );
  }

  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T> {
    return this.#reader(kind).get(kind, key, options);
  }

  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>> {
    return this.#reader(kind).list(kind, options);
  }

  create<T extends KubeObject, A extends string = string, K extends string = string>(
    object: NewObject<A, K, T>,
    options?: WriteOptions,
  ): Promise<ObjectFor<A, K, T>> {
    return this.#writer.create(object as never, options);
  }

  update<T extends KubeObject, A extends string = string, K extends string = string>(
    object: WholeObject<A, K, T>,
    options?: WriteOptions,
  ): Promise<ObjectFor<A, K, T>> {
    return this.#writer.update(object as never, options);
  }

  patch<T extends KubeObject>(object: T, patch: Patch<T>, options?: ApplyOptions): Promise<T> {
    return this.#writer.patch(object, patch, options);
  }

  apply<T extends KubeObject, A extends string = string, K extends string = string>(
    object: DesiredObject<A, K, T>,
    options?: ApplyOptions,
  ): Promise<ObjectFor<A, K, T>> {
    return this.#writer.apply(object as never, options);
  }

  delete(object: NamedObject, options?: DeleteOptions): Promise<void> {
    return this.#writer.delete(object, options);
  }

  deleteAllOf(kind: Kind, options?: DeleteAllOptions): Promise<void> {
    return this.#writer.deleteAllOf(kind, options);
  }

  status(): SubResourceClient {
    return this.subResource('status');
  }

  subResource(name: string): SubResourceClient {
    const writer = this.#writer;
    // The interface infers types from literals, which an implementation cannot repeat.
    return {
      get: async <B extends KubeObject>(object: NamedObject, options: {signal?: AbortSignal} = {}) => {
        const resource = await this.mapper.resource(kindOf(object));
        return (await this.#client.get(resource, refOf(object), {...options, subresource: name})) as B;
      },
      create: (object, body, options) => writer.subresource('create', object, body, name, options),
      update: <B extends KubeObject>(object: B, options?: WriteOptions & {body?: B}) =>
        options?.body
          ? writer.subresource('update', object, options.body, name, options)
          : writer.update(object, options, name),
      patch: (object, patch, options) => writer.patch(object, patch, options, name),
      apply: (object, options) => writer.apply(object as never, options, name),
    };
  }

  with(defaults: ClientDefaults): Client {
    return new RuntimeClient({...this.#options, ...defaults}, this.#own);
  }

  #record(write: WriteSeen, reply: unknown): void {
    const {cache} = this.#options;
    if (!cache?.hasWrite) return;
    if (write.result && cache.selects?.(write.kind, write.result) === false) return;
    this.#own.record(write, reply);
    controllerWrites.getStore()?.record(write, reply);
  }

  /** Makes reads wait for the writes of this client, if it is set up so. */
  #waiting(cache: Reader & WriteAwareCache): Reader {
    if (!this.#options.readOwnWrites) return cache;
    const own = this.#own;
    const afterWrites = async <R>(
      kind: Kind,
      namespace: string | undefined,
      signal: AbortSignal | undefined,
      read: () => Promise<R>,
    ): Promise<R> => {
      await own.waitFor(cache, kind, namespace, signal);
      const found = await read();
      // The read may have started the watch, whose first list may be older than the write.
      if (!own.isStale(cache, kind, namespace)) return found;
      await own.waitFor(cache, kind, namespace, signal);
      return read();
    };
    return {
      get: (kind, key, options) =>
        afterWrites(kind, key.namespace, options?.signal, () => cache.get(kind, key, options)),
      list: (kind, options) =>
        afterWrites(kind, options?.namespace, options?.signal, () => cache.list(kind, options)),
    };
  }

  #reader(kind: KindRef): Reader {
    return this.#cache && !this.#uncached.has(kindId(kind)) ? this.#cache : this.apiReader;
  }

  /** Wraps the reader to report its reads while the hooks listen. */
  #seen(reader: Reader, from: ReadSeen['from']): Reader {
    const {onRead, listening = () => true} = this.#hooks;
    if (!onRead) return reader;
    const {cache} = this.#options;
    const reporting = this.#withReports(reader, from, read => {
      if (from === 'cache' && cache && this.#own.isStale(cache, read.kind, read.namespace, read.name))
        read.stale = true;
      onRead(read);
    });
    return {
      get: (kind, key, options) => (listening() ? reporting : reader).get(kind, key, options),
      list: (kind, options) => (listening() ? reporting : reader).list(kind, options),
    };
  }

  #withReports(reader: Reader, from: ReadSeen['from'], onRead: (read: ReadSeen) => void): Reader {
    return {
      async get(kind, key, options) {
        const start = performance.now();
        const read: ReadSeen = {verb: 'get', kind, from, ...key, count: 1, took: 0};
        try {
          return await reader.get(kind, key, options);
        } catch (error) {
          read.count = 0;
          if (!isNotFound(error)) read.error = error;
          throw error;
        } finally {
          read.took = performance.now() - start;
          onRead(read);
        }
      },
      async list(kind, options) {
        const start = performance.now();
        const read: ReadSeen = {
          verb: 'list',
          kind,
          from,
          namespace: options?.namespace,
          count: 0,
          took: 0,
        };
        try {
          const list = await reader.list(kind, options);
          read.count = list.items.length;
          return list;
        } catch (error) {
          read.error = error;
          throw error;
        } finally {
          read.took = performance.now() - start;
          onRead(read);
        }
      },
    };
  }
}
