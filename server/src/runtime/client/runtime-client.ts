// The default client: reads from the cache, writes to the server.

import type {DeleteOptions, DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {GetOptions, ListOptions, ObjectList, Reader} from '../cache/cache.ts';
import {type Kind, type KindRef, kindId, kindOf, type ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {DesiredObject, NewObject, ObjectFor, WholeObject} from '../scheme/object-types.ts';
import type {
  ApplyOptions,
  Client,
  ClientHooks,
  DeleteAllOptions,
  NamedObject,
  ReadSeen,
  SubResourceClient,
  WriteOptions,
} from './client.ts';
import {isNotFound} from './error-checks.ts';
import {LiveReader} from './live-reader.ts';
import {LiveWriter, refOf} from './live-writer.ts';
import type {Patch} from './patch.ts';

export interface ClientOptions {
  client: DynamicClient;
  mapper: Mapper;
  /** Absent: every read asks the server. */
  cache?: Reader | undefined;
  /** Kinds that are always read from the server. */
  uncached?: readonly KindRef[] | undefined;
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

  constructor(options: ClientOptions) {
    this.#options = options;
    this.mapper = options.mapper;
    this.#client = options.client;
    this.#hooks = options.hooks ?? {};
    this.#cache = options.cache && this.#seen(options.cache, 'cache');
    this.apiReader = this.#seen(new LiveReader(options.client, options.mapper), 'api');
    this.#uncached = new Set(options.uncached?.map(kindId));
    this.#writer = new LiveWriter(options.client, options.mapper, options, this.#hooks);
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

  with(defaults: Omit<WriteOptions, 'signal'>): Client {
    return new RuntimeClient({...this.#options, ...defaults});
  }

  #reader(kind: KindRef): Reader {
    return this.#cache && !this.#uncached.has(kindId(kind)) ? this.#cache : this.apiReader;
  }

  /** Wraps the reader to report its reads while the hooks listen. */
  #seen(reader: Reader, from: ReadSeen['from']): Reader {
    const {onRead, listening = () => true} = this.#hooks;
    if (!onRead) return reader;
    const reporting = this.#withReports(reader, from, onRead);
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
