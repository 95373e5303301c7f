// Indexes that a user adds to a collection: how they are made, dropped, read and turned into collections.

import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf} from '../graph/core-of.ts';
import {Filter, filterKey} from '../query/filter.ts';
import {IndexCore, type IndexFunction} from '../query/index-core.ts';
import {asReadContext} from '../query/read-context.ts';
import type {Collection, Options} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {EngineError} from '../values/error.ts';
import {INDEX} from '../values/filter-kinds.ts';
import {type IndexRow, newGroupBy} from './group-by.ts';

export interface Index<T, K = string> {
  readonly name: string;
  readonly uid: number;
  /** A fresh array. Inside a formula this read is not recorded: use fetch. */
  lookup(key: K): T[];
  fetch(ctx: HandlerContext, key: K, ...filters: Filter[]): readonly T[];
  /** One row per bucket, for a formula that groups. */
  asCollection(options?: Options<IndexRow<T, K>>): Collection<IndexRow<T, K>>;
}

/** The only index class that is instantiated, so that its calls stay fast. */
class UserIndex extends IndexCore {
  declare readonly core: CollectionCore;

  lookup(key: unknown): unknown[] {
    this.refuseDropped();
    this.core.engine.noteUntrackedRead(this.core);
    return this.itemsOf(String(key));
  }

  fetch(ctx: HandlerContext, key: unknown, ...filters: Filter[]): readonly unknown[] {
    const own = filterIndex(this as unknown as Index<unknown, unknown>, key);
    return asReadContext(ctx, 'index.fetch').read(this.core, [own, ...filters]);
  }

  asCollection(options: Options<IndexRow<unknown, unknown>> = {}): Collection<IndexRow<unknown, unknown>> {
    this.refuseDropped();
    return newGroupBy(this.core, this, options);
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
/**
 * The same name and function give the same index. Throws if the name has another function, or if the function
 * throws for an existing item.
 */
export function newIndex<T, K = string>(
  collection: Collection<T>,
  first: string | ((item: T) => Iterable<K> | null | undefined),
  second?: ((item: T) => Iterable<K> | null | undefined) | {name?: string},
): Index<T, K> {
  const extract = (typeof first === 'function' ? first : second) as IndexFunction;
  const name = typeof first === 'string' ? first : (second as {name?: string} | undefined)?.name;
  return addIndex(coreOf(collection), name, extract) as unknown as Index<T, K>;
}

function addIndex(core: CollectionCore, name: string | undefined, extract: IndexFunction): IndexCore {
  if (core.kind === 'index') {
    throw new EngineError(
      'index-of-index',
      `"${core.name}" is an index as a collection and cannot be indexed; index the collection it groups`,
    );
  }
  if (typeof extract !== 'function' || (name !== undefined && typeof name !== 'string')) {
    throw new EngineError(
      'wiring',
      `an index of "${core.name}" takes a name, which is a text, and a function`,
    );
  }
  const existing = name === undefined ? undefined : core.indexes.find(index => index.name === name);
  if (existing?.extract === extract) return existing;
  if (existing !== undefined) {
    throw new EngineError(
      'index-name',
      `"${core.name}" has an index "${name}" with another function; choose another name`,
    );
  }
  const index = new UserIndex(core, name, extract);
  core.indexes = [...core.indexes, index];
  return index;
}

/** Items by namespace. All callers share one index. */
export function newNamespaceIndex<T>(collection: Collection<T>): Index<T> {
  const core = coreOf(collection);
  const existing = core.indexes.find(index => index.name === 'namespace');
  if (existing !== undefined) return existing as unknown as Index<T>;
  const {augment, namespace} = core.accessors;
  const extract = (item: unknown) => [namespace(augment === null ? item : augment(item))];
  return addIndex(core, 'namespace', extract) as unknown as Index<T>;
}

/**
 * Drops an index. Refused while an input fetches by it, or a collection is made of it. Dropping it twice does
 * nothing.
 */
export function dropIndex<T, K>(index: Index<T, K>): void {
  if (!(index instanceof UserIndex)) {
    throw new EngineError('wiring', 'expected an index made by newIndex');
  }
  const {core} = index;
  if (!core.indexes.includes(index)) return;
  const users = new Set<string>();
  for (const node of core.queries?.nodes ?? []) {
    if (node.spec.index === index) for (const user of node.users) users.add(user.collection.name);
  }
  for (const view of core.views) if (view.groups(index)) users.add(view.name);
  if (users.size > 0) {
    const names = [...users].map(name => `"${name}"`).join(', ');
    throw new EngineError(
      'in-use',
      `index "${index.name}" of "${core.name}" is used by ${names}; stop them first`,
    );
  }
  core.engine.write(() => {
    core.indexes = core.indexes.filter(other => other !== index);
    index.drop();
  });
}

/** The objects of one bucket of an index as a collection, or undefined. */
export function fetchIndexObjects<T, K = string>(
  ctx: HandlerContext,
  groups: Collection<IndexRow<T, K>>,
  key: K,
): readonly T[] | undefined {
  const rows = asReadContext(ctx, 'fetchIndexObjects').read(coreOf(groups), [filterKey(String(key))]);
  return (rows[0] as IndexRow<T, K> | undefined)?.objects;
}

export function filterIndex<T, K>(index: Index<T, K>, key: K): Filter {
  return new Filter(INDEX, typeof key === 'string' ? key : String(key), index as unknown as IndexCore);
}
