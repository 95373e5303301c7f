// Random graphs and random batches against the oracle. `npm run fuzz` plays the same for as long as one likes.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {caseSpec} from './testing-model-arbitrary.ts';
import {problemsOf} from './testing-model-check.ts';

test('[MD1 MD2 MD3 MD4 MD5 MD6 LK1 LK4] 2,000 random graphs: after every batch states, changes, runs and causes are what plain functions say', () => {
  const seed = Date.now() % 0x7fffffff;
  fc.assert(
    fc.property(caseSpec({nodes: 8, batches: 8}), spec => {
      expect(problemsOf(spec)).toEqual([]);
    }),
    {numRuns: 2000, seed},
  );
}, 120_000);
