// Follows one resource: reflectors fill one cache, and handlers receive every change in order. The cache decides
// whether a change is an add, an update or a delete; the type of the watch event does not.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {DynamicClient} from '../client/dynamic-client.ts';
import type {Clock} from '../clock.ts';
import type {ObjectMeta} from '../object.ts';
import {Reflector} from '../reflector/reflector.ts';
import type {ReflectorSink} from '../reflector/reflector-sink.ts';
import type {Gap, ReflectorPhase, ReflectorState} from '../reflector/reflector-state.ts';
import {type Resource, resourceName} from '../resource.ts';
import {
  type Change,
  type Handler,
  InformerHandlerQueue,
  type Registration,
  type WithheldEntry,
} from './change-handler.ts';
import {EntryMaker, type EntryMakerOptions} from './entry-maker.ts';
import {creatorOf, latestNewWriter, type Writer, writerOf, writtenPaths} from './field-writers.ts';
import {type CacheEntry, type CacheReader, type Indexer, ObjectCache} from './object-cache.ts';
import {hasReached, type VersionWaiter, waitUntil} from './version-wait.ts';

/** The objects to list: all, one namespace, or one name. */
export interface Scope {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** The only object that the selectors match. It is read by name where listing is denied. */
  name?: string;
}

export interface InformerOptions extends EntryMakerOptions {
  client: DynamicClient;
  clock: Clock;
  /** Each scope has its own reflector, so scopes must not overlap. Default: one scope of all objects. */
  scopes?: readonly Scope[] | undefined;
  as?: 'object' | 'metadata' | undefined;
  pageSize?: number | undefined;
  streaming?: boolean | undefined;
  onProblem?: ((problem: string) => void) | undefined;
  /** Tells whether a missing kind is served in another version. */
  elsewhere?: (() => Promise<boolean>) | undefined;
}

interface ScopedReflector {
  reflector: Reflector<CacheEntry>;
  namespace: string | undefined;
  keys: Set<string>;
  synced: boolean;
}

export class Informer {
  readonly resource: Resource;
  readonly #options: InformerOptions;
  readonly #cache = new ObjectCache();
  readonly #maker: EntryMaker;
  readonly #parts: ScopedReflector[];
  readonly #handlers = new Set<InformerHandlerQueue>();
  readonly #waiters = new Set<VersionWaiter>();
  /** Entries that are not in the cache, each with the reason. */
  readonly #withheld = new Map<string, CacheEntry>();
  #withheldChanged = false;
  #synced = false;
  #stopped = false;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.resource = options.resource;
    this.#maker = new EntryMaker(options, key => this.#cache.entry(key));
    const scopes = options.scopes?.length ? options.scopes : [{}];
    this.#parts = scopes.map(scope => this.#part(scope));
  }

  get cache(): CacheReader {
    return this.#cache;
  }

  /** The worst state of the scopes, because users must see problems first. */
  get state(): ReflectorState {
    const states = this.#parts.map(part => part.reflector.state);
    const worst = states.reduce((a, b) => (severity[b.phase] > severity[a.phase] ? b : a));
    const seen = states.reduce((sum, state) => sum + state.seen, 0);
    return {...worst, seen: worst.phase === 'listing' ? seen : this.#cache.size};
  }

  /** The cache contains every change up to this time of the clock, in all scopes. */
  get asOf(): number {
    return Math.min(...this.#parts.map(part => part.reflector.asOf));
  }

  /** True once every scope has been listed or is not installed. Never becomes false again. */
  hasSynced(): boolean {
    return this.#synced;
  }

  start(): void {
    if (this.#stopped)
      throw new Error(`the informer of ${resourceName(this.resource)} was stopped; create a new one`);
    for (const {reflector} of this.#parts) reflector.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#parts.map(part => part.reflector.stop()));
    this.#handlers.clear();
  }

  /** Ends the wait before the next try. */
  wake(): void {
    for (const {reflector} of this.#parts) reflector.wake();
  }

  /** Ends the watches and asks the server at once. The state shows `reason` until the server has answered. */
  askAgain(reason: string): void {
    for (const {reflector} of this.#parts) reflector.askAgain(reason);
  }

  /**
   * Compares the cache with the server and repairs what the watches have lost. Resolves to the summed time of its
   * requests in milliseconds, or to undefined when the server could not be asked.
   */
  async audit(): Promise<number | undefined> {
    let requestMs: number | undefined;
    for (const {reflector} of this.#parts) {
      const result = await reflector.audit();
      if (result) requestMs = (requestMs ?? 0) + result.requestMs;
    }
    return requestMs;
  }

  /** Resolves when synced. Rejects when the signal aborts, with the resource and its state. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    while (!this.#synced) {
      if (signal?.aborted || this.#stopped) {
        const {phase, reason} = this.state;
        throw new Error(`failed waiting for ${resourceName(this.resource)} to sync: ${phase}: ${reason}`);
      }
      await new Promise<void>(resolve => {
        const done = () => {
          registration.remove();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const registration = this.addHandler({onSynced: done});
        signal?.addEventListener('abort', done, {once: true});
        if (this.#synced) done();
      });
    }
  }

  /** True when the cache contains every change of the namespace up to this resourceVersion. */
  hasVersion(version: string, namespace = ''): boolean {
    const part =
      this.#parts.find(one => one.namespace === namespace) ??
      this.#parts.find(one => one.namespace === undefined);
    return part === undefined || hasReached(part.reflector.resourceVersion, version);
  }

  /** Resolves to true when the condition holds after a change or bookmark, to false when the signal aborts first. */
  waitUntil(holds: () => boolean, signal: AbortSignal): Promise<boolean> {
    return waitUntil(this.#waiters, holds, signal);
  }

  /** The handler first receives an add for every cached object, then every change exactly once. */
  addHandler(handler: Handler): Registration {
    if (this.#stopped) throw new Error(`the informer of ${resourceName(this.resource)} was stopped`);
    const queue = new InformerHandlerQueue(
      handler,
      problem => this.#problem(problem),
      removed => this.#handlers.delete(removed),
    );
    this.#handlers.add(queue);
    queue.state(this.state);
    queue.changes(Array.from(this.#cache.entries(), entry => this.#added(entry, true)));
    if (this.#withheld.size > 0) queue.withheld(this.#withheldEntries());
    if (this.#synced) queue.synced();
    return queue;
  }

  addIndexer(name: string, of: Indexer): void {
    if (this.#stopped) throw new Error(`the informer of ${resourceName(this.resource)} was stopped`);
    this.#cache.addIndexer(name, of);
  }

  /** Sends every cached object as an update to the handlers with `resync`. Sends no request. */
  resync(): void {
    const changes = Array.from(this.#cache.entries(), ({key, object}): Change => {
      return {event: 'update', key, old: object, new: object, initial: false};
    });
    for (const queue of this.#handlers) if (queue.handler.resync) queue.changes(changes);
  }

  #part(scope: Scope): ScopedReflector {
    const {client, resource, clock, as, pageSize, streaming, elsewhere} = this.#options;
    const keys = new Set<string>();
    const sink: ReflectorSink<CacheEntry> = {
      prepare: object => this.#maker.make(object),
      keyOf: entry => entry.key,
      holds: object => {
        const {key, metadata} = this.#maker.identify(object);
        const cached = (this.#cache.entry(key) ?? this.#withheld.get(key))?.object.metadata;
        return cached !== undefined && sameVersion(cached, metadata);
      },
      get size() {
        return keys.size;
      },
      versions: () => this.#versions(keys),
      replace: entries => this.#replace(part, entries),
      apply: changes => this.#apply(part, changes),
      onState: () => this.#forEachHandler(queue => queue.state(this.state)),
      onProgress: () => {
        for (const check of this.#waiters) check();
      },
      onGap: (gap: Gap) => this.#forEachHandler(queue => queue.gap(gap)),
      onProblem: problem => this.#problem(problem),
    };
    const options = {client, resource, clock, as, pageSize, streaming, elsewhere, ...scope};
    const reflector = new Reflector(options, sink);
    const part: ScopedReflector = {reflector, namespace: scope.namespace, keys, synced: false};
    return part;
  }

  *#versions(keys: ReadonlySet<string>): Generator<readonly [string, ObjectMeta]> {
    for (const key of keys) {
      const entry = this.#cache.entry(key);
      if (entry) yield [key, entry.object.metadata];
    }
  }

  #withheldEntries(): WithheldEntry[] {
    return Array.from(this.#withheld.values(), ({key, withheld = ''}) => ({key, reason: withheld}));
  }

  #release(key: string): void {
    if (this.#withheld.delete(key)) this.#withheldChanged = true;
  }

  #reportWithheld(): void {
    if (!this.#withheldChanged) return;
    this.#withheldChanged = false;
    this.#forEachHandler(queue => queue.withheld(this.#withheldEntries()));
  }

  #replace(part: ScopedReflector, entries: Map<string, CacheEntry>): number {
    const changes: Change[] = [];
    const initial = !part.synced;
    for (const key of part.keys) {
      if (entries.has(key)) continue;
      this.#release(key);
      const old = this.#cache.delete(key);
      part.keys.delete(key);
      if (old) changes.push({event: 'delete', key, old: old.object, initial: false, unseen: true});
    }
    for (const entry of entries.values()) {
      part.keys.add(entry.key);
      const change = this.#set(entry, initial);
      if (change) changes.push(change);
    }
    part.synced = true;
    this.#publish(changes);
    if (!this.#synced && this.#parts.every(one => one.synced)) {
      this.#synced = true;
      this.#forEachHandler(queue => queue.synced());
    }
    return changes.length;
  }

  #apply(part: ScopedReflector, changes: {gone: boolean; entry: CacheEntry}[]): void {
    const applied: Change[] = [];
    for (const {gone, entry} of changes) {
      if (!gone) {
        part.keys.add(entry.key);
        const change = this.#set(entry, false);
        if (change) applied.push(change);
        continue;
      }
      part.keys.delete(entry.key);
      this.#release(entry.key);
      const old = this.#cache.delete(entry.key);
      if (!old) continue;
      // A deletion writes no field. Only a last write within the same event has a writer.
      const writer = latestNewWriter(entry.writers, old.writers);
      applied.push({event: 'delete', key: entry.key, old: old.object, initial: false, writer});
    }
    this.#publish(applied);
  }

  /** Caches the entry. Returns undefined when the cache already holds this version. */
  #set(entry: CacheEntry, initial: boolean): Change | undefined {
    if (entry.withheld !== undefined) {
      this.#withheldChanged ||= this.#withheld.get(entry.key)?.withheld !== entry.withheld;
      this.#withheld.set(entry.key, entry);
      const gone = this.#cache.delete(entry.key);
      return gone && {event: 'delete', key: entry.key, old: gone.object, initial: false, unseen: true};
    }
    this.#release(entry.key);
    const old = this.#cache.entry(entry.key);
    if (old && sameVersion(old.object.metadata, entry.object.metadata)) {
      if (deepEqual(old.object, entry.object)) return undefined;
      const {resourceVersion} = entry.object.metadata;
      this.#problem(`${entry.key} came twice in version ${resourceVersion}, with other content`);
    }
    this.#cache.set(entry);
    if (!old) return this.#added(entry, initial);
    const writer =
      old.object.metadata.uid === entry.object.metadata.uid
        ? writerOf(entry.writers, old.writers, () => writtenPaths(old.object, entry.object))
        : creatorOf(entry.writers);
    return {event: 'update', key: entry.key, old: old.object, new: entry.object, initial: false, writer};
  }

  #added(entry: CacheEntry, initial: boolean): Change {
    const writer: Writer | undefined = writerOf(entry.writers, undefined, () => []);
    return {event: 'add', key: entry.key, new: entry.object, initial, writer};
  }

  #publish(changes: Change[]): void {
    this.#reportWithheld();
    if (changes.length) this.#forEachHandler(queue => queue.changes(changes));
  }

  #forEachHandler(call: (queue: InformerHandlerQueue) => void): void {
    // Iterates over a copy, because a handler may add or remove handlers.
    for (const queue of [...this.#handlers]) call(queue);
  }

  #problem(problem: string): void {
    this.#options.onProblem?.(`${resourceName(this.resource)}: ${problem}`);
  }
}

const severity: Record<ReflectorPhase, number> = {
  synced: 0,
  'not installed': 1,
  reconnecting: 2,
  listing: 3,
  forbidden: 4,
  unauthorized: 5,
  unreachable: 6,
};

function sameVersion(a: ObjectMeta, b: ObjectMeta): boolean {
  // A restored server may reuse a version for another object, so the uid must match as well.
  return a.resourceVersion !== undefined && a.resourceVersion === b.resourceVersion && a.uid === b.uid;
}
