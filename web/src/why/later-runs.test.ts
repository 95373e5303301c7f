import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {countLaterRuns} from './later-runs.ts';

const answered = (id: string, outcome: RunOutcome, equalSince = 0) =>
  ({run: {id, outcome}, equalSince, causes: [{at: 5}]}) as unknown as Why;
const now = (...outcomes: RunOutcome[]) =>
  ({
    at: 9,
    beyond: {before: 0, after: 0},
    strip: outcomes.map((outcome, at) => ({id: `${at + 1}.0`, sequence: at + 1, at, outcome})),
  }) as unknown as ItemDetail;

test('equal runs after the one that is told are counted, and a change among them is a change', () => {
  expect(countLaterRuns(answered('1.0', 'changed'), now('changed', 'equal', 'equal'))).toEqual({
    equal: 2,
    changed: 0,
  });
  expect(countLaterRuns(answered('1.0', 'changed'), now('changed', 'equal', 'failed', 'changed'))).toEqual({
    equal: 1,
    changed: 2,
  });
});

test('empty after empty is nothing new; empty after a row is', () => {
  expect(countLaterRuns(answered('1.0', 'empty'), now('empty', 'empty'))).toEqual({equal: 1, changed: 0});
  expect(countLaterRuns(answered('1.0', 'added'), now('added', 'empty', 'empty'))).toEqual({
    equal: 1,
    changed: 1,
  });
});

test('without the item, or for a run that rolled off, the answer says how many it knew of', () => {
  expect(countLaterRuns(answered('7.0', 'changed', 3), undefined)).toEqual({equal: 3, changed: 0});
  expect(countLaterRuns(answered('7.0', 'changed', 3), now('equal'))).toEqual({equal: 3, changed: 0});
});

test('of a run that the strip has left behind it says how many there are at least, and a change stays said', () => {
  const item = {...now('equal', 'equal', 'equal'), beyond: {before: 40, after: 0}};
  item.strip = item.strip.map(mark => ({
    ...mark,
    id: `${mark.sequence + 50}.0`,
    sequence: mark.sequence + 50,
  }));
  const early = {...answered('3.0', 'changed', 1)};
  early.run = {...early.run!, sequence: 3, at: 4};
  expect(countLaterRuns(early, item)).toEqual({equal: 2, changed: 1, more: true});
  expect(countLaterRuns(early, {...item, at: 4})).toEqual({equal: 2, changed: 0, more: true});
});

test('a source is written: a later write is a change', () => {
  const write = {run: null, equalSince: 0, causes: [{at: 5}]} as unknown as Why;
  expect(countLaterRuns(write, now()).changed).toBe(1);
  expect(countLaterRuns(write, {...now(), at: 5}).changed).toBe(0);
});
