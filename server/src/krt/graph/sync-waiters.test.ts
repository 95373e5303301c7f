// What waits for what, and for how long: handlers, promises, sync, the order of turns.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  engineStats,
  fetch,
  inputs,
  nestedJoinWithMergeCollection,
  newCollection,
  newSingleton,
  newStaticCollection,
  newStatusCollection,
  newSyncLatch,
  proceed,
} from '../index.ts';
import {type Item, item, rig} from '../testing/objects.ts';

const soon = <T>(promise: Promise<T>): Promise<T | 'waits'> =>
  Promise.race([promise, new Promise<'waits'>(resolve => setImmediate(() => resolve('waits')))]);

test('[H3] whoever waits for a registration is told: at once, later, never, or when it is given up', async () => {
  const engine = createEngine();
  const latch = newSyncLatch(engine);
  const source = newStaticCollection<Item>(engine, [], {synced: latch});
  const registration = source.register(() => {});
  const dropped = source.register(() => {});
  dropped.unregisterHandler();
  const stop = new AbortController();
  const [waiting, aborted, later] = [
    registration.waitUntilSynced(),
    registration.waitUntilSynced(stop.signal),
    source.waitUntilSynced(stop.signal),
  ];
  expect(await soon(waiting)).toBe('waits');
  expect(await soon(dropped.waitUntilSynced())).toBe(false);
  stop.abort();
  expect(await soon(aborted)).toBe(false);
  expect(await soon(later)).toBe(false);
  expect(await soon(registration.waitUntilSynced(stop.signal))).toBe(false);
  latch.markSynced();
  expect(await soon(waiting)).toBe(true);
  expect(await soon(registration.waitUntilSynced())).toBe(true);
  expect(await soon(source.register(() => {}).waitUntilSynced())).toBe(true);
});

test('[H3] a signal that cannot be let go of keeps nobody else waiting', async () => {
  const engine = createEngine();
  const latch = newSyncLatch(engine);
  const source = newStaticCollection<{key: string}>(engine, [], {synced: latch});
  const signal = {
    aborted: false,
    addEventListener() {},
    removeEventListener() {
      throw new Error('never');
    },
  } as unknown as AbortSignal;
  const all = [source.waitUntilSynced(signal), source.waitUntilSynced()];
  latch.markSynced();
  expect(await Promise.all(all)).toEqual([true, true]);
});

test('[H5] a handler that comes with the news is not called for nothing', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, []);
  const calls: number[] = [];
  let registered = false;
  engine.onTrace(() => {
    if (registered) return;
    registered = true;
    source.registerBatch(changes => void calls.push(changes.length), false);
  });
  source.updateObject(item('a'));
  expect(calls).toEqual([]);
  source.updateObject(item('b'));
  expect(calls).toEqual([1]);
});

test('[Y2] only those that were suspended when a collection began hold its sync', () => {
  const engine = createEngine({checks: 'off'});
  const [first, never] = [newSyncLatch(engine), newSyncLatch(engine)];
  const late = newStaticCollection<Item>(engine, [], {name: 'late', synced: first});
  const later = newStaticCollection<Item>(engine, [], {name: 'later', synced: never});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, (ctx, {key}) => {
    fetch(ctx, key === 'a' ? late : later);
    return item(key);
  });
  source.updateObject(item('b'));
  expect(rows.hasSynced()).toBe(false);
  first.markSynced();
  expect(rows.hasSynced()).toBe(true);
  expect(inputs(rows).map(({outcome}) => outcome)).toEqual(['added', 'suspended']);
});

test('[B4] who reads what has come to lie deeper runs after it, once', () => {
  const {engine, runs} = rig();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  const flags = newStaticCollection<Item>(engine, [item('a', 0)], {name: 'flags'});
  let deep: Collection<Item> = source;
  for (let i = 0; i < 5; i++) deep = newCollection(deep, (_, row) => ({...row}), {name: `deep ${i}`});
  const middle = newCollection(
    flags,
    (ctx, flag) => item(flag.key, flag.n === 0 ? 0 : (fetch(ctx, deep)[0]?.n ?? -1)),
    {name: 'middle'},
  );
  const reader = newCollection(source, (ctx, row) => item(row.key, 100 * (fetch(ctx, middle)[0]?.n ?? -1)), {
    name: 'reader',
  });
  flags.updateObject(item('a', 1));
  runs();
  source.updateObject(item('a', 2));
  expect(reader.getKey('a')).toEqual(item('a', 200));
  expect(runs().filter(run => run.startsWith('reader'))).toHaveLength(1);
});

test('[B9] 120 singletons that each fetch the next one, made in one batch, run once each in the trace', () => {
  const {engine, traces} = rig();
  const made: ReturnType<typeof newSingleton<number>>[] = [];
  const source = newStaticCollection<Item>(engine, [item('a', 1)], {name: 'source'});
  const LENGTH = 120;
  engine.batch(() => {
    for (let i = 0; i < LENGTH; i++) {
      const next = () => made[i + 1];
      made.push(
        newSingleton(
          engine,
          ctx => {
            const below = next();
            if (below === undefined) return fetch(ctx, source)[0]?.n ?? 0;
            return (fetch(ctx, below as Collection<number>)[0] ?? 0) + 1;
          },
          {name: `s${i}`, key: () => 'k'},
        ),
      );
    }
  });
  const trace = traces().at(-1);
  expect(made[0]!.get()).toBe(LENGTH);
  expect(trace!.runs).toHaveLength(LENGTH);
  expect(new Set(trace!.runs.map(({collection}) => collection)).size).toBe(LENGTH);
  expect(trace!.runs.every(({outcome, fetches}) => outcome === 'added' && fetches.length === 1)).toBe(true);
  source.updateObject(item('a', 2));
  expect(made[0]!.get()).toBe(LENGTH + 1);
  expect(traces()[0]!.runs).toHaveLength(LENGTH);
  for (const one of made) one.stop();
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0, subscriptions: 0});
});

test('[Z1] one of two collections over a source stops, and the other goes on', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const copies = [0, 1, 2].map(() => newCollection(source, (_, row) => ({...row})));
  copies[1]!.stop();
  source.updateObject(item('a', 2));
  expect(copies.map(copy => copy.getKey('a')?.n)).toEqual([2, 1, 2]);
  copies[0]!.stop();
  source.updateObject(item('a', 3));
  source.deleteObject('a');
  expect(copies.map(copy => copy.getKey('a')?.n)).toEqual([2, 1, undefined]);
});

test('[Z1] what stops in the batch in which it was written has nothing to tell', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const other = newStaticCollection<Item>(engine, [], {name: 'other'});
  traces();
  engine.batch(() => {
    source.updateObject(item('a'));
    other.updateObject(item('a'));
    source.stop();
  });
  expect(traces().flatMap(({published}) => published.map(({collection}) => collection))).toEqual(['other']);
});

test('[Z2] statuses and members that go leave no subscription, and outputs go on without them', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const before = engineStats(engine).subscriptions;
  const [status, outputs] = newStatusCollection(source, (_, row) => [{n: row.n}, {...row}]);
  const [withBoth, withOne] = [engineStats(engine).subscriptions, before + 1];
  status.stop();
  expect([withBoth, engineStats(engine).subscriptions]).toEqual([withOne + 1, withOne]);
  source.updateObject(item('a', 2));
  source.deleteObject('a');
  source.updateObject(item('b', 3));
  expect(outputs.list()).toEqual([item('b', 3)]);
  expect(status.list()).toEqual([{obj: item('a'), status: {n: 1}}]);
  const members = newStaticCollection<Collection<Item>>(engine, [], {name: 'members'});
  nestedJoinWithMergeCollection(members, all => all[0]);
  const empty = engineStats(engine).subscriptions;
  members.updateObject(source);
  expect(engineStats(engine).subscriptions).toBe(empty + 1);
  members.deleteObject(String(source.uid));
  expect(engineStats(engine).subscriptions).toBe(empty);
});

test('[Y4] there may be nothing to proceed with', () => {
  const engine = createEngine({firstRuns: 1, checks: 'off'});
  expect(proceed(engine)).toBe(false);
  const source = newStaticCollection<Item>(engine, [item('a'), item('b'), item('c')]);
  const rows = newCollection(source, (_, row) => ({...row}));
  expect(proceed(engine)).toBe(true);
  rows.stop();
  expect(proceed(engine)).toBe(false);
  source.updateObject(item('c', 2));
  expect(rows.getKey('c')).toBeUndefined();
});
