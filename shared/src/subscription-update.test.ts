import {expect, test} from 'vitest';
import type {Item} from './items.ts';
import type {RunRecord} from './run.ts';
import type {Update} from './stream.ts';
import {foldUpdate, joinUpdates, TRACE_LIMIT} from './subscription-update.ts';

const row = (key: string, runs: number): Item => ({
  key,
  value: {runs},
  inputs: [],
  outcome: 'changed',
  runs,
  sequence: runs,
  at: runs,
});
const snapshot: Update = {
  id: 'w',
  topic: 'window',
  snapshot: {total: 2, of: 2, offset: 0, rows: [row('a', 1), row('b', 1)]},
};
const delta = (rows: Item[], order?: string[]): Update => ({
  id: 'w',
  topic: 'window',
  delta: {total: 2, of: 2, rows, ...(order ? {order} : {})},
});

function rowsOf(update: Update | undefined): string[] {
  return update?.topic === 'window' && 'snapshot' in update
    ? update.snapshot.rows.map(r => `${r.key}${r.runs}`)
    : ['no snapshot'];
}

test('a delta replaces rows by key and keeps the order', () => {
  expect(rowsOf(foldUpdate(snapshot as never, delta([row('b', 2)])))).toEqual(['a1', 'b2']);
});

test('an order drops what left the window and takes in what came', () => {
  expect(rowsOf(foldUpdate(snapshot as never, delta([row('c', 1)], ['c', 'b'])))).toEqual(['c1', 'b1']);
});

test('folding two deltas one by one or joined gives the same rows', () => {
  const one = delta([row('b', 2)]);
  const two = delta([row('b', 3), row('c', 1)], ['b', 'c']);
  const apart = foldUpdate(foldUpdate(snapshot as never, one), two);
  expect(rowsOf(foldUpdate(snapshot as never, joinUpdates(one, two)))).toEqual(rowsOf(apart));
});

test('a delta without a snapshot before it cannot be folded', () => {
  expect(foldUpdate(undefined, delta([]))).toBeUndefined();
});

const runOf = (id: string) => ({id, sequence: Number(id.split('.')[0])}) as RunRecord;
const traced = (update: Update | undefined): string[] =>
  update?.topic === 'trace' && 'snapshot' in update ? update.snapshot.runs.map(({id}) => id) : [];

test('a trace that grows longer than is kept loses its oldest runs, also those of a snapshot that is told newest first', () => {
  const runs = Array.from({length: TRACE_LIMIT}, (_, i) => runOf(`${TRACE_LIMIT - i}.0`));
  const whole = {id: 't', topic: 'trace', snapshot: {sequence: TRACE_LIMIT, runs}} as Update;
  const news = [runOf(`${TRACE_LIMIT + 1}.0`), runOf(`${TRACE_LIMIT + 1}.1`)];
  const folded = foldUpdate(whole as never, {id: 't', topic: 'trace', delta: {runs: news, skipped: 0}});
  const kept = Array.from({length: TRACE_LIMIT - 2}, (_, i) => `${i + 3}.0`);
  expect(traced(folded)).toEqual([...kept, `${TRACE_LIMIT + 1}.0`, `${TRACE_LIMIT + 1}.1`]);
});
