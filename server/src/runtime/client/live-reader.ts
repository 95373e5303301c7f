// Reads from the server without the cache.

import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import type {DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import {apiVersionOf} from '../../kube/resource.ts';
import type {GetOptions, ListOptions, ObjectList, Reader} from '../cache/cache.ts';
import {fieldText, labelText} from '../cache/selector.ts';
import type {Kind, ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';

export class LiveReader implements Reader {
  readonly #client: DynamicClient;
  readonly #mapper: Mapper;

  constructor(client: DynamicClient, mapper: Mapper) {
    this.#client = client;
    this.#mapper = mapper;
  }

  async get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    const resource = await this.#mapper.resource(kind);
    const as = kind.metadataOnly ? 'metadata' : 'object';
    const found = await this.#client.get(resource, key, {signal: options.signal, as});
    if (kind.metadataOnly) Object.assign(found, {apiVersion: kind.apiVersion, kind: kind.kind});
    return found as T;
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const resource = await this.#mapper.resource(kind);
    const list = await this.#client.list(resource, {
      namespace: options.namespace,
      labelSelector: labelText(options.labels),
      fieldSelector: fieldText(options.fields),
      limit: options.limit,
      continue: options.continue,
      signal: options.signal,
      as: kind.metadataOnly ? 'metadata' : 'object',
    });
    // Lists of built-in kinds leave out both fields.
    const named = {apiVersion: apiVersionOf(resource), kind: resource.kind};
    const items = list.items.map(({apiVersion: _, kind: __, ...item}) => ({...named, ...item}) as KubeObject);
    return {metadata: list.metadata ?? {}, items: (options.copy ? items : items.map(deepFreeze)) as T[]};
  }
}
