// Each patch type on a small object.
import {expect, test} from 'vitest';
import {builtInSchema} from '../schema/field-schema.ts';
import {jsonPatch} from './json-patch.ts';
import {mergePatch} from './merge-patch.ts';
import {strategicMerge} from './strategic-merge-patch.ts';

test('a merge patch sets, nests and takes away', () => {
  expect(mergePatch({a: 1, b: {c: 1, d: 2}}, {a: null, b: {c: 3}, e: [1]})).toEqual({
    b: {c: 3, d: 2},
    e: [1],
  });
});

test('a JSON patch does its operations in order and leaves the original alone', () => {
  const before = {list: [1, 2], map: {a: 1}};
  const patch = [
    {op: 'test', path: '/map/a', value: 1},
    {op: 'add', path: '/list/-', value: 3},
    {op: 'replace', path: '/list/0', value: 9},
    {op: 'move', from: '/map/a', path: '/map/b~1c'},
  ];
  expect(jsonPatch(before, patch)).toEqual({list: [9, 2, 3], map: {'b/c': 1}});
  expect(before).toEqual({list: [1, 2], map: {a: 1}});
});

test.each([
  [{op: 'test', path: '/a', value: 2}],
  [{op: 'remove', path: '/none'}],
  [{op: 'add', path: '/none/x', value: 1}],
  [{op: 'odd', path: '/a'}],
])('%j cannot be done', operation => {
  expect(() => jsonPatch({a: 1}, [operation])).toThrow();
});

const pod = builtInSchema('', 'v1', 'Pod');
const containers = (list: unknown[]) => ({spec: {containers: list}});

test('a strategic patch merges containers by name, new ones before the rest', () => {
  const now = containers([
    {name: 'a', image: '1'},
    {name: 'b', image: '1'},
  ]);
  const patch = containers([
    {name: 'c', image: '3'},
    {name: 'b', image: '2'},
  ]);
  expect(strategicMerge(now, patch, pod)).toEqual(
    containers([
      {name: 'c', image: '3'},
      {name: 'a', image: '1'},
      {name: 'b', image: '2'},
    ]),
  );
});

test('its directives delete, replace and order', () => {
  const now = containers([{name: 'a'}, {name: 'b'}]);
  expect(strategicMerge(now, containers([{name: 'a', $patch: 'delete'}]), pod)).toEqual(
    containers([{name: 'b'}]),
  );
  expect(
    strategicMerge({metadata: {labels: {x: '1'}}}, {metadata: {labels: {$patch: 'replace', y: '2'}}}, pod),
  ).toEqual({metadata: {labels: {y: '2'}}});
  const order = {spec: {'$setElementOrder/containers': [{name: 'b'}, {name: 'a'}]}};
  expect(strategicMerge(now, order, pod)).toEqual(containers([{name: 'b'}, {name: 'a'}]));
});

test('an item without its key is refused', () => {
  expect(() => strategicMerge(containers([]), containers([{image: 'x'}]), pod)).toThrow(
    'does not contain declared merge key: name',
  );
});
