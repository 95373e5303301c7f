import type {Graph} from '@krtscope/shared/graph.ts';
import type {Item} from '@krtscope/shared/items.ts';
import type {CollectionWindow} from '@krtscope/shared/sheet.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {expect, test} from 'vitest';
import {type Differ, GraphDiffer, TableDiffer, WholeDiffer} from './deltas.ts';

const row = (key: string, value: unknown): Item => ({
  key,
  value,
  inputs: [],
  outcome: 'changed',
  runs: 1,
  sequence: 1,
  at: 1,
});
/** The update as a reader parses it. */
function next<A>(differ: Differ<A>, answer: A) {
  const text = differ.next(answer);
  return text === undefined ? undefined : JSON.parse(text);
}

const view = (rows: Item[], total = rows.length): CollectionWindow => ({total, of: total, offset: 0, rows});

test('first the whole window, then only what changed in it', () => {
  const differ = new TableDiffer<CollectionWindow>('window');
  const a = row('a', 1);
  expect(next(differ, view([a, row('b', 1)]))).toMatchObject({topic: 'window', snapshot: {total: 2}});
  expect(next(differ, view([a, row('b', 1)]))).toBeUndefined();
  expect(next(differ, view([a, row('b', 2)]))).toEqual({
    topic: 'window',
    delta: {total: 2, of: 2, rows: [row('b', 2)]},
  });
});

test('the order comes with a delta exactly when it is another one', () => {
  const differ = new TableDiffer<CollectionWindow>('window');
  const [a, b, c] = [row('a', 1), row('b', 1), row('c', 1)];
  next(differ, view([a, b]));
  expect(next(differ, view([b, a]))).toMatchObject({delta: {rows: [], order: ['b', 'a']}});
  expect(next(differ, view([b, a, c]))).toMatchObject({delta: {rows: [c], order: ['b', 'a', 'c']}});
  expect(next(differ, view([b, a, c], 7))).toEqual({topic: 'window', delta: {total: 7, of: 7, rows: []}});
});

test('pages that follow the deltas hold what a snapshot would say', () => {
  const differ = new TableDiffer<CollectionWindow>('window');
  let shown: Item[] = [];
  for (let step = 0; step < 200; step++) {
    const rows = Array.from({length: 6}, (_, i) =>
      row(`k${(i * (1 + (step % 5))) % 7}`, (step * i) % 3),
    ).filter(({key}, i, all) => all.findIndex(other => other.key === key) === i);
    const update = next(differ, view(rows));
    if (update?.snapshot !== undefined) shown = update.snapshot.rows;
    else if (update !== undefined) {
      const held = new Map(shown.map(one => [one.key, one]));
      for (const one of update.delta.rows) held.set(one.key, one);
      shown = (update.delta.order ?? shown.map(({key}) => key)).map((key: string) => held.get(key) as Item);
    }
    expect(shown).toEqual(rows);
  }
});

test('the graph sends changed collections with the pulses of the batches, and says how many it left out', () => {
  const graph = (size: number): Graph => ({
    sequence: size,
    collections: [{name: 'Pods', size} as never, {name: 'Nodes', size: 1} as never],
    edges: [],
  });
  const differ = new GraphDiffer();
  expect(next(differ, graph(1))).toMatchObject({snapshot: {sequence: 1}});
  const made: number[] = [];
  const pulse = (sequence: number): BatchPulse => ({sequence, at: 0, roots: [], waves: []});
  const make = (sequence: number) => () => {
    made.push(sequence);
    return pulse(sequence);
  };
  for (let i = 0; i < 5; i++) differ.pulse(make(i), 3);
  expect(next(differ, graph(2))).toEqual({
    topic: 'graph',
    delta: {collections: [{name: 'Pods', size: 2}], pulses: [pulse(2), pulse(3), pulse(4)], skipped: 2},
  });
  expect(made).toEqual([2, 3, 4]);
  expect(next(differ, graph(2))).toBeUndefined();
});

test('an answer that is always sent whole is sent once', () => {
  const differ = new WholeDiffer('stats');
  expect(next(differ, {runs: 1})).toEqual({topic: 'stats', snapshot: {runs: 1}});
  expect(next(differ, {runs: 1})).toBeUndefined();
});

test('a row is stringified once, to be compared and to be sent', () => {
  let written = 0;
  const counted = (key: string, value: number) => ({
    ...row(key, value),
    toJSON() {
      written += 1;
      return row(key, value);
    },
  });
  const differ = new TableDiffer<CollectionWindow>('window');
  const [a, b] = [counted('a', 1), counted('b', 1)];
  next(differ, view([a, b]));
  expect(written).toBe(2);
  const changed = counted('b', 2);
  expect(next(differ, view([a, changed]))).toMatchObject({delta: {rows: [{key: 'b', value: 2}]}});
  expect(written).toBe(3);
});
