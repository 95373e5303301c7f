import {expect, test} from 'vitest';
import {runCount} from './run-count.ts';

const mark = {id: '7.1', sequence: 7, at: 0, outcome: 'equal'} as const;

test('what is gone has run as often as is kept; what is there as often as it did, also when less is kept', () => {
  expect(runCount({runs: 0, strip: [mark, mark], beyond: {before: 3, after: 1}})).toBe(6);
  expect(runCount({runs: 86, strip: [mark], beyond: {before: 0, after: 0}})).toBe(86);
  expect(runCount({runs: 0, strip: [], beyond: {before: 0, after: 0}})).toBe(0);
});
