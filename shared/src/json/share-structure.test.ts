import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {deepFreeze} from './deep-copy.ts';
import {shareStructure} from './share-structure.ts';

// Values come from JSON, which has no -0.
const json = fc.jsonValue({maxDepth: 4}).map((value): unknown => JSON.parse(JSON.stringify(value)));

test('what did not change keeps its identity', () => {
  const old = deepFreeze({
    metadata: {name: 'a'},
    spec: {containers: [{image: 'i'}]},
    status: {phase: 'Pending'},
  });
  const fresh = structuredClone(old) as {status: {phase: string}};
  fresh.status.phase = 'Running';
  const shared = shareStructure(old, fresh) as typeof old;
  expect(shared.spec).toBe(old.spec);
  expect(shared.metadata).toBe(old.metadata);
  expect(shared.status).toEqual({phase: 'Running'});
});

test('sharing never changes what an object says, and an equal one becomes the old one', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      const old = deepFreeze(structuredClone(a));
      const shared = shareStructure(old, structuredClone(b));
      expect(isDeepStrictEqual(shared, b)).toBe(true);
      expect(shareStructure(old, structuredClone(a))).toBe(old);
    }),
  );
});

test('freezing goes all the way down', () => {
  const value = deepFreeze({a: [{b: {c: 1}}]});
  expect(() => {
    (value.a[0] as {b: {c: number}}).b.c = 2;
  }).toThrow(TypeError);
});

test('equal texts of objects that differ are one text, and a name like __proto__ is only a field', () => {
  const old = deepFreeze({image: 'shop/cart:1.4.2', ip: '10.0.0.1'});
  const fresh = JSON.parse('{"image":"shop/cart:1.4.2","ip":"10.0.0.2","__proto__":{"a":1}}');
  expect(JSON.stringify(shareStructure(old, fresh))).toBe(
    '{"image":"shop/cart:1.4.2","ip":"10.0.0.2","__proto__":{"a":1}}',
  );
  expect(shareStructure({a: 1}, JSON.parse('{"toString":1}'))).toEqual({toString: 1});
});
