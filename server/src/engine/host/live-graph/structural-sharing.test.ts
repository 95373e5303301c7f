import {isDeepStrictEqual} from 'node:util';
import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isSameVersion, shareStructure} from './structural-sharing.ts';

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

test('the same resourceVersion of the same object is the same write', () => {
  const object = (uid: string, resourceVersion?: string) => ({metadata: {uid, resourceVersion}});
  expect(isSameVersion(object('u', '1'), object('u', '1'))).toBe(true);
  expect(isSameVersion(object('u', '1'), object('u', '2'))).toBe(false);
  expect(isSameVersion(object('u', '1'), object('v', '1'))).toBe(false);
  expect(isSameVersion(object('u'), object('u'))).toBe(false);
});
