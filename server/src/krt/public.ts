// From what users hold to what is inside.

import type {Collection} from './collection.ts';
import {Core} from './core.ts';
import {EngineError} from './error.ts';

export function coreOf(collection: Collection<unknown>): Core {
  if (collection instanceof Core) return collection;
  throw new EngineError('wiring', 'expected a collection made by this engine');
}
