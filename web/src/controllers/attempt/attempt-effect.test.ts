import type {Attempt} from '@krtscope/shared/controllers.ts';
import {expect, test} from 'vitest';
import {effectText, matchesFilter} from './attempt-effect.ts';

const write = (rest: object) => ({at: 1, verb: 'update', kind: 'Pod', dryRun: false, ...rest});
const attempt = (writes: object[], rest: object = {}) =>
  ({writes: writes.map(write), result: 'done', ...rest}) as unknown as Attempt;

test('an attempt wrote, met a conflict, or changed nothing', () => {
  expect(effectText(attempt([{before: {a: 1}, after: {a: 2}}, {after: {a: 1}}]))).toBe('wrote 2');
  expect(
    effectText(
      attempt([
        {before: {a: 1}, after: {a: 1}},
        {dryRun: true, after: {}},
      ]),
    ),
  ).toBe('no change');
  expect(effectText(attempt([{error: 'the object has been modified'}], {result: 'error'}))).toBe('conflict');
  expect(effectText(attempt([], {result: undefined}))).toBe('');
});

test('filters keep attempts that wrote, that changed nothing, or that failed', () => {
  const wrote = attempt([{after: {a: 1}}]);
  const failed = attempt([], {result: 'error'});
  expect([wrote, failed].map(one => matchesFilter(one, 'Wrote'))).toEqual([true, false]);
  expect([wrote, failed].map(one => matchesFilter(one, 'No change'))).toEqual([false, true]);
  expect([wrote, failed].map(one => matchesFilter(one, 'Failed'))).toEqual([false, true]);
});
