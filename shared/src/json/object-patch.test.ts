import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {applyPatch, type ObjectPatch, writePatch} from './object-patch.ts';

const pod = (label: string) => ({
  metadata: {name: 'a', resourceVersion: label, labels: {app: 'shop', tick: label}},
  spec: {containers: [{name: 'web', image: 'shop:1'}]},
  status: {
    conditions: [
      {type: 'Ready', status: 'True'},
      {type: 'Initialized', status: 'True'},
    ],
  },
});

function patched(old: unknown, fresh: unknown): unknown {
  const text = writePatch(old, fresh);
  return text === undefined ? fresh : applyPatch(old, JSON.parse(text) as ObjectPatch);
}

describe('the patch between two versions of an object', () => {
  test('names only what differs, and unchanged parts stay the same objects', () => {
    const old = pod('1');
    const fresh = {...pod('2'), spec: old.spec, status: old.status};
    const text = writePatch(old, fresh) as string;
    expect(JSON.parse(text)).toEqual([
      1,
      {metadata: [1, {resourceVersion: [0, '2'], labels: [1, {tick: [0, '2']}]}]},
    ]);
    const result = applyPatch(old, JSON.parse(text) as ObjectPatch) as typeof fresh;
    expect(result).toEqual(fresh);
    expect(result.spec).toBe(old.spec);
    expect(old).toEqual(pod('1'));
  });

  test('a new field takes its place among the others', () => {
    const old = {labels: {a: '1', c: '3'}, name: 'x'};
    const fresh = {labels: {a: '1', b: '2', c: '3'}, name: 'x'};
    expect(JSON.stringify(patched(old, fresh))).toBe(JSON.stringify(fresh));
    expect(writePatch(old, fresh)).toBe('[1,{"labels":[0,{"a":"1","b":"2","c":"3"}]}]');
  });

  test('an object with other fields is not patched', () => {
    expect(writePatch({a: 1}, {b: 1})).toBeUndefined();
    expect(writePatch({a: 1}, [1])).toBeUndefined();
    expect(writePatch(undefined, {a: 1})).toBeUndefined();
  });

  test('a field called __proto__ stays a field', () => {
    const old = JSON.parse('{"a":{"__proto__":{"b":1}}}') as object;
    const fresh = JSON.parse('{"a":{"__proto__":{"b":2}}}') as object;
    const result = patched(old, fresh) as {a: object};
    expect(JSON.stringify(result)).toBe(JSON.stringify(fresh));
    expect(Object.getPrototypeOf(result.a)).toBe(Object.prototype);
  });

  test('gives any new version exactly, also the order of its fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.boolean(), (one, other, wraps) => {
        const [old, fresh] = (
          wraps
            ? [
                {a: one, b: 1},
                {a: other, b: 1},
              ]
            : [one, other]
        ).map(value => JSON.parse(JSON.stringify(value)) as unknown);
        expect(JSON.stringify(patched(old, fresh))).toBe(JSON.stringify(fresh));
      }),
    );
  });
});
