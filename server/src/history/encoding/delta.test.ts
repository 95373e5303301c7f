import fc from 'fast-check';
import {expect, test} from 'vitest';
import {addDelta, applyDelta, type Delta, TextPieces} from './delta.ts';

function deltaOf(from: unknown, to: unknown): Delta | undefined {
  const pieces = new TextPieces();
  return addDelta(from, to, pieces) ? (JSON.parse(String(pieces)) as Delta) : undefined;
}

// Values come from JSON, which has no -0.
const json = fc.jsonValue({maxDepth: 4}).map((value): unknown => JSON.parse(JSON.stringify(value)));

test('a delta turns any value into any other', () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      const delta = deltaOf(from, to);
      expect(delta === undefined ? from : applyDelta(from, delta)).toEqual(to);
    }),
  );
});

test('equal values have no delta, and a small change is a small one', () => {
  const pod = {metadata: {name: 'a', labels: {app: 'x'}}, spec: {containers: [{image: 'i'}, {image: 'j'}]}};
  expect(deltaOf(pod, {...pod, metadata: structuredClone(pod.metadata)})).toBeUndefined();
  const next = {...pod, metadata: structuredClone(pod.metadata)};
  next.metadata.labels.app = 'y';
  expect(deltaOf(pod, next)).toEqual([1, {metadata: [1, {labels: [1, {app: [0, 'y']}, []]}, []]}, []]);
});

test('what a delta does not touch is shared with the value it came from', () => {
  const from = {spec: {big: [1, 2, 3]}, status: {phase: 'Pending'}};
  const back = applyDelta(from, deltaOf(from, {spec: {big: [1, 2, 3]}, status: {phase: 'Running'}}) as Delta);
  expect((back as typeof from).spec).toBe(from.spec);
});

test('a key called __proto__ stays a key', () => {
  const to = JSON.parse('{"__proto__": {"admin": true}}');
  const back = applyDelta({}, deltaOf({}, to) as Delta) as Record<string, unknown>;
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  expect(Object.keys(back)).toEqual(['__proto__']);
});

test('of a list only the changed fields of changed entries are written; plain values that mostly changed, whole', () => {
  const entry = (i: number) => ({type: `t${i}`, status: 'True'});
  const from = [entry(1), entry(2), entry(3)];
  const to = [from[0], {...from[1], status: 'False'}, from[2]];
  expect(deltaOf(from, to)).toEqual([2, 3, [[1, [1, {status: [0, 'False']}, []]]]]);
  expect(deltaOf([from[0]], [{...from[0], status: 'False'}])).toEqual([
    2,
    1,
    [[0, [1, {status: [0, 'False']}, []]]],
  ]);
  expect(deltaOf(['a', 'b', 'c'], ['a', 'x', 'y'])).toEqual([0, ['a', 'x', 'y']]);
});

test('a field called like one that every object has goes and comes like any other', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const odd = JSON.parse(`{"a": 1, "${name}": {"x": 1}}`) as object;
    const gone = applyDelta(odd, deltaOf(odd, {a: 1}) as Delta) as object;
    expect(Object.keys(gone)).toEqual(['a']);
    const back = applyDelta({a: 1}, deltaOf({a: 1}, odd) as Delta) as object;
    expect(JSON.stringify(back)).toBe(JSON.stringify(odd));
  }
});
