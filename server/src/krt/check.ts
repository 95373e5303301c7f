// The costly checks: repeats of a sample of runs, after the batch has settled, with a context that records nothing.

import type {EngineCore} from './engine.ts';

const EVERY = 256;

/** The first run of a collection, then one in so many. */
export function isSampled(checks: 'sample' | 'all', run: number): boolean {
  return checks === 'all' || run === 1 || run % EVERY === 0;
}

export function checkRuns(engine: EngineCore): void {
  engine.sampled = [];
}
