// The token that a formula gets: how its reads reach the engine. run.ts has the one of a real run.

import type {CollectionCore} from '../graph/collection-core.ts';
import type {Filter} from '../query/filter.ts';
import {EngineError} from './error.ts';

export interface HandlerContext {
  /** Asks the engine to keep what it has for this input. */
  discardResult(): void;
}

/** What fetch.ts needs of a context; every context of the engine and of its test helpers has it. */
export interface ReadContext extends HandlerContext {
  read(collection: CollectionCore, filters: readonly Filter[]): readonly unknown[];
  readPartial(
    collection: CollectionCore,
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
