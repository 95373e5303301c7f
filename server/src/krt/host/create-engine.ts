// The engine that users get. It can describe and check every kind of collection, which the layers below cannot.

import {checkRuns} from '../check/sampled-checks.ts';
import {coresOf} from '../graph/core-of.ts';
import {type Engine, EngineCore, type EngineOptions} from '../graph/engine.ts';
import type {DumpEntry} from '../values/dump-types.ts';
import type {CollectionInfo} from '../values/info-types.ts';
import {infoOf} from './collection-info.ts';
import {dumpOf} from './dump.ts';
import {HiddenClassAnchor} from './hidden-class-anchor.ts';

class CompleteEngine extends EngineCore {
  collections(): CollectionInfo[] {
    return coresOf(this.cores)
      .filter(core => !core.hidden)
      .map(infoOf);
  }

  dump(): DumpEntry[] {
    return dumpOf(coresOf(this.cores));
  }

  protected checkRuns(): void {
    checkRuns(this);
  }
}

/** Kept from the first engine on. */
export const hiddenClassAnchors: HiddenClassAnchor[] = [];

export function createEngine(options: EngineOptions = {}): Engine {
  if (hiddenClassAnchors.length === 0)
    hiddenClassAnchors.push(new HiddenClassAnchor(new CompleteEngine({checks: 'off'})));
  return new CompleteEngine(options);
}
