// The last writes of a client by kind and namespace, so that reads can wait for them or be marked as stale.

import {AsyncLocalStorage} from 'node:async_hooks';
import {isRecord, type KubeObject} from '../../kube/object.ts';
import {compareVersions} from '../../kube/resource-version.ts';
import type {Cache, WrittenVersion} from '../cache/cache.ts';
import {groupKindId, type Kind, type KindRef} from '../scheme/kind.ts';
import type {WriteSeen} from './client.ts';

/** The part of a cache that knows which writes it has received. */
export type WriteAwareCache = Pick<Cache, 'hasWrite' | 'waitForWrite' | 'selects'>;

/** The writes of a controller, if it waits for them. Set while one of its reconciles runs. */
export const controllerWrites = new AsyncLocalStorage<ClientWrites>();

interface NamespaceWrites {
  namespace: string;
  version: string | undefined;
  /** Versions by name, to tell whether one object is stale. */
  versions: Map<string, string>;
  deleted: Map<string, string | undefined>;
}

interface KindWrites {
  kind: Kind;
  namespaces: Map<string, NamespaceWrites>;
}

/** The most objects of a namespace to remember. A cache that lags further behind has other problems. */
const mostObjects = 1000;

export class ClientWrites {
  readonly #kinds = new Map<string, KindWrites>();

  /** Notes a successful write. `reply` is the answer of the server. */
  record(write: Pick<WriteSeen, 'verb' | 'kind' | 'namespace' | 'name'>, reply: unknown): void {
    const {verb, kind, namespace = ''} = write;
    if (verb === 'deleteAllOf' || !isRecord(reply)) return;
    const metadata = isRecord(reply.metadata) ? (reply as KubeObject).metadata : {};
    const name = metadata.name ?? write.name ?? '';
    const entry = this.#entry(kind, namespace);
    entry.deleted.delete(name);
    if (verb === 'delete') {
      const details = isRecord(reply.details) ? reply.details : {};
      const uid = [metadata.uid, details.uid].find(one => typeof one === 'string');
      remember(entry.deleted, name, uid as string | undefined);
      return;
    }
    const version = metadata.resourceVersion;
    if (typeof version !== 'string') return;
    remember(entry.versions, name, version);
    if (entry.version === undefined || (compareVersions(entry.version, version) ?? -1) < 0)
      entry.version = version;
  }

  /** True when a read of this namespace and name, or of all, does not include one of the writes. */
  isStale(cache: WriteAwareCache, kind: KindRef, namespace: string | undefined, name?: string): boolean {
    const unseen = this.#unseen(cache, kind, namespace);
    if (name === undefined) return unseen.length > 0;
    return unseen.some(({versions, deleted, namespace: place}) => {
      const version = versions.get(name);
      const gone = deleted.has(name) ? new Map([[name, deleted.get(name)]]) : undefined;
      if (version === undefined && gone === undefined) return false;
      return cache.hasWrite?.(kind, {namespace: place, version, deleted: gone}) === false;
    });
  }

  /** Resolves when reads of the kind include all of its writes. */
  async waitFor(
    cache: WriteAwareCache,
    kind: KindRef,
    namespace: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (const {namespace: place, version, deleted} of this.#unseen(cache, kind, namespace)) {
      const write: WrittenVersion = {namespace: place, version, deleted: new Map(deleted)};
      await cache.waitForWrite?.(kind, write, signal);
    }
  }

  /** Resolves when reads of every written kind include its writes. */
  async waitForAll(cache: WriteAwareCache, signal: AbortSignal | undefined): Promise<void> {
    for (const {kind} of this.#kinds.values()) await this.waitFor(cache, kind, undefined, signal);
  }

  /** The writes of a kind that reads of this namespace, or of all, do not include yet. */
  #unseen(cache: WriteAwareCache, kind: KindRef, namespace: string | undefined): NamespaceWrites[] {
    const writes = this.#kinds.get(groupKindId(kind));
    if (!writes || !cache.hasWrite) return [];
    const found: NamespaceWrites[] = [];
    for (const [place, write] of writes.namespaces) {
      if (namespace && place && place !== namespace) continue;
      if (!cache.hasWrite(kind, write)) found.push(write);
      else writes.namespaces.delete(place);
    }
    return found;
  }

  #entry(kind: Kind, namespace: string): NamespaceWrites {
    const id = groupKindId(kind);
    let writes = this.#kinds.get(id);
    if (!writes) {
      writes = {kind, namespaces: new Map()};
      this.#kinds.set(id, writes);
    }
    let entry = writes.namespaces.get(namespace);
    if (!entry) {
      entry = {namespace, version: undefined, versions: new Map(), deleted: new Map()};
      writes.namespaces.set(namespace, entry);
    }
    return entry;
  }
}

/** Sets the newest entry, and drops the oldest one of too many. */
function remember<V>(map: Map<string, V>, name: string, value: V): void {
  map.delete(name);
  map.set(name, value);
  if (map.size > mostObjects) map.delete(map.keys().next().value ?? '');
}
