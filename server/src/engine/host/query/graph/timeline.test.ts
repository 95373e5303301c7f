import {expect, test} from 'vitest';
import type {Records} from '../../../../explain/records.ts';
import {timelineAnswer} from './timeline.ts';

test('the timeline of a recording that holds nothing begins now, not in 1970', () => {
  const records = {
    now: () => 1_794_926_000_000,
    oldest: () => 0,
    batches: () => [],
    gaps: () => [],
    kept: () => ({runs: 0, bytes: 0, since: 0, oldest: 0, newest: 0, limits: {runs: 50_000, megabytes: 64}}),
  } as unknown as Records;
  const {from, to, buckets} = timelineAnswer(records, {buckets: 10});
  expect([from, to]).toEqual([1_794_926_000_000, 1_794_926_000_000]);
  expect(new Set(buckets.map(({at}) => at)).size).toBe(10);
});
