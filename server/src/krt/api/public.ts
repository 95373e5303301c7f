// From what users hold to what is inside.

import {Core} from '../graph/core.ts';
import type {Collection} from './collection.ts';
import {EngineError} from './error.ts';

export function coreOf(collection: Collection<unknown>): Core {
  if (collection instanceof Core) return collection;
  throw new EngineError('wiring', 'expected a collection made by this engine');
}
