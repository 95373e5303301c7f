// One resource, followed: reflectors feed one cache, and handlers hear of every change in order. Whether a
// change is an add, an update or a delete is decided by what the cache held, never by the watch's verb.

import type {DynamicClient} from '../client/dynamic-client.ts';
import type {Clock} from '../clock.ts';
import {type KubeObject, keyOf, type ObjectMeta} from '../object.ts';
import {Reflector} from '../reflector/reflector.ts';
import type {ReflectorSink} from '../reflector/reflector-sink.ts';
import type {Gap, ReflectorPhase, ReflectorState} from '../reflector/reflector-state.ts';
import {type Resource, resourceName} from '../resource.ts';
import {type Change, type Handler, InformerHandlerQueue, type Registration} from './change-handler.ts';
import {
  creatorOf,
  latestNewWriter,
  type Writer,
  WriterSummary,
  writerOf,
  writtenPaths,
} from './field-writers.ts';
import {type CacheEntry, type CacheReader, type Indexer, ObjectCache} from './object-cache.ts';

/** What to list: everything, one namespace, or one name. */
export interface Scope {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** The one object that the selectors leave: read by name where listing is denied. */
  name?: string;
}

/** Changes an object before it is kept, such as hiding secrets. Must give the same for the same. */
export type Transform = (object: KubeObject, resource: Resource) => KubeObject;

export interface InformerOptions {
  client: DynamicClient;
  resource: Resource;
  clock: Clock;
  /** One reflector each; they must not overlap. Everything when absent. */
  scopes?: readonly Scope[] | undefined;
  transform?: Transform | undefined;
  as?: 'object' | 'metadata' | undefined;
  pageSize?: number | undefined;
  streaming?: boolean | undefined;
  onProblem?: ((problem: string) => void) | undefined;
  /** Whether a kind that is gone is served in another version. */
  elsewhere?: (() => Promise<boolean>) | undefined;
}

interface ScopedReflector {
  reflector: Reflector<CacheEntry>;
  keys: Set<string>;
  synced: boolean;
}

export class Informer {
  readonly resource: Resource;
  readonly #options: InformerOptions;
  readonly #cache = new ObjectCache();
  readonly #summary = new WriterSummary();
  readonly #parts: ScopedReflector[];
  readonly #handlers = new Set<InformerHandlerQueue>();
  #synced = false;
  #stopped = false;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.resource = options.resource;
    const scopes = options.scopes?.length ? options.scopes : [{}];
    this.#parts = scopes.map(scope => this.#part(scope));
  }

  get cache(): CacheReader {
    return this.#cache;
  }

  /** The worst of the parts' states: what a person has to know first. */
  get state(): ReflectorState {
    const states = this.#parts.map(part => part.reflector.state);
    const worst = states.reduce((a, b) => (severity[b.phase] > severity[a.phase] ? b : a));
    const seen = states.reduce((sum, state) => sum + state.seen, 0);
    return {...worst, seen: worst.phase === 'listing' ? seen : this.#cache.size};
  }

  /** The cache holds every change up to this time of the clock: the oldest of the parts. */
  get asOf(): number {
    return Math.min(...this.#parts.map(part => part.reflector.asOf));
  }

  /** True once every part has been listed (or is not installed). Never goes back. */
  hasSynced(): boolean {
    return this.#synced;
  }

  start(): void {
    if (this.#stopped)
      throw new Error(`the informer of ${resourceName(this.resource)} was stopped; make a new one`);
    for (const {reflector} of this.#parts) reflector.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#parts.map(part => part.reflector.stop()));
    this.#handlers.clear();
  }

  /** Tries again now instead of at the end of the wait. */
  wake(): void {
    for (const {reflector} of this.#parts) reflector.wake();
  }

  /** Resolves when synced; rejects when the signal aborts, naming the resource and its state. */
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

  /** The handler first gets an add for everything there is, then every change, without gap or repetition. */
  addHandler(handler: Handler): Registration {
    if (this.#stopped) throw new Error(`the informer of ${resourceName(this.resource)} was stopped`);
    const queue = new InformerHandlerQueue(
      handler,
      problem => this.#problem(problem),
      gone => this.#handlers.delete(gone),
    );
    this.#handlers.add(queue);
    queue.state(this.state);
    queue.changes(Array.from(this.#cache.entries(), entry => this.#added(entry, true)));
    if (this.#synced) queue.synced();
    return queue;
  }

  addIndexer(name: string, of: Indexer): void {
    if (this.#stopped) throw new Error(`the informer of ${resourceName(this.resource)} was stopped`);
    this.#cache.addIndexer(name, of);
  }

  /** Replays every object as an update from itself to the handlers that asked for it. No request is made. */
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
      prepare: object => this.#prepare(object),
      keyOf: entry => entry.key,
      holds: ({metadata}) => {
        const held = this.#cache.entry(keyOf({metadata} as KubeObject))?.object.metadata;
        return held !== undefined && sameVersion(held, metadata);
      },
      get size() {
        return keys.size;
      },
      replace: entries => this.#replace(part, entries),
      apply: changes => this.#apply(part, changes),
      onState: () => this.#tell(queue => queue.state(this.state)),
      onGap: (gap: Gap) => this.#tell(queue => queue.gap(gap)),
      onProblem: problem => this.#problem(problem),
    };
    const options = {client, resource, clock, as, pageSize, streaming, elsewhere, ...scope};
    const reflector = new Reflector(options, sink);
    const part: ScopedReflector = {reflector, keys, synced: false};
    return part;
  }

  #prepare(object: KubeObject): CacheEntry {
    const writers = this.#summary.summarise(object.metadata.managedFields);
    const slim = withoutManagedFields(object);
    const {transform} = this.#options;
    return {key: keyOf(slim), object: transform ? transform(slim, this.resource) : slim, writers};
  }

  #replace(part: ScopedReflector, entries: Map<string, CacheEntry>): number {
    const changes: Change[] = [];
    const initial = !part.synced;
    for (const key of part.keys) {
      if (entries.has(key)) continue;
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
      this.#tell(queue => queue.synced());
    }
    return changes.length;
  }

  #apply(part: ScopedReflector, changes: {gone: boolean; entry: CacheEntry}[]): void {
    const told: Change[] = [];
    for (const {gone, entry} of changes) {
      if (!gone) {
        part.keys.add(entry.key);
        const change = this.#set(entry, false);
        if (change) told.push(change);
        continue;
      }
      part.keys.delete(entry.key);
      const old = this.#cache.delete(entry.key);
      if (!old) continue;
      // Deleting writes no field: only a write that came in the same event has an author here.
      const writer = latestNewWriter(entry.writers, old.writers);
      told.push({
        event: 'delete',
        key: entry.key,
        old: old.object,
        initial: false,
        ...(writer ? {writer} : {}),
      });
    }
    this.#publish(told);
  }

  /** Keeps the entry. Undefined when it is what was there already. */
  #set(entry: CacheEntry, initial: boolean): Change | undefined {
    const old = this.#cache.entry(entry.key);
    if (old && sameVersion(old.object.metadata, entry.object.metadata)) return undefined;
    this.#cache.set(entry);
    if (!old) return this.#added(entry, initial);
    const writer =
      old.object.metadata.uid === entry.object.metadata.uid
        ? writerOf(entry.writers, old.writers, () => writtenPaths(old.object, entry.object))
        : creatorOf(entry.writers);
    const change: Change = {
      event: 'update',
      key: entry.key,
      old: old.object,
      new: entry.object,
      initial: false,
    };
    return writer ? {...change, writer} : change;
  }

  #added(entry: CacheEntry, initial: boolean): Change {
    const writer: Writer | undefined = writerOf(entry.writers, undefined, () => []);
    const change: Change = {event: 'add', key: entry.key, new: entry.object, initial};
    return writer ? {...change, writer} : change;
  }

  #publish(changes: Change[]): void {
    if (changes.length) this.#tell(queue => queue.changes(changes));
  }

  #tell(tell: (queue: InformerHandlerQueue) => void): void {
    // A copy: a handler may add or remove handlers while it is told.
    for (const queue of [...this.#handlers]) tell(queue);
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
  // A server restored from elsewhere may use a version again for another object: the uid tells.
  return a.resourceVersion !== undefined && a.resourceVersion === b.resourceVersion && a.uid === b.uid;
}

/** A copy of the outer two levels: deleting the field in place would turn metadata into a slow, large map. */
function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const {managedFields: _, ...metadata} = object.metadata;
  return {...object, metadata};
}
