// The cluster's storage. One revision counter for all resources makes a write, its revision and its log entry
// one step. The verbs decide what may be written.
import {type Clock, systemClock} from '../../kube/clock.ts';
import type {StoredObject} from '../object/stored-object.ts';
import type {LogEntry} from './change-log.ts';
import {ResourceStore} from './resource-store.ts';

interface StorageOptions {
  /** How many changes of a resource can be replayed. Changes older than five minutes cannot. */
  logLimit?: number | undefined;
  /** Monotonic milliseconds. Default: those of the clock. */
  now?: () => number;
  clock?: Clock | undefined;
}

export class Storage {
  #revision = 1;
  #compacted = 0;
  readonly #shelves = new Map<string, ResourceStore>();
  readonly #waiting = new Set<{revision: number; wake: () => void}>();
  readonly #logLimit: number;
  readonly #now: () => number;
  readonly #clock: Clock;
  /** Called after each stored change. */
  readonly listeners = new Set<(resource: string, entry: LogEntry) => void>();

  constructor(options: StorageOptions = {}) {
    this.#logLimit = options.logLimit ?? 20_000;
    this.#clock = options.clock ?? systemClock;
    this.#now = options.now ?? (() => this.#clock.now());
  }

  get revision(): number {
    return this.#revision;
  }

  resourceStore(resource: string): ResourceStore {
    let shelf = this.#shelves.get(resource);
    if (!shelf) {
      shelf = new ResourceStore(this.#compacted, this.#logLimit);
      this.#shelves.set(resource, shelf);
    }
    return shelf;
  }

  resourceStores(): IterableIterator<[string, ResourceStore]> {
    return this.#shelves.entries();
  }

  /** Stores an object with the next revision and returns it. Takes ownership of the object. */
  put(resource: string, key: string, object: StoredObject): StoredObject {
    const shelf = this.resourceStore(resource);
    const previous = shelf.objects.get(key);
    const revision = ++this.#revision;
    object.metadata.resourceVersion = String(revision);
    const type = previous ? 'MODIFIED' : 'ADDED';
    this.#commit(resource, shelf, {
      revision,
      type,
      key,
      object,
      at: this.#now(),
      ...(previous && {previous}),
    });
    return object;
  }

  /** Removes an object. The log keeps its last state with the deletion's revision. */
  remove(resource: string, key: string): StoredObject | undefined {
    const shelf = this.resourceStore(resource);
    const previous = shelf.objects.get(key);
    if (!previous) return undefined;
    const revision = ++this.#revision;
    const object = {...previous, metadata: {...previous.metadata, resourceVersion: String(revision)}};
    this.#commit(resource, shelf, {revision, type: 'DELETED', key, object, previous, at: this.#now()});
    return object;
  }

  /** Adds an initial object with the next revision, without a log entry and without calling listeners. */
  seed(resource: string, key: string, object: StoredObject): void {
    object.metadata.resourceVersion = String(++this.#revision);
    const shelf = this.resourceStore(resource);
    shelf.seed(key, object);
    shelf.forgotten = this.#revision;
  }

  /** Drops all logs: an older watch gets 410, as after etcd's compaction. */
  compact(): void {
    this.#compacted = this.#revision;
    for (const shelf of this.#shelves.values()) shelf.forget(this.#revision);
  }

  /** Resolves to true once the revision exists, or to false after the timeout. */
  waitForRevision(revision: number, milliseconds: number): Promise<boolean> {
    if (revision <= this.#revision) return Promise.resolve(true);
    return new Promise(resolve => {
      const waiter = {revision, wake: () => done(true)};
      const cancel = this.#clock.after(milliseconds, () => done(false));
      const done = (yes: boolean) => {
        cancel();
        this.#waiting.delete(waiter);
        resolve(yes);
      };
      this.#waiting.add(waiter);
    });
  }

  #commit(resource: string, shelf: ResourceStore, entry: LogEntry): void {
    shelf.apply(entry);
    for (const listener of this.listeners) listener(resource, entry);
    for (const waiter of this.#waiting) if (waiter.revision <= entry.revision) waiter.wake();
  }
}
