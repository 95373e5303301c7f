// Rows may share one value of any type. A fetch identifies its results by row, never by value.
import {expect, test} from 'vitest';
import {
  type BatchTrace,
  createEngine,
  fetch,
  filterLabel,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newManyCollection,
  newSingleton,
  newStaticCollection,
} from '../index.ts';

const key = (item: {key: string}) => item.key;

test('[F10] of rows that share a value a fetch loses and keeps each by itself', () => {
  const engine = createEngine();
  const source = newStaticCollection<{key: string; on: boolean}>(engine, [], {key});
  const shared = {same: true};
  const views = mapCollection(source, item => (item.on ? shared : {same: false}), {
    labels: () => ({app: 'x'}),
  });
  const count = newSingleton(engine, ctx => ({found: fetch(ctx, views, filterLabel({app: 'x'}))}));
  const write = (...names: string[]) => {
    engine.batch(() => {
      for (const name of names) source.updateObject({key: name, on: true});
    });
  };
  write('a', 'b', 'c');
  expect(count.get()?.found).toEqual([shared, shared, shared]);
  source.deleteObject('b');
  expect(count.get()?.found).toEqual([shared, shared]);
  engine.batch(() => {
    source.deleteObject('a');
    source.updateObject({key: 'd', on: false});
  });
  expect(count.get()?.found.length).toBe(2);
  engine.batch(() => {
    source.updateObject({key: 'c', on: false});
    source.updateObject({key: 'd', on: true});
  });
  expect(count.get()?.found.filter(item => (item as {same: boolean}).same)).toHaveLength(1);
});

test('[F10] merged rows that share a value are told by their own keys in a trace', () => {
  const engine = createEngine();
  const source = newStaticCollection<{key: string}>(engine, [{key: 'a'}, {key: 'b'}, {key: 'c'}], {key});
  const shared = {merged: true};
  const merged = joinWithMergeCollection([source, source], () => shared as never, {name: 'merged'});
  const trigger = newStaticCollection<string>(engine, ['x']);
  const traces: BatchTrace[] = [];
  newCollection(trigger, (ctx, name) => `${name}${fetch(ctx, merged).length}`);
  engine.onTrace(trace => traces.push(trace));
  trigger.updateObject('y');
  expect([...(traces[0]?.runs[0]?.fetches[0]?.keys ?? [])].sort()).toEqual(['a', 'b', 'c']);
});

test('[F10] NaN and other values that equal nothing are rows as any other', () => {
  const engine = createEngine();
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: Number.NaN}], {key});
  const numbers = newManyCollection(source, (_, item) => [item.n], {name: 'numbers', key: () => 'only'});
  const sum = newSingleton(engine, ctx => ({all: fetch(ctx, numbers)}));
  expect(sum.get()).toEqual({all: [Number.NaN]});
  source.updateObject({key: 'a', n: 1});
  expect(sum.get()).toEqual({all: [1]});
  source.deleteObject('a');
  expect(sum.get()).toEqual({all: []});
});
