import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {expect, test} from 'vitest';
import type {RecordedChange} from '../records.ts';
import {changeParts} from '../wording/change-sentence.ts';
import {toPlainText} from '../wording/say.ts';
import {listWords, valueWords} from '../wording/value-words.ts';
import {rankChanges} from './change-rank.ts';
import {changedPaths} from './diff.ts';
import {editDistance, nearestName} from './edit-distance.ts';
import {isPathRead} from './field-reads.ts';
import {evaluateFilter} from './filter-evaluation.ts';
import {writerOf} from './writer.ts';

test('differences are named by path, without the API server’s bookkeeping, lists of plain values whole', () => {
  const old = {metadata: {resourceVersion: '1', labels: {a: 'x'}}, tags: ['a'], list: [{n: 1}, {n: 2}]};
  const now = {
    metadata: {resourceVersion: '2', labels: {a: 'y', 'b.c/d': 'z'}},
    tags: ['a', 'b'],
    list: [{n: 1}, {n: 3}],
  };
  expect(changedPaths(old, now)).toEqual([
    {path: 'list[1].n', old: 2, new: 3},
    {path: 'metadata.labels.a', old: 'x', new: 'y'},
    {path: 'metadata.labels[b.c/d]', new: 'z'},
    {path: 'tags', old: ['a'], new: ['a', 'b']},
  ]);
  expect(changedPaths(undefined, now)).toEqual([]);
  expect(changedPaths({m: {}}, {m: {labels: {a: 'x'}}})).toEqual([{path: 'm.labels.a', new: 'x'}]);
});

test('elements of lists are compared with their namesakes, and told whole where they came or went', () => {
  const condition = (type: string, status: string) => ({type, status});
  expect(
    changedPaths(
      {conditions: [condition('Scheduled', 'True'), condition('Ready', 'False')]},
      {
        conditions: [
          condition('Initialized', 'True'),
          condition('Scheduled', 'True'),
          condition('Ready', 'True'),
        ],
      },
    ),
  ).toEqual([
    {path: 'conditions[2].status', old: 'False', new: 'True'},
    {path: 'conditions[0]', new: condition('Initialized', 'True')},
  ]);
  expect(changedPaths({ports: [{port: 80}]}, {ports: [{port: 80}, {port: 90, name: 'x'}]})).toEqual([
    {path: 'ports[1]', new: {port: 90, name: 'x'}},
  ]);
  const at = (...addresses: string[]) => ({endpoints: addresses.map(a => ({addresses: [a]}))});
  expect(changedPaths(at('1', '2'), at('2', '3'))).toEqual([
    {path: 'endpoints[0]', old: {addresses: ['1']}},
    {path: 'endpoints[1]', new: {addresses: ['3']}},
  ]);
  // Two entries with the same name are compared by position.
  expect(
    changedPaths(
      {
        l: [
          {name: 'a', n: 1},
          {name: 'a', n: 2},
        ],
      },
      {
        l: [
          {name: 'a', n: 1},
          {name: 'a', n: 3},
        ],
      },
    ),
  ).toEqual([{path: 'l[1].n', old: 2, new: 3}]);
});

test('a property that is undefined equals a missing one; empty differs from missing', () => {
  expect(deepEqual({a: undefined, b: 1}, {b: 1})).toBe(true);
  expect(deepEqual({a: []}, {})).toBe(false);
  expect(deepEqual({a: Number.NaN}, {a: Number.NaN})).toBe(true);
});

test('distance counts edits and swaps of neighbours', () => {
  expect(editDistance('catalog', 'catlog')).toBe(1);
  expect(editDistance('teh', 'the')).toBe(1);
  expect(editDistance('', 'abc')).toBe(3);
  expect(nearestName('workload', ['Pods', 'Workloads', 'Services'])).toBe('Workloads');
  expect(nearestName('zzzzzz', ['Pods'])).toBeUndefined();
});

test('what is read of a change is the path, what is in it or the whole it is in', () => {
  expect(isPathRead('metadata.labels.app', ['metadata.labels'])).toBe(true);
  expect(isPathRead('metadata.labels', ['metadata.labels.app'])).toBe(true);
  expect(isPathRead('spec.ports[0].port', ['spec.ports'])).toBe(true);
  expect(isPathRead('metadata.labelsX', ['metadata.labels'])).toBe(false);
  // A list is read as a whole, whichever element changed.
  expect(isPathRead('status.conditions[2].status', ['status.conditions.status'])).toBe(true);
  expect(isPathRead('status.conditions[2].reason', ['status.conditions.status'])).toBe(false);
  expect(isPathRead('spec.ports[1]', ['spec.ports.port'])).toBe(true);
});

test('a sentence names what the formula reads before anything else', () => {
  const words = toPlainText(
    changeParts(
      'update',
      rankChanges([
        {path: 'metadata.annotations.note', old: 'a', new: 'b', read: false},
        {path: 'status.phase', old: 'Pending', new: 'Running', read: true},
      ]),
    ),
  );
  expect(words).toBe('changed status.phase from Pending to Running');
  expect(toPlainText(changeParts('update', []))).toBe('was written again without a visible difference');
  expect(toPlainText(changeParts('update', [], 'values-lost'))).toBe(
    'changed (the values before and after are no longer kept)',
  );
  expect(valueWords({a: 'x'.repeat(80)})).toHaveLength(58);
  expect(listWords(['a', 'b', 'c'])).toBe('a, b and c');
  expect(listWords(['a', 'b', 'c'], 1)).toBe('a and 2 more');
});

const clause = {
  labels: {kind: 'labels' as const, text: 'labels app=x', labels: {app: 'x'}},
  generic: {kind: 'generic' as const, text: 'generic f', name: 'f'},
  empty: {kind: 'selects' as const, text: 'selects non-empty {app=x}', labels: {app: 'x'}, nonEmpty: true},
};
const version = (value: unknown) => ({key: 'ns/a', value});

test('both versions of an object are tried', () => {
  const tried = evaluateFilter(
    [clause.labels],
    version({metadata: {labels: {app: 'x'}}}),
    version({metadata: {labels: {app: 'y'}}}),
    new Set(),
    true,
  );
  expect(tried).toMatchObject({matchesOld: true, matchesNew: false, failing: 1});
});

test('a function is not blamed where a plain clause fails already, nor where the list of keys is cut', () => {
  const value = version({metadata: {labels: {app: 'y'}}});
  const tried = evaluateFilter([clause.labels, clause.generic], undefined, value, new Set(), true);
  expect(tried.rows.map(r => r.matchesNew)).toEqual([false, undefined]);
  const cut = evaluateFilter([clause.generic], undefined, value, new Set(), false);
  expect(cut).toMatchObject({matchesNew: undefined, failing: 0});
});

test('an empty selector fails where it must not be empty', () => {
  const tried = evaluateFilter([clause.empty], undefined, version({spec: {}}), new Set(), true);
  expect(tried.rows).toMatchObject([{clause: 'selector', wants: 'not empty', new: '{}', matchesNew: false}]);
  // Also if it was not empty before.
  const emptied = evaluateFilter(
    [clause.empty],
    version({spec: {selector: {app: 'x'}}}),
    version({spec: {}}),
    new Set(),
    true,
  );
  expect(emptied).toMatchObject({matchesOld: true, matchesNew: false, failing: 1});
});

test('the writer is the manager whose entry this write touched', () => {
  const entry = (manager: string, time: string) => ({
    manager,
    operation: 'Update',
    time,
    fieldsV1: {'f:metadata': {'f:labels': {'f:a.b/c': {}}}},
  });
  const change = (old: unknown[], now: unknown[]): RecordedChange => ({
    sequence: 1,
    at: 0,
    collection: 'Pods',
    key: 'a',
    event: 'update',
    root: true,
    old: {metadata: {managedFields: old}},
    new: {metadata: {managedFields: now}},
  });
  const kubelet = entry('kubelet', '2026-01-02T00:00:00Z');
  const written = writerOf(change([kubelet], [entry('kubectl-label', '2026-01-01T00:00:00Z'), kubelet]));
  expect(written).toEqual({
    manager: 'kubectl-label',
    operation: 'Update',
    time: '2026-01-01T00:00:00Z',
    paths: ['metadata.labels[a.b/c]'],
  });
  expect(writerOf({...change([], [kubelet]), event: 'delete'})).toBeUndefined();
  // A field that is only missing was removed by an unknown writer.
  expect(writerOf(change([kubelet], [{...kubelet, fieldsV1: {}}]))).toBeUndefined();
  expect(writerOf(change([kubelet], []))).toBeUndefined();
});
