// Collections that a run creates and waits for, or that stop while they are in use.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  engineStats,
  fetch,
  newCollection,
  newSingleton,
  newStaticCollection,
  newSyncLatch,
  proceed,
} from '../index.ts';
import type {Item} from '../testing/objects.ts';

test('[R6, G3] a run that waits for what it made itself comes again, and leaves nothing of the first time', () => {
  const engine = createEngine({checks: 'off'});
  const latch = newSyncLatch(engine);
  const late = newStaticCollection(engine, ['x', 'y'], {synced: latch});
  const items = newStaticCollection<Item>(engine, [{key: 'k', n: 1}]);
  const rows = newCollection(items, (ctx, {key}) => {
    const loud = newCollection(late, (_, text) => `${text}!`, {name: 'loud'});
    return {key, all: fetch(ctx, loud)};
  });
  const loud = () => engine.collections().filter(({name}) => name === 'loud').length;
  expect([rows.hasSynced(), rows.list(), loud()]).toEqual([false, [], 1]);
  latch.markSynced();
  expect([rows.hasSynced(), rows.list(), loud()]).toEqual([true, [{key: 'k', all: ['x!', 'y!']}], 1]);
  items.reset([]);
  expect(loud()).toBe(0);
});

test('[G3, Z2] what a suspended run made goes with its input, and with its collection', () => {
  const engine = createEngine({checks: 'off'});
  const late = newStaticCollection(engine, ['x'], {synced: false});
  const items = newStaticCollection<Item>(engine, [
    {key: 'k', n: 1},
    {key: 'l', n: 1},
  ]);
  const rows = newCollection(items, (ctx, {key}) => ({
    key,
    all: fetch(
      ctx,
      newCollection(late, (_, text) => text, {name: 'made'}),
    ),
  }));
  const made = () => engine.collections().filter(({name}) => name === 'made').length;
  expect(made()).toBe(2);
  items.updateObject({key: 'k', n: 2});
  expect(made()).toBe(2);
  items.deleteObject('k');
  expect(made()).toBe(1);
  rows.stop();
  expect(made()).toBe(0);
  expect(engineStats(engine)).toMatchObject({dependencies: 0, subscriptions: 0});
});

test('[F2, R5, R7] a run that leaves its row as it was still hears of what it made and read', () => {
  const engine = createEngine({checks: 'off'});
  const texts = newStaticCollection<Item>(engine, []);
  const items = newStaticCollection<Item>(engine, [{key: 'k', n: 0}]);
  const rows = newCollection(items, (ctx, {key, n}) => {
    const copies = newCollection(texts, (_, text) => ({...text}), {name: 'copies'});
    const {length} = fetch(ctx, copies);
    if (n === 1 && length < 2) throw new Error('too few');
    if (n === 2 && length < 3) ctx.discardResult();
    return {key, length};
  });
  const state = () => [rows.getKey('k')?.length, rows.rowState('k')?.outcome];
  items.updateObject({key: 'k', n: 3});
  expect(state()).toEqual([0, 'equal']);
  texts.updateObject({key: 'a', n: 0});
  expect(state()).toEqual([1, 'changed']);
  items.updateObject({key: 'k', n: 1});
  expect(state()).toEqual([1, 'failed']);
  texts.updateObject({key: 'b', n: 0});
  expect(state()).toEqual([2, 'changed']);
  items.updateObject({key: 'k', n: 2});
  expect(state()).toEqual([2, 'discarded']);
  texts.updateObject({key: 'c', n: 0});
  expect(state()).toEqual([3, 'changed']);
  expect(engine.collections().filter(({name}) => name === 'copies').length).toBe(1);
});

test('[Y4] what a run makes and reads settles whole, however few first runs a batch makes', () => {
  const engine = createEngine({checks: 'off', firstRuns: 1});
  const texts = newStaticCollection(engine, ['x', 'y', 'z']);
  const count = newSingleton(engine, ctx => ({
    n: fetch(
      ctx,
      newCollection(texts, (_, text) => text),
    ).length,
  }));
  for (let i = 0; i < 10 && proceed(engine); i++);
  expect([count.hasSynced(), count.get()]).toEqual([true, {n: 3}]);
});

test('[B9, G3] below fifty formulas that wait for each other one may make a collection and read it', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'k', n: 0}]);
  const chain: Collection<Item>[] = [];
  let calls = 0;
  const below = (at: number) =>
    chain[at + 1] ?? newCollection(items, (_, {key}) => ({key, n: 0}), {name: 'made'});
  for (let i = 0; i < 60; i++) {
    const link = newCollection(items, (ctx, {key, n}) => {
      if (++calls > 1000) throw new Error('it comes again for ever');
      return {key, n: n === 0 ? 0 : 1 + (fetch(ctx, below(i))[0]?.n ?? 0)};
    });
    chain.push(link);
  }
  items.updateObject({key: 'k', n: 1});
  expect(chain[0]?.list()).toEqual([{key: 'k', n: 60}]);
});

test('[Z1] a collection that ends in the middle of its own turn announces nothing of it', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [
    {key: 'a', n: 0},
    {key: 'b', n: 0},
  ]);
  const makers = newStaticCollection<Item>(engine, [{key: 'm', n: 0}]);
  const made: Collection<Item>[] = [];
  let after: Collection<Item> | undefined;
  const maker = newCollection(makers, (_, m) => {
    const copies = newCollection(items, (ctx, item) => {
      if (item.key === 'b' && after !== undefined) fetch(ctx, after);
      return {...item};
    });
    made.push(copies);
    return m;
  });
  after = newCollection(maker, (_, m) => ({...m}));
  const [first] = made as [Collection<Item>];
  const sum = newSingleton(engine, ctx => ({n: fetch(ctx, first).reduce((all, {n}) => all + n, 0)}));
  engine.batch(() => {
    items.reset([
      {key: 'a', n: 1},
      {key: 'b', n: 1},
    ]);
    makers.updateObject({key: 'm', n: 1});
  });
  expect(first.list().map(({n}) => n)).toEqual([0, 0]);
  expect(sum.get()).toEqual({n: 0});
});
