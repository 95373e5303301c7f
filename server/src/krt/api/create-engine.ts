// The engine that users get: with its debug document, which knows every kind of collection.

import {type Engine, EngineCore, type EngineOptions} from '../graph/engine.ts';
import {type DumpEntry, dumpOf} from './dump.ts';

class WholeEngine extends EngineCore {
  dump(): DumpEntry[] {
    return dumpOf(this.cores);
  }
}

export function createEngine(options: EngineOptions = {}): Engine {
  return new WholeEngine(options);
}
