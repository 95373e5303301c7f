import type {RunRecord} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {expect, test} from 'vitest';
import {logLines} from './run-log-lines.ts';

const run = (
  id: string,
  collection: string,
  outcome: RunOutcome,
  at: number,
  input = `shop/${id}`,
): RunRecord => ({
  id,
  sequence: Number(id.split('.')[0]),
  at,
  collection,
  input,
  outcome,
  causes: [{kind: 'fetch', collection: 'Namespaces', key: 'shop', event: 'update'}],
  fetches: [],
  gained: [],
  lost: [],
  outputs: [],
  counts: {added: 0, changed: 0, deleted: 0, equal: 0},
  start: 0,
  duration: 0.1,
});

const linesOf = (runs: RunRecord[], text = '') =>
  logLines(runs, text).map(line =>
    line.kind === 'quiet'
      ? `quiet ${line.milliseconds}`
      : `${line.runs.length} ${line.collection} ${line.outcome}`,
  );

test('newest first; one turn, one cause and one outcome are one line; quiet stretches are told', () => {
  const runs = [
    run('7.0', 'Workloads', 'changed', 1000),
    run('7.1', 'Workloads', 'changed', 1000),
    run('7.2', 'Workloads', 'equal', 1000),
    run('9.0', 'Workloads', 'changed', 9000),
    run('9.1', 'Services', 'equal', 9000),
  ];
  expect(linesOf(runs)).toEqual([
    '1 Services equal',
    '1 Workloads changed',
    'quiet 8000',
    '1 Workloads equal',
    '2 Workloads changed',
  ]);
});

test('words filter by collection, key, outcome and cause, all at once', () => {
  const runs = [
    run('7.0', 'Workloads', 'changed', 1000, 'shop/cart-1'),
    run('7.1', 'Workloads', 'equal', 1000),
  ];
  expect(linesOf(runs, 'cart namespaces')).toEqual(['1 Workloads changed']);
  expect(linesOf(runs, 'cart equal')).toEqual([]);
});
