// For tests: plays random graphs and batches on both engines. A failure prints the seed of the test run.
import fc from 'fast-check';
import {expect} from 'vitest';
import {caseSpec} from './model-arbitrary.ts';
import {problemsOf} from './model-check.ts';

/**
 * Throws the smallest graph on which the engines differ, with its seed. With `faults`, functions of the graph throw.
 */
export function playRandomGraphs(count: number, faults = false): void {
  fc.assert(
    fc.property(caseSpec({nodes: 8, batches: 8, faults}), spec => {
      expect(problemsOf(spec)).toEqual([]);
    }),
    {numRuns: count},
  );
}

/** The same with first runs in slices. The result must equal that of one batch. */
export function playSlicedGraphs(count: number): void {
  fc.assert(
    fc.property(caseSpec({nodes: 8, batches: 8}), fc.integer({min: 1, max: 3}), (spec, firstRuns) => {
      expect(problemsOf({...spec, quiet: true, firstRuns})).toEqual([]);
    }),
    {numRuns: count},
  );
}
