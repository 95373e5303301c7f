// The engine that users get: with its debug document, which knows every kind of collection.

import {type Engine, EngineCore, type EngineOptions} from '../graph/engine.ts';
import {type DumpEntry, dumpOf} from './dump.ts';
import {Mould} from './mould.ts';

class WholeEngine extends EngineCore {
  dump(): DumpEntry[] {
    return dumpOf(this.cores);
  }
}

/** Of the first engine on. */
export const moulds: Mould[] = [];

export function createEngine(options: EngineOptions = {}): Engine {
  if (moulds.length === 0) moulds.push(new Mould(new WholeEngine({checks: 'off'})));
  return new WholeEngine(options);
}
