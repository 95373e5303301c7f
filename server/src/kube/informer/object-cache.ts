// The last-seen objects of one informer, and indexes over them. Objects handed out are shared: do not change
// them; whoever must change one copies it first.

import type {KubeObject} from '../object.ts';
import type {Writer} from './field-writers.ts';

/** What is kept of an object: itself without managedFields, and their summary beside it. */
export interface CacheEntry {
  readonly key: string;
  readonly object: KubeObject;
  readonly writers: readonly Writer[];
}

/** Under which values an object is found; none hides it. */
export type Indexer = (object: KubeObject) => readonly string[];

/** The reading side of a cache. */
export interface CacheReader {
  readonly size: number;
  get(key: string): KubeObject | undefined;
  list(): KubeObject[];
  keys(): IterableIterator<string>;
  /** Who wrote the object, by its managedFields, as the server listed them. */
  writers(key: string): readonly Writer[];
  /** Throws where there is no such index. */
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

  /** Builds the index over what is there; throws when the name is taken. */
  addIndexer(name: string, of: Indexer): void {
    if (this.#indexes.has(name)) throw new Error(`there is an index named ${name} already`);
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
