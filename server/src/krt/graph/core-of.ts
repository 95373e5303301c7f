// From public handles to the classes behind them.

import type {QueryNode} from '../query/query-node.ts';
import type {Collection} from '../values/collection.ts';
import {EngineError} from '../values/error.ts';
import {CollectionCore} from './collection-core.ts';
import type {EngineCore} from './engine.ts';
import type {ScheduledCollection} from './scheduled-collection.ts';

/** The collection that a query selects from. The query itself knows only a part of its type. */
export function collectionOf(node: QueryNode): CollectionCore {
  return node.core as CollectionCore;
}

/** The same collections with their whole type. The engine itself knows only a part of it. */
export function coresOf(collections: Iterable<ScheduledCollection>): readonly CollectionCore[] {
  return [...collections] as CollectionCore[];
}

export function coreOf(collection: Collection<unknown>): CollectionCore {
  if (collection instanceof CollectionCore) return collection;
  throw new EngineError('wiring', 'expected a collection made by this engine');
}

/** Refuses collections of another engine: that engine has its own order of turns. */
export function refuseForeign(engine: EngineCore, cores: readonly CollectionCore[], what: string): void {
  for (const core of cores) {
    if (core.engine === engine) continue;
    const message = `"${core.name}" belongs to another engine than the rest of ${what}; build all of it on one`;
    throw new EngineError('foreign-collection', message);
  }
}
