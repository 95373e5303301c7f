import fc from 'fast-check';
import {expect, test} from 'vitest';
import {shareStructure} from './structural-sharing.ts';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test('what it gives is what came, whatever was there before, and what was there is left alone', () => {
  const json = fc.jsonValue({maxDepth: 4}).map(copy);
  const keyed = fc.array(fc.record({key: fc.constantFrom('a', 'b', 'c', 'd'), value: json}));
  fc.assert(
    fc.property(fc.oneof(json, keyed), fc.oneof(json, keyed), (before, after) => {
      const [old, wanted] = [copy(before), copy(after)];
      expect(shareStructure(before, after)).toEqual(wanted);
      expect(before).toEqual(old);
    }),
  );
});

test('an equal answer is the one before', () => {
  fc.assert(
    fc.property(fc.jsonValue().map(copy), value => {
      expect(shareStructure(value, copy(value))).toBe(value);
    }),
  );
});

test('rows that stayed are the same objects, also where others came, went or changed places', () => {
  const row = (key: string, phase = 'Running') => ({key, cells: {Pods: [{key, fields: {phase}}]}});
  const before = {total: 3, rows: [row('a'), row('b'), row('c')]};
  const after = shareStructure(before, {total: 3, rows: [row('new'), row('c'), row('a', 'Failed')]});
  expect(after.rows[1]).toBe(before.rows[2]);
  expect(after.rows[2]).not.toBe(before.rows[0]);
  expect(after.rows.map(one => one.key)).toEqual(['new', 'c', 'a']);
});
