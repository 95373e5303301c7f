// Walks from a collection to everything that it is built on. Each walk has a number, which marks the collections
// that it has met. There is no recursion, because a chain may be longer than the stack.

import type {ScheduledCollection} from './scheduled-collection.ts';

/**
 * Whether the collection or an upstream waits for its turn. Without this check, a formula that reads two settled
 * collections would wait for each in turn for ever.
 */
export function waitsForTurn(core: ScheduledCollection, visit: number): boolean {
  const open = [core];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.visit === visit) continue;
    next.visit = visit;
    if (next.queued) return true;
    for (const upstream of next.upstreams()) open.push(upstream);
  }
  return false;
}

/** Calls `turn` for the collection and its upstreams that wait for one, upstreams first. */
export function settleUpTo(
  core: ScheduledCollection,
  visit: number,
  turn: (core: ScheduledCollection) => void,
): void {
  const path: {core: ScheduledCollection; rest: Iterator<ScheduledCollection>}[] = [];
  const go = (next: ScheduledCollection) => {
    next.visit = visit;
    path.push({core: next, rest: next.upstreams()[Symbol.iterator]()});
  };
  go(core);
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const {value: upstream, done} = step.rest.next();
    if (!done) {
      if (upstream.visit !== visit && !upstream.busy) go(upstream);
      continue;
    }
    path.pop();
    if (!step.core.queued) continue;
    step.core.queued = false;
    turn(step.core);
    // It needs another turn if it found a new upstream in this one.
    if (step.core.queued) go(step.core);
  }
}
