// The engine that users get: with its debug document, which knows every kind of collection.

import {type DumpEntry, dumpOf} from './dump.ts';
import {type Engine, EngineCore, type EngineOptions} from './engine.ts';

class WholeEngine extends EngineCore {
  dump(): DumpEntry[] {
    return dumpOf(this.cores);
  }
}

export function createEngine(options: EngineOptions = {}): Engine {
  return new WholeEngine(options);
}
