// How the fetches of a formula reach the engine.

import type {HandlerContext} from '../values/context.ts';
import {EngineError} from '../values/error.ts';
import type {QueriedCollection} from './collection-queries.ts';
import type {Filter} from './filter.ts';

/** Every context of the engine and of its test helpers is one. */
export interface ReadContext extends HandlerContext {
  read(collection: QueriedCollection, filters: readonly Filter[]): readonly unknown[];
  readPartial(
    collection: QueriedCollection,
    project: (item: unknown) => unknown,
    same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[];
}

export function asReadContext(ctx: HandlerContext | null | undefined, call: string): ReadContext {
  if (typeof (ctx as Partial<ReadContext> | null | undefined)?.read === 'function') return ctx as ReadContext;
  throw new EngineError(
    'fetch-without-context',
    `${call} needs the context that the formula was given; outside a formula use list(), or fetchOrList without one`,
  );
}
