// The reads of a formula. Each is recorded, so that the input runs again when the answer may change.

import {coreOf} from '../graph/core-of.ts';
import {Filter, filterKey} from '../query/filter.ts';
import {asReadContext} from '../query/read-context.ts';
import {scanRows} from '../query/scan.ts';
import type {Collection} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {equal} from '../values/equality.ts';
import {EngineError} from '../values/error.ts';

/** All items that the filters select; shared and frozen. Waits if the collection has not synced. */
export function fetch<T>(ctx: HandlerContext, collection: Collection<T>, ...filters: Filter[]): readonly T[] {
  return asReadContext(ctx, 'fetch').read(coreOf(collection), filters) as readonly T[];
}

/** The one item that the filters select, or undefined; throws if there are more. */
export function fetchOne<T>(
  ctx: HandlerContext,
  collection: Collection<T>,
  ...filters: Filter[]
): T | undefined {
  const found = asReadContext(ctx, 'fetchOne').read(coreOf(collection), filters);
  if (found.length > 1) {
    throw new EngineError(
      'more-than-one',
      `fetchOne found ${found.length} items in "${collection.name}"; narrow the filter or use fetch`,
    );
  }
  return found[0] as T | undefined;
}

/** With a context a fetch; without one a plain list that nothing depends on. */
export function fetchOrList<T>(
  ctx: HandlerContext | null | undefined,
  collection: Collection<T>,
  ...filters: Filter[]
): readonly T[] {
  if (ctx !== null && ctx !== undefined) return fetch(ctx, collection, ...filters);
  const core = coreOf(collection);
  core.engine.noteUntrackedRead(core);
  return scanRows(core, filters) as T[];
}

/** A fetch of a part of each item: updates that leave the part equal do not run the input again. */
export function partialFetch<T, P>(
  ctx: HandlerContext,
  collection: Collection<T>,
  project: (item: T) => P,
  same?: ((a: P, b: P) => boolean) | Filter | null,
  ...filters: Filter[]
): P[] {
  const own = same instanceof Filter ? [same, ...filters] : filters;
  const equality = typeof same === 'function' ? (same as (a: unknown, b: unknown) => boolean) : equal;
  const context = asReadContext(ctx, 'partialFetch');
  return context.readPartial(coreOf(collection), project as (item: unknown) => unknown, equality, own) as P[];
}

/** As partialFetch, for parts that === compares. */
export function partialFetchComparable<T, P>(
  ctx: HandlerContext,
  collection: Collection<T>,
  project: (item: T) => P,
  ...filters: Filter[]
): P[] {
  return partialFetch(ctx, collection, project, Object.is, ...filters);
}

/** Runs the input again when the object comes or goes, not when it changes. */
export function resourceExists<T>(ctx: HandlerContext, collection: Collection<T>, key: string): boolean {
  return (
    partialFetch(ctx, collection as Collection<unknown>, existenceOf, Object.is, filterKey(key)).length > 0
  );
}

// Which one it is says the key that was asked for: its updates do not matter.
function existenceOf(): true {
  return true;
}
