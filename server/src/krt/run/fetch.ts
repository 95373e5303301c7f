// The reads of a formula. Each is recorded, so that the input runs again when its answer may change.

import {coreOf} from '../graph/core-of.ts';
import {Filter, filterKey} from '../query/filter.ts';
import {asReadContext} from '../query/read-context.ts';
import {scanRows} from '../query/scan.ts';
import type {Collection} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {equal} from '../values/equality.ts';
import {EngineError} from '../values/error.ts';
import {FormulaRunContext} from './run-context.ts';

/** All items that the filters select, in a shared frozen list. Waits until the collection has synced. */
export function fetch<T>(ctx: HandlerContext, collection: Collection<T>, ...filters: Filter[]): readonly T[] {
  const again = ctx instanceof FormulaRunContext ? ctx.repeatFetch(collection, filters) : null;
  return (again ?? asReadContext(ctx, 'fetch').read(coreOf(collection), filters)) as readonly T[];
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

/** A fetch with a context; a plain unrecorded list without one. */
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

/** Fetches a part of each item. Updates that keep the part equal do not run the input again. */
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

/** Like partialFetch, with === for the parts. */
export function partialFetchComparable<T, P>(
  ctx: HandlerContext,
  collection: Collection<T>,
  project: (item: T) => P,
  ...filters: Filter[]
): P[] {
  return partialFetch(ctx, collection, project, Object.is, ...filters);
}

/** The input runs again when the object appears or disappears, not when it changes. */
export function resourceExists<T>(ctx: HandlerContext, collection: Collection<T>, key: string): boolean {
  return (
    partialFetch(ctx, collection as Collection<unknown>, existenceOf, Object.is, filterKey(key)).length > 0
  );
}

// A constant, so that updates do not matter.
function existenceOf(): true {
  return true;
}
