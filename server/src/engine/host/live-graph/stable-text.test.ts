import {expect, test} from 'vitest';
import {stableTextOf} from './stable-text.ts';

test('equal values have one sign, whatever the order of their fields; lists keep theirs', () => {
  expect(stableTextOf({a: 1, b: {c: [1, 2], d: 'x'}})).toBe(stableTextOf({b: {d: 'x', c: [1, 2]}, a: 1}));
  expect(stableTextOf({a: undefined, b: 1})).toBe(stableTextOf({b: 1}));
  expect(stableTextOf([1, 2])).not.toBe(stableTextOf([2, 1]));
  expect(stableTextOf(undefined)).toBe('');
});
