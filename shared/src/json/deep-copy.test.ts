import fc from 'fast-check';
import {expect, test} from 'vitest';
import {deepCopy, deepFreeze} from './deep-copy.ts';

test('a copy says the same and shares no part with the original', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 4}), value => {
      const text = JSON.stringify(value);
      const copy = deepCopy(value);
      deepFreeze(value);
      expect(JSON.stringify(copy)).toBe(text);
      expect(isOpen(copy)).toBe(true);
    }),
  );
});

/** Whether no part of the value is frozen. */
function isOpen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !Object.isFrozen(value) && Object.values(value).every(isOpen);
}

test('a field that is called __proto__ is copied as a field', () => {
  const copy = deepCopy(JSON.parse('{"__proto__":{"admin":true}}'));
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('integers beyond 2^53 survive', () => {
  expect(JSON.stringify(deepCopy({a: JSON.rawJSON('9007199254740993')}))).toBe('{"a":9007199254740993}');
});

test('freezes all the way down', () => {
  const value = deepFreeze({a: [{b: 1}]});
  expect(Object.isFrozen(value.a[0])).toBe(true);
});
