// Whether one collection is built on another, or fetches from it.

import type {CollectionCore} from '../graph/collection-core.ts';
import {EngineError} from '../values/error.ts';

/** Throws if a fetch of `core` by `reader` closes a cycle. */
export function refuseCycle(reader: CollectionCore, core: CollectionCore): void {
  const path = pathTo(core, reader);
  if (path === null) return;
  const names = [reader, ...path].map(c => `"${c.name}"`).join(' → ');
  throw new EngineError(
    'cycle',
    `a fetch closes the cycle ${names}; fetch from what "${reader.name}" is not built on`,
  );
}

export function dependsOn(core: CollectionCore, goal: CollectionCore): boolean {
  return pathTo(core, goal) !== null;
}

/** The path upstream from one collection to another, or null. */
function pathTo(from: CollectionCore, goal: CollectionCore): CollectionCore[] | null {
  // A downstream collection always has a higher level.
  if (from !== goal && from.level <= goal.level) return null;
  const cameFrom = new Map<CollectionCore, CollectionCore | null>([[from, null]]);
  // No recursion: a chain may be longer than the stack.
  const open = [from];
  for (let core = open.pop(); core !== undefined; core = open.pop()) {
    if (core === goal) {
      const path: CollectionCore[] = [];
      for (let step: CollectionCore | null = core; step !== null; step = cameFrom.get(step) ?? null)
        path.unshift(step);
      return path;
    }
    // A stopped collection gets no updates, so a path through it is not a cycle.
    if (core.stopped) continue;
    for (const upstream of core.upstreams()) {
      if (cameFrom.has(upstream)) continue;
      cameFrom.set(upstream, core);
      open.push(upstream);
    }
  }
  return null;
}
