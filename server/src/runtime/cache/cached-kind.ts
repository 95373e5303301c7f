// One kind in the cache: its informer and field indexes, and the reads from them.

import {deepCopy, deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import type {Handler, Registration} from '../../kube/informer/change-handler.ts';
import type {Informer as KubeInformer} from '../../kube/informer/informer.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {ReflectorState} from '../../kube/reflector/reflector-state.ts';
import type {Resource} from '../../kube/resource.ts';
import {groupOf, type Kind, keyText, type ObjectKey} from '../scheme/kind.ts';
import type {Extract, Informer, ListOptions, ObjectList, WrittenVersion} from './cache.ts';
import {notFound} from './not-found-error.ts';
import {fieldTerms, matchLabels} from './selector.ts';

const everywhere = '__all_namespaces';
const byNamespace = 'namespace';

export class CachedKind implements Informer {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly informer: KubeInformer;
  readonly #fields = new Map<string, (object: KubeObject) => readonly string[]>();
  #stopped = false;

  constructor(kind: Kind, resource: Resource, informer: KubeInformer) {
    this.kind = kind;
    this.resource = resource;
    this.informer = informer;
    if (resource.namespaced) informer.addIndexer(byNamespace, ({metadata}) => [metadata.namespace ?? '']);
  }

  get state(): ReflectorState {
    return this.informer.state;
  }

  addHandler(handler: Handler): Registration {
    return this.informer.addHandler(handler);
  }

  hasSynced(): boolean {
    return this.informer.hasSynced();
  }

  isStopped(): boolean {
    return this.#stopped;
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.informer.waitForSync(signal);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.informer.stop();
  }

  index(field: string, extract: Extract<KubeObject>): void {
    const name = `field:${field}`;
    const values = (object: KubeObject) => {
      const found = extract(object);
      if (found === undefined) return [];
      return typeof found === 'string' ? [found] : found;
    };
    this.informer.addIndexer(name, object => {
      const {namespace} = object.metadata;
      return values(object).flatMap(value =>
        namespace ? [`${namespace}/${value}`, `${everywhere}/${value}`] : [`${everywhere}/${value}`],
      );
    });
    this.#fields.set(field, values);
  }

  get<T extends KubeObject>(key: ObjectKey): T {
    const place = this.resource.namespaced ? key : {name: key.name};
    const found = this.informer.cache.get(keyText(place));
    if (!found) throw notFound(groupOf(this.kind), this.kind.kind, key.name);
    return deepCopy(found) as T;
  }

  list<T extends KubeObject>(options: ListOptions): ObjectList<T> {
    if (options.continue)
      throw new Error(
        'continue list option is not supported by the cache; read with apiReader to page through a list',
      );
    const fits = matchLabels(options.labels);
    const items: KubeObject[] = [];
    for (const object of this.#candidates(options)) {
      if (options.limit !== undefined && options.limit > 0 && items.length >= options.limit) break;
      if (fits(object.metadata.labels)) items.push(options.copy ? deepCopy(object) : deepFreeze(object));
    }
    return {metadata: {continue: 'continue-not-supported'}, items: items as T[]};
  }

  /** True when the watch has brought the write. */
  hasWrite({namespace, version, deleted}: WrittenVersion): boolean {
    if (version !== undefined && !this.informer.hasVersion(version, namespace)) return false;
    for (const [name, uid] of deleted ?? []) {
      const there = this.informer.cache.get(keyText({namespace, name}))?.metadata;
      // An object with finalizers stays, and its mark shows that the delete has arrived.
      if (there && !there.deletionTimestamp && (uid === undefined || there.uid === uid)) return false;
    }
    return true;
  }

  #candidates(options: ListOptions): Iterable<KubeObject> {
    const {cache} = this.informer;
    const namespace = this.resource.namespaced ? options.namespace : undefined;
    const [first, ...rest] = fieldTerms(options.fields);
    if (!first) return namespace ? cache.byIndex(byNamespace, namespace) : cache.list();
    for (const {field, exact} of [first, ...rest]) {
      if (!exact)
        throw new Error('non-exact field matches are not supported by the cache; read with apiReader');
      if (!this.#fields.has(field))
        throw new Error(
          `index with name field:${field} does not exist; add it with indexField before the start`,
        );
    }
    const found = cache.byIndex(`field:${first.field}`, `${namespace || everywhere}/${first.value}`);
    return found.filter(object =>
      rest.every(({field, value}) => this.#fields.get(field)!(object).includes(value)),
    );
  }
}
