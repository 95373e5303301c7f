// The cache of the cluster's controllers is the storage itself. Informers would double the memory of a large
// demo, and reads from the storage are never stale.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {notFound} from '../../../runtime/cache/not-found-error.ts';
import {fieldTerms, matchLabels} from '../../../runtime/cache/selector.ts';
import type {
  Cache,
  GetOptions,
  Informer,
  Kind,
  KindRef,
  KubeObject as Listed,
  ListOptions,
  ObjectKey,
  ObjectList,
} from '../../../runtime/index.ts';
import {groupOf, groupVersionOf} from '../../../runtime/scheme/kind.ts';
import {type Api, keyOf} from '../../api.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import type {StoredObject} from '../../object/stored-object.ts';
import {OWNER} from './controller-kinds.ts';
import type {DependentIndex} from './dependent-index.ts';
import {StorageInformer} from './storage-informer.ts';

export class StorageCache implements Cache {
  readonly #api: Api;
  readonly #owned: DependentIndex;
  readonly #informers = new Map<string, StorageInformer>();

  constructor(api: Api, owned: DependentIndex) {
    this.#api = api;
    this.#owned = owned;
  }

  async get<T extends Listed>(kind: Kind<T>, key: ObjectKey, _options?: GetOptions): Promise<T> {
    const found = this.#find(kind, key);
    if (!found) throw notFound(groupOf(kind), kind.kind, key.name);
    return deepCopy(found) as unknown as T;
  }

  /**
   * Returns the storage's own objects, because freezing a hundred thousand takes seconds. Do not change them.
   */
  async list<T extends Listed>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const fits = matchLabels(options.labels);
    const items = this.#candidates(this.#resource(kind), options).filter(one => fits(one.metadata.labels));
    const listed = options.copy ? items.map(deepCopy) : items;
    return {metadata: {}, items: listed as unknown as T[]};
  }

  peek(kind: KindRef, key: ObjectKey): Listed | undefined {
    return this.#find(kind, key);
  }

  async informer<T extends Listed>(kind: Kind<T>): Promise<Informer<T>> {
    const resource = this.#resource(kind);
    let informer = this.#informers.get(resource.storeName);
    if (!informer) {
      informer = new StorageInformer(kind, resource, this.#api.resourceStore(resource));
      this.#informers.set(resource.storeName, informer);
    }
    return informer as unknown as Informer<T>;
  }

  async removeInformer(kind: KindRef): Promise<void> {
    const {storeName: shelf} = this.#resource(kind);
    this.#informers.get(shelf)?.stop();
    this.#informers.delete(shelf);
  }

  async indexField(_kind: KindRef, field: string): Promise<void> {
    if (field !== OWNER) throw new Error(`the storage has an index of ${OWNER} and none of ${field}`);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (!signal.aborted)
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
    for (const informer of this.#informers.values()) informer.stop();
  }

  async waitForSync(): Promise<boolean> {
    return true;
  }

  #candidates(resource: ServedResource, {namespace = '', fields}: ListOptions): StoredObject[] {
    const [term] = fieldTerms(fields);
    if (term) {
      if (term.field !== OWNER) throw new Error(`index with name field:${term.field} does not exist`);
      return this.#owned.dependentObjects(term.value, resource.storeName);
    }
    const shelf = this.#api.resourceStore(resource);
    if (namespace === '') return [...shelf.objects.values()];
    return Array.from(shelf.keys(`${namespace}/`), key => shelf.objects.get(key)!);
  }

  #find(kind: KindRef, {namespace, name}: ObjectKey): StoredObject | undefined {
    const resource = this.#resource(kind);
    return this.#api.resourceStore(resource).objects.get(keyOf(resource.namespaced ? namespace : '', name));
  }

  #resource(kind: KindRef): ServedResource {
    const {group, version} = groupVersionOf(kind.apiVersion);
    const found = this.#api.resources.findKind(group, version, kind.kind);
    if (!found) throw new Error(`no kind ${kind.kind} of ${kind.apiVersion} is served`);
    return found;
  }
}
