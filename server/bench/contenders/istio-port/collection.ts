// `krt-port`: upstream's algorithm in JavaScript. Every collection and handler has a queue; here one loop drains
// them in order where upstream has a worker each. Sources, indexes and events; derived.ts has the rest.
import type {Labels} from '../../support/workload-objects.ts';

export interface PortEvent<T> {
  readonly event: 'add' | 'update' | 'delete';
  readonly old?: T;
  readonly new?: T;
}

export type PortHandler<T> = (events: readonly PortEvent<T>[]) => void;

export interface PortOptions<T> {
  readonly key: (item: T) => string;
  readonly labels?: (item: T) => Labels;
  readonly selector?: (item: T) => Labels;
}

/** First in, first out, until nothing is left. */
export class PortQueue {
  #tasks: (() => void)[] = [];
  #running = false;

  push(task: () => void): void {
    this.#tasks.push(task);
  }

  drain(): void {
    if (this.#running) return;
    this.#running = true;
    while (this.#tasks.length > 0) {
      const tasks = this.#tasks;
      this.#tasks = [];
      for (const task of tasks) task();
    }
    this.#running = false;
  }
}

export class PortIndex<T> {
  readonly extract: (item: T) => readonly string[];
  readonly #buckets = new Map<string, Map<string, T>>();

  constructor(extract: (item: T) => readonly string[]) {
    this.extract = extract;
  }

  replace(key: string, old: T | undefined, next: T | undefined): void {
    if (old !== undefined) {
      for (const k of this.extract(old)) {
        const bucket = this.#buckets.get(k);
        bucket?.delete(key);
        if (bucket?.size === 0) this.#buckets.delete(k);
      }
    }
    if (next !== undefined) {
      for (const k of this.extract(next)) {
        const bucket = this.#buckets.get(k);
        if (bucket === undefined) this.#buckets.set(k, new Map([[key, next]]));
        else bucket.set(key, next);
      }
    }
  }

  lookup(k: string): T[] {
    const bucket = this.#buckets.get(k);
    return bucket === undefined ? [] : [...bucket.values()];
  }
}

let uids = 1;

export class PortCollection<T> {
  readonly uid = ++uids;
  readonly queue: PortQueue;
  readonly keyOf: (item: T) => string;
  readonly labelsOf: (item: T) => Labels;
  readonly selectorOf: (item: T) => Labels;
  protected readonly items = new Map<string, T>();
  readonly #handlers = new Set<PortHandler<T>>();
  readonly #indexes: PortIndex<T>[] = [];

  constructor(queue: PortQueue, options: PortOptions<T>) {
    this.queue = queue;
    this.keyOf = options.key;
    this.labelsOf = options.labels ?? (() => ({}));
    this.selectorOf = options.selector ?? (() => ({}));
  }

  getKey(key: string): T | undefined {
    return this.items.get(key);
  }

  list(): T[] {
    return [...this.items.values()];
  }

  index(extract: (item: T) => readonly string[]): PortIndex<T> {
    const index = new PortIndex(extract);
    for (const [key, item] of this.items) index.replace(key, undefined, item);
    this.#indexes.push(index);
    return index;
  }

  /** With replay: what is there comes first, as one batch of adds. */
  register(handler: PortHandler<T>, replay: boolean): void {
    this.#handlers.add(handler);
    if (!replay || this.items.size === 0) return;
    const adds = this.list().map(item => ({event: 'add', new: item}) as const);
    this.queue.push(() => handler(adds));
  }

  protected put(key: string, next: T | undefined): void {
    const old = this.items.get(key);
    if (next === undefined) this.items.delete(key);
    else this.items.set(key, next);
    for (const index of this.#indexes) index.replace(key, old, next);
  }

  protected publish(events: readonly PortEvent<T>[]): void {
    if (events.length === 0) return;
    for (const handler of this.#handlers) {
      const copy = events.slice();
      this.queue.push(() => handler(copy));
    }
  }
}

export class PortStatic<T> extends PortCollection<T> {
  constructor(queue: PortQueue, initial: readonly T[], options: PortOptions<T>) {
    super(queue, options);
    for (const item of initial) this.put(this.keyOf(item), item);
  }

  updateObject(item: T): void {
    const key = this.keyOf(item);
    const old = this.items.get(key);
    this.put(key, item);
    this.publish([old === undefined ? {event: 'add', new: item} : {event: 'update', old, new: item}]);
  }

  deleteObject(key: string): void {
    const old = this.items.get(key);
    if (old === undefined) return;
    this.put(key, undefined);
    this.publish([{event: 'delete', old}]);
  }
}
