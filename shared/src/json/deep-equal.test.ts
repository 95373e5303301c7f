import fc from 'fast-check';
import {expect, test} from 'vitest';
import {deepEqual} from './deep-equal.ts';

const json = fc.jsonValue({maxDepth: 4}).map((value): unknown => JSON.parse(JSON.stringify(value)));

/** JSON text with sorted fields, which is the same for equal values. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
      : part,
  );

test('values are equal exactly when their canonical JSON is', () => {
  const pairs = fc.oneof(fc.tuple(json, json), fc.tuple(fc.constantFrom(0, [], {}, {a: 1}), json));
  fc.assert(fc.property(pairs, ([a, b]) => deepEqual(a, b) === (canonical(a) === canonical(b))));
  fc.assert(fc.property(json, value => deepEqual(value, structuredClone(value))));
});

test.each([
  [{a: undefined}, {}, true],
  [[undefined], [], false],
  [{a: 1}, {b: 1}, false],
  [{a: undefined, b: 1}, {b: 1}, true],
  [{}, [], false],
  [null, {}, false],
  [Number.NaN, Number.NaN, true],
  [0, -0, true],
  [{}, {constructor: Object}, false],
  [{constructor: 1}, {}, false],
])('%j and %j: %j', (a, b, equal) => {
  expect(deepEqual(a, b)).toBe(equal);
  expect(deepEqual(b, a)).toBe(equal);
});

test('a field that is called __proto__ counts as any other', () => {
  expect(deepEqual(JSON.parse('{"__proto__":{}}'), {})).toBe(false);
  expect(deepEqual(JSON.parse('{"__proto__":{}}'), {a: {}})).toBe(false);
});

test('raw JSON numbers are equal when their texts are', () => {
  expect(deepEqual(JSON.rawJSON('9007199254740993'), JSON.rawJSON('9007199254740993'))).toBe(true);
  expect(deepEqual(JSON.rawJSON('9007199254740993'), JSON.rawJSON('9007199254740992'))).toBe(false);
});
