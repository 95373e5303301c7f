// The latest objects of one informer, and indexes over them. Callers share the objects, so they must copy an
// object before they change it.

import type {KubeObject} from '../object.ts';
import type {Writer} from './field-writers.ts';

/** An object without its managedFields, and their summary. */
export interface CacheEntry {
  readonly key: string;
  readonly object: KubeObject;
  readonly writers: readonly Writer[];
  /** Why the object cannot be used. Such an entry is never cached. */
  readonly withheld?: string | undefined;
}

/** Returns the index values of an object. An empty list leaves the object out of the index. */
export type Indexer = (object: KubeObject) => readonly string[];

/** The reading side of a cache. */
export interface CacheReader {
  readonly size: number;
  get(key: string): KubeObject | undefined;
  list(): KubeObject[];
  keys(): IterableIterator<string>;
  /** Returns the writers of the object's fields, in the order of its managedFields. */
  writers(key: string): readonly Writer[];
  /** Throws when the index does not exist. */
  byIndex(name: string, value: string): KubeObject[];
}

interface CacheIndex {
  of: Indexer;
  values: Map<string, Map<string, KubeObject>>;
}

export class ObjectCache implements CacheReader {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #indexes = new Map<string, CacheIndex>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#entries.get(key)?.object;
  }

  entry(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  list(): KubeObject[] {
    return Array.from(this.#entries.values(), entry => entry.object);
  }

  entries(): IterableIterator<CacheEntry> {
    return this.#entries.values();
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys();
  }

  writers(key: string): readonly Writer[] {
    return this.#entries.get(key)?.writers ?? [];
  }

  byIndex(name: string, value: string): KubeObject[] {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`index with name ${name} does not exist; add it with addIndexer first`);
    return [...(index.values.get(value)?.values() ?? [])];
  }

  /** Indexes the cached objects too. Throws when the name is taken. */
  addIndexer(name: string, of: Indexer): void {
    if (this.#indexes.has(name)) throw new Error(`an index named ${name} already exists`);
    const index: CacheIndex = {of, values: new Map()};
    this.#indexes.set(name, index);
    for (const {key, object} of this.#entries.values()) insert(index, key, object);
  }

  set(entry: CacheEntry): CacheEntry | undefined {
    const old = this.#entries.get(entry.key);
    this.#entries.set(entry.key, entry);
    for (const index of this.#indexes.values()) {
      if (old) remove(index, old.key, old.object);
      insert(index, entry.key, entry.object);
    }
    return old;
  }

  delete(key: string): CacheEntry | undefined {
    const old = this.#entries.get(key);
    if (!old) return undefined;
    this.#entries.delete(key);
    for (const index of this.#indexes.values()) remove(index, key, old.object);
    return old;
  }
}

function insert(index: CacheIndex, key: string, object: KubeObject): void {
  for (const value of index.of(object)) {
    let keys = index.values.get(value);
    if (!keys) {
      keys = new Map();
      index.values.set(value, keys);
    }
    keys.set(key, object);
  }
}

function remove(index: CacheIndex, key: string, object: KubeObject): void {
  for (const value of index.of(object)) {
    const keys = index.values.get(value);
    keys?.delete(key);
    if (keys?.size === 0) index.values.delete(value);
  }
}
