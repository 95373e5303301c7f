// The engine that users get: with its debug document, which knows every kind of collection.

import {type Engine, EngineCore, type EngineOptions} from '../graph/engine.ts';
import {type DumpEntry, dumpOf} from './dump.ts';
import {HiddenClassAnchor} from './hidden-class-anchor.ts';

class CompleteEngine extends EngineCore {
  dump(): DumpEntry[] {
    return dumpOf(this.cores);
  }
}

/** Of the first engine on. */
export const hiddenClassAnchors: HiddenClassAnchor[] = [];

export function createEngine(options: EngineOptions = {}): Engine {
  if (hiddenClassAnchors.length === 0)
    hiddenClassAnchors.push(new HiddenClassAnchor(new CompleteEngine({checks: 'off'})));
  return new CompleteEngine(options);
}
