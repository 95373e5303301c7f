import fc from 'fast-check';
import {expect, test} from 'vitest';
import {jsonDifference} from '../../runtime/webhook/json-difference.ts';
import {jsonPatch} from './json-patch.ts';

test('a patch turns every object into every other one', () => {
  const object = fc.dictionary(fc.string({maxLength: 3}), fc.jsonValue({maxDepth: 3}));
  fc.assert(
    fc.property(object, object, (before, after) => {
      const [a, b] = [JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after))];
      expect(jsonPatch(a, jsonDifference(a, b))).toEqual(b);
    }),
    {numRuns: 300},
  );
});

test('equal values need no operation, and keys are escaped', () => {
  expect(jsonDifference({a: [1]}, {a: [1]})).toEqual([]);
  expect(jsonDifference({'a/b': 1}, {'c~d': 2})).toEqual([
    {op: 'remove', path: '/a~1b'},
    {op: 'add', path: '/c~0d', value: 2},
  ]);
});
