import {expect, test} from 'vitest';
import {signOf} from './sign.ts';

test('equal values have one sign, whatever the order of their fields; lists keep theirs', () => {
  expect(signOf({a: 1, b: {c: [1, 2], d: 'x'}})).toBe(signOf({b: {d: 'x', c: [1, 2]}, a: 1}));
  expect(signOf({a: undefined, b: 1})).toBe(signOf({b: 1}));
  expect(signOf([1, 2])).not.toBe(signOf([2, 1]));
  expect(signOf(undefined)).toBe('');
});
