import {expect, test} from 'vitest';
import {countBatch} from './batch-counts.ts';

test('an input that a program reported without a run counts as a change', () => {
  const bucket = {sequence: 0, changed: 0, equal: 0, failed: 0, writes: 0, people: 0};
  const runs = [{collection: 'Workloads', outcomes: {changed: 1, equal: 4}, milliseconds: 0}];
  countBatch(bucket, {sequence: 7, at: 0, duration: 0, roots: [], runs, observed: 2}, () => false);
  expect(bucket).toMatchObject({sequence: 7, changed: 3, equal: 4});
});
