// From what users hold to what is inside.

import {Core} from '../graph/core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {Collection} from './collection.ts';
import {EngineError} from './error.ts';

export function coreOf(collection: Collection<unknown>): Core {
  if (collection instanceof Core) return collection;
  throw new EngineError('wiring', 'expected a collection made by this engine');
}

/** Two engines have two orders of turns: what one of them settles, the other would never hear of in time. */
export function refuseForeign(engine: EngineCore, cores: readonly Core[], what: string): void {
  for (const core of cores) {
    if (core.engine === engine) continue;
    const message = `"${core.name}" belongs to another engine than the rest of ${what}; build all of it on one`;
    throw new EngineError('foreign-collection', message);
  }
}
