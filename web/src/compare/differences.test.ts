import type {Diff} from '@krtscope/shared/items.ts';
import {expect, test} from 'vitest';
import {countDifferences, differencesOf, fieldChanges} from './differences.ts';

const diff: Diff = {
  from: 10,
  to: 20,
  collections: {
    Pods: [
      {key: 'a', new: 1},
      {key: 'b', old: 1},
      {key: 'c', old: {x: 1}, new: {x: 2}},
    ],
    Quiet: [],
  },
};

test('from the earlier moment what is later is now; from the later one it is the other way round', () => {
  const kinds = (shown: number) => differencesOf(diff, shown)[0]!.differences.map(one => one.kind);
  expect(kinds(10)).toEqual(['added', 'removed', 'changed']);
  expect(kinds(20)).toEqual(['removed', 'added', 'changed']);
  expect(differencesOf(diff, 10).map(one => one.name)).toEqual(['Pods']);
  expect(countDifferences(differencesOf(diff, 10))).toEqual({added: 1, removed: 1, changed: 1});
});

test('fields: changed, added and removed ones, lists by position; bookkeeping only where there is nothing else', () => {
  const before = {metadata: {resourceVersion: '1', labels: {'a.b/c': 'x'}}, spec: {ports: [1, 2]}};
  const after = {metadata: {resourceVersion: '2', labels: {'a.b/c': 'y'}}, spec: {ports: [1]}};
  expect(fieldChanges({before, after})).toEqual([
    {path: 'metadata.labels[a.b/c]', old: 'x', new: 'y'},
    {path: 'spec.ports[1]', old: 2, new: undefined},
  ]);
  expect(fieldChanges({before: {metadata: {generation: 1}}, after: {metadata: {generation: 2}}})).toEqual([
    {path: 'metadata.generation', old: 1, new: 2},
  ]);
});
