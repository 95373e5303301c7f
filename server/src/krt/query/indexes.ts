// Indexes that a user adds to a collection: buckets of items by any text, complete from the moment they exist.

import type {Collection, Options} from '../api/collection.ts';
import {type HandlerContext, readContext} from '../api/context.ts';
import {EngineError} from '../api/error.ts';
import {coreOf} from '../api/public.ts';
import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';
import {newGroupBy} from '../kinds/group-by.ts';
import {type Filter, filterIndex, filterKey} from './filter.ts';

export interface IndexRow<T, K = string> {
  key: K;
  objects: readonly T[];
}

export interface Index<T, K = string> {
  readonly name: string;
  readonly uid: number;
  /** A fresh array. Inside a formula this read is not recorded: use fetch. */
  lookup(key: K): T[];
  fetch(ctx: HandlerContext, key: K, ...filters: Filter[]): readonly T[];
  /** One row per bucket, for a formula that groups. */
  asCollection(options?: Options<IndexRow<T, K>>): Collection<IndexRow<T, K>>;
}

type Extract = (item: unknown) => Iterable<unknown> | null | undefined;

const NO_KEYS: readonly string[] = Object.freeze([]) as readonly string[];
const NO_ROWS: ReadonlySet<Row> = new Set();

export class IndexCore {
  readonly core: Core;
  readonly name: string;
  readonly uid: number;
  readonly extract: Extract;
  readonly buckets = new Map<string, Set<Row>>();
  /** Some key was not a text. */
  typed = false;

  constructor(core: Core, name: string | undefined, extract: Extract) {
    this.core = core;
    this.uid = core.engine.nextIndexUid();
    this.name = name ?? `index${this.uid}`;
    this.extract = extract;
    for (const row of core.rows.values())
      if (row.value !== undefined) this.changed(row, undefined, row.value);
  }

  keysOf(item: unknown): readonly string[] {
    const keys = this.extract(item);
    if (keys === null || keys === undefined) return NO_KEYS;
    if (typeof keys === 'string') return [keys];
    const texts: string[] = [];
    for (const key of keys) {
      if (typeof key !== 'string') this.typed = true;
      const text = String(key);
      if (!texts.includes(text)) texts.push(text);
    }
    return texts;
  }

  changed(row: Row, old: unknown, now: unknown): void {
    const from = old === undefined ? NO_KEYS : this.keysOf(old);
    const to = now === undefined ? NO_KEYS : this.keysOf(now);
    for (const key of from) {
      if (to.includes(key)) continue;
      const bucket = this.buckets.get(key);
      if (bucket?.delete(row) && bucket.size === 0) this.buckets.delete(key);
    }
    for (const key of to) {
      const bucket = this.buckets.get(key);
      if (bucket === undefined) this.buckets.set(key, new Set([row]));
      else bucket.add(row);
    }
  }

  bucket(key: string): ReadonlySet<Row> {
    return this.buckets.get(key) ?? NO_ROWS;
  }

  itemsOf(key: string): unknown[] {
    const items: unknown[] = [];
    for (const row of this.bucket(key)) if (row.value !== undefined) items.push(row.value);
    return items;
  }

  /** By key: the same items make the same row, in whatever order they came. What is in order already stays so. */
  sortedItemsOf(key: string): unknown[] {
    const bucket = this.bucket(key);
    let last = '';
    for (const row of bucket) {
      if (row.key < last) {
        const rows = [...bucket].sort((a, b) => (a.key < b.key ? -1 : 1));
        this.buckets.set(key, new Set(rows));
        break;
      }
      last = row.key;
    }
    return this.itemsOf(key);
  }

  lookup(key: unknown): unknown[] {
    this.core.engine.untracked(this.core);
    return this.itemsOf(String(key));
  }

  fetch(ctx: HandlerContext, key: unknown, ...filters: Filter[]): readonly unknown[] {
    const own = filterIndex(this as unknown as Index<unknown, unknown>, key);
    return readContext(ctx, 'index.fetch').read(this.core, [own, ...filters]);
  }

  asCollection(options: Options<IndexRow<unknown, unknown>> = {}): Collection<IndexRow<unknown, unknown>> {
    return newGroupBy(this, options);
  }
}

export function newIndex<T, K = string>(
  collection: Collection<T>,
  name: string,
  extract: (item: T) => Iterable<K> | null | undefined,
): Index<T, K>;
export function newIndex<T, K = string>(
  collection: Collection<T>,
  extract: (item: T) => Iterable<K> | null | undefined,
  options?: {name?: string},
): Index<T, K>;
/** The same name and function give the same index; the same name with another function throws. */
export function newIndex<T, K = string>(
  collection: Collection<T>,
  first: string | ((item: T) => Iterable<K> | null | undefined),
  second?: ((item: T) => Iterable<K> | null | undefined) | {name?: string},
): Index<T, K> {
  const extract = (typeof first === 'function' ? first : second) as Extract;
  const name = typeof first === 'string' ? first : (second as {name?: string} | undefined)?.name;
  return addIndex(coreOf(collection), name, extract) as unknown as Index<T, K>;
}

function addIndex(core: Core, name: string | undefined, extract: Extract): IndexCore {
  if (core.kind === 'index') {
    throw new EngineError(
      'index-of-index',
      `"${core.name}" is an index as a collection and cannot be indexed; index the collection it groups`,
    );
  }
  const held = name === undefined ? undefined : core.indexes.find(index => index.name === name);
  if (held?.extract === extract) return held;
  if (held !== undefined) {
    throw new EngineError(
      'index-name',
      `"${core.name}" has an index "${name}" with another function; choose another name`,
    );
  }
  const index = new IndexCore(core, name, extract);
  core.indexes = [...core.indexes, index];
  return index;
}

/** Items by their namespace; one and the same index for every caller. */
export function newNamespaceIndex<T>(collection: Collection<T>): Index<T> {
  const core = coreOf(collection);
  const held = core.indexes.find(index => index.name === 'namespace');
  if (held !== undefined) return held as unknown as Index<T>;
  return addIndex(core, 'namespace', item => [core.namespaceOf(item)]) as unknown as Index<T>;
}

/** The objects of one bucket of an index that was made a collection; undefined if there is none. */
export function fetchIndexObjects<T, K = string>(
  ctx: HandlerContext,
  groups: Collection<IndexRow<T, K>>,
  key: K,
): readonly T[] | undefined {
  const rows = readContext(ctx, 'fetchIndexObjects').read(coreOf(groups), [filterKey(String(key))]);
  return (rows[0] as IndexRow<T, K> | undefined)?.objects;
}
