import type {Check} from '@krtscope/shared/checks.ts';
import {expect, test} from 'vitest';
import {byOrder, equalShare} from './busy.ts';
import {concerns, evidencePlace, foldAlike, issueText, problemId} from './problem.ts';

const check: Check = {
  code: 'selects-nothing',
  severity: 'warning',
  collection: 'Services',
  keys: ['shop/recommendations'],
  message: 'wants app=recommendations; 0 of 21 Pods match',
  count: 1,
  title: 'Service selects nothing',
  sequence: 12,
  at: 1000,
};

test('a pair opens Why not with what was expected, an item opens Why, anything else its row', () => {
  const item = {collection: 'ServiceInfos', key: 'shop/recommendations'};
  const expected = {collection: 'Pods', key: 'shop/a'};
  expect(evidencePlace({...check, evidence: {item, expected}})).toEqual({
    view: 'why-not',
    ...item,
    params: {expected: 'Pods/shop/a'},
  });
  expect(evidencePlace({...check, evidence: {item}})).toEqual({view: 'why', ...item});
  expect(evidencePlace(check)).toEqual({view: 'sheet', collection: 'Services', key: 'shop/recommendations'});
});

test('a problem keeps its identity while it counts on', () => {
  expect(problemId({...check, count: 9, at: 2000})).toBe(problemId(check));
});

test('as an issue it names the object, the moment and the command', () => {
  const text = issueText({...check, hint: 'kubectl -n shop get pods --show-labels'});
  expect(text).toContain('`shop/recommendations`');
  expect(text).toContain('@12');
  expect(text).toContain('```\nkubectl -n shop get pods --show-labels\n```');
});

test('the busiest by runs, by time spent, by runs for nothing', () => {
  const row = (collection: string, runs: number, equal: number, milliseconds: number) => ({
    collection,
    runs,
    equal,
    milliseconds,
    lag: 0,
    spark: [],
  });
  const rows = [row('A', 10, 1, 0.1), row('B', 5, 5, 9), row('C', 8, 2, 0.5)];
  const names = (order: 'runs' | 'time' | 'equal') => byOrder(rows, order).map(one => one.collection);
  expect(names('runs')).toEqual(['A', 'C', 'B']);
  expect(names('time')).toEqual(['B', 'C', 'A']);
  expect(names('equal')).toEqual(['B', 'C', 'A']);
  expect(equalShare(rows[1]!)).toBe(100);
  expect(equalShare(row('D', 0, 0, 0))).toBe(0);
});

test('the namespace filter keeps what concerns it and what concerns all', () => {
  expect(concerns(check, null)).toBe(true);
  expect(concerns(check, 'shop')).toBe(true);
  expect(concerns(check, 'web')).toBe(false);
  expect(concerns({...check, keys: []}, 'web')).toBe(true);
});

test('from three on, findings of one kind in one collection are one problem, and none is lost', () => {
  const flip = (key: string): Check => ({...check, code: 'flip-flop', collection: 'Workloads', keys: [key]});
  const other = {...check, collection: 'ServiceInfos', code: 'flip-flop'};
  const folded = foldAlike([flip('a'), check, flip('b'), other, flip('c')]);
  expect(folded.map(one => [one.check.collection, one.alike.map(alike => alike.keys[0])])).toEqual([
    ['Workloads', ['b', 'c']],
    ['Services', []],
    ['ServiceInfos', []],
  ]);
  expect(foldAlike([flip('a'), flip('b')])).toHaveLength(2);
});
