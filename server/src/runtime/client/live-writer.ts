// Writes to the server, and copies the server's object into the passed object.

import type {DeleteOptions, DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import {fieldText, labelText} from '../cache/selector.ts';
import {type Kind, kindOf} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {
  ApplyOptions,
  ClientHooks,
  DeleteAllOptions,
  NamedObject,
  WriteOptions,
  WriteSeen,
} from './client.ts';
import type {Patch} from './patch.ts';

export class LiveWriter {
  readonly #client: DynamicClient;
  readonly #mapper: Mapper;
  readonly #defaults: WriteOptions;
  readonly #hooks: ClientHooks;
  readonly #onWritten: (write: WriteSeen, reply: unknown) => void;

  /** `onWritten` is called with each successful write that the server stored, and its answer. */
  constructor(
    client: DynamicClient,
    mapper: Mapper,
    defaults: WriteOptions,
    hooks: ClientHooks,
    onWritten: (write: WriteSeen, reply: unknown) => void = () => {},
  ) {
    this.#client = client;
    this.#mapper = mapper;
    this.#defaults = defaults;
    this.#hooks = hooks;
    this.#onWritten = onWritten;
  }

  async create<T extends KubeObject>(object: T, options?: WriteOptions): Promise<T> {
    const resource = await this.#mapper.resource(kindOf(object));
    const send = this.#options(options);
    return this.#write({verb: 'create', ...describeObject(object), sent: object}, send, object, () =>
      this.#client.create(resource, object, send),
    );
  }

  async update<T extends KubeObject>(object: T, options?: WriteOptions, subresource?: string): Promise<T> {
    const resource = await this.#mapper.resource(kindOf(object));
    const send = {...this.#options(options), subresource};
    return this.#write(
      {verb: 'update', ...describeObject(object), sent: object, subresource},
      send,
      object,
      () => this.#client.update(resource, object, send),
    );
  }

  async patch<T extends KubeObject>(
    object: T,
    patch: Patch<T>,
    options?: ApplyOptions,
    subresource?: string,
  ): Promise<T> {
    const resource = await this.#mapper.resource(kindOf(object));
    const body = patch.body(object);
    const force = patch.type === 'apply' ? (options?.force ?? false) : undefined;
    const send = {...this.#options(options), subresource, type: patch.type, force};
    if (patch.type === 'apply' && !send.fieldManager)
      throw new TypeError(
        'server-side apply needs a field owner: set fieldOwner in the call or in the client',
      );
    const verb = patch.type === 'apply' ? 'apply' : 'patch';
    return this.#write({verb, ...describeObject(object), sent: body, subresource}, send, object, () =>
      this.#client.patch(resource, refOf(object), body, send),
    );
  }

  apply<T extends KubeObject>(object: T, options?: ApplyOptions, subresource?: string): Promise<T> {
    const patch: Patch<T> = {
      type: 'apply',
      body(applied) {
        const {managedFields: _, ...metadata} = applied.metadata;
        return {...applied, metadata};
      },
    };
    return this.patch(object, patch, options, subresource);
  }

  async delete(object: NamedObject, options: DeleteOptions = {}): Promise<void> {
    const resource = await this.#mapper.resource(kindOf(object));
    const send = {...options, dryRun: options.dryRun ?? this.#defaults.dryRun};
    await this.#write({verb: 'delete', ...describeObject(object)}, send, undefined, () =>
      this.#client.delete(resource, refOf(object), send),
    );
  }

  async deleteAllOf(kind: Kind, options: DeleteAllOptions = {}): Promise<void> {
    const {namespace, labels, fields, ...rest} = options;
    const resource = await this.#mapper.resource(kind);
    const send = {...rest, dryRun: rest.dryRun ?? this.#defaults.dryRun};
    await this.#write({verb: 'deleteAllOf', kind, namespace}, send, undefined, () =>
      this.#client.deleteCollection(resource, {
        ...send,
        namespace,
        labelSelector: labelText(labels),
        fieldSelector: fieldText(fields),
      }),
    );
  }

  /** Posts or puts a body of another kind to a subresource. */
  async subresource<B extends KubeObject>(
    verb: 'create' | 'update',
    object: NamedObject,
    body: B,
    name: string,
    options?: WriteOptions,
  ): Promise<B> {
    const resource = await this.#mapper.resource(kindOf(object));
    const {name: of, namespace} = refOf(object);
    const send = {...this.#options(options), subresource: name};
    const placed: KubeObject = {...body, metadata: {...body.metadata, name: of, namespace}};
    return this.#write({verb, ...describeObject(object), subresource: name, sent: placed}, send, body, () =>
      verb === 'create'
        ? this.#client.create(resource, placed, {...send, name: of})
        : this.#client.update(resource, placed, send),
    );
  }

  #options(options: WriteOptions = {}) {
    const {fieldOwner = this.#defaults.fieldOwner} = options;
    return {
      signal: options.signal,
      dryRun: options.dryRun ?? this.#defaults.dryRun,
      fieldManager: fieldOwner,
      fieldValidation: options.fieldValidation ?? this.#defaults.fieldValidation,
    };
  }

  async #write<T extends KubeObject | undefined>(
    write: Omit<WriteSeen, 'dryRun' | 'took' | 'result' | 'error'>,
    send: {dryRun?: boolean | undefined},
    into: T,
    act: () => Promise<unknown>,
  ): Promise<T> {
    const start = performance.now();
    const seen: WriteSeen = {...write, dryRun: send.dryRun === true, took: 0};
    const {peek, listening} = this.#hooks;
    if (peek && write.name && listening?.() !== false)
      seen.before = peek(write.kind, {namespace: write.namespace, name: write.name});
    try {
      this.#hooks.beforeWrite?.();
      const reply = (await act()) as KubeObject;
      if (into) seen.result = reply;
      if (!seen.dryRun) this.#onWritten(seen, reply);
      return into && (replaceContent(into, reply) as T);
    } catch (error) {
      seen.error = error;
      throw error;
    } finally {
      seen.took = performance.now() - start;
      this.#hooks.onWrite?.(seen);
    }
  }
}

function describeObject(object: NamedObject): Pick<WriteSeen, 'kind' | 'namespace' | 'name'> {
  const {namespace, name = object.metadata.generateName} = object.metadata;
  return {kind: kindOf(object), namespace, name};
}

export function refOf(object: NamedObject): {namespace: string | undefined; name: string} {
  const {namespace, name} = object.metadata;
  if (!name)
    throw new TypeError(
      `cannot write a ${object.kind} without metadata.name; only create takes a generateName`,
    );
  return {namespace, name};
}

/** Replaces the content of the object. A frozen object stays unchanged. */
function replaceContent<T extends KubeObject>(object: T, reply: KubeObject): T {
  const {apiVersion = reply.apiVersion, kind = reply.kind} = object;
  const named = {...reply, apiVersion, kind} as T;
  if (Object.isFrozen(object)) return named;
  for (const key of Object.keys(object)) if (!Object.hasOwn(named, key)) delete object[key];
  return Object.assign(object, named);
}
