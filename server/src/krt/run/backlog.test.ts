// First runs in slices: an unsynced collection has runs left, and it cannot be read before the last one.
import {expect, test} from 'vitest';
import {
  type BatchTrace,
  createEngine,
  type EngineError,
  fetch,
  filterNamespace,
  joinWithMergeCollection,
  newCollection,
  newSingleton,
  newStaticCollection,
  newStatusCollection,
  newSyncLatch,
  outline,
  proceed,
} from '../index.ts';

interface Thing {
  key: string;
  namespace?: string;
  n: number;
}

const keyed = {key: (item: Thing) => item.key, namespace: (item: Thing) => item.namespace ?? ''};
const things = (count: number): Thing[] =>
  Array.from({length: count}, (_, n) => ({key: `t${n}`, namespace: 'a', n}));

function rig(firstRuns: number, count = 10) {
  const engine = createEngine({firstRuns, checks: 'off'});
  const traces: BatchTrace[] = [];
  engine.onTrace(trace => traces.push(trace));
  const latch = newSyncLatch(engine);
  const source = newStaticCollection(engine, things(count), {...keyed, name: 'source', synced: latch});
  const ran: string[] = [];
  const doubled = newCollection(
    source,
    (_, item: Thing) => {
      ran.push(`${item.key}=${item.n}`);
      return {...item, n: item.n * 2};
    },
    {...keyed, name: 'doubled'},
  );
  const total = newSingleton(
    engine,
    ctx => fetch(ctx, doubled, filterNamespace('a')).reduce((sum, {n}) => sum + n, 0),
    {name: 'total'},
  );
  const owed = () => outline(engine).find(({name}) => name === 'doubled')?.owes?.runs;
  return {engine, traces, latch, source, doubled, total, ran, owed};
}

test('[Y4] a batch makes as many first runs as it may; proceed makes the rest, and the last one syncs', () => {
  const {engine, latch, doubled, total, ran, owed} = rig(4);
  latch.markSynced();
  expect([ran.length, owed(), doubled.hasSynced(), total.hasSynced()]).toEqual([4, 6, false, false]);
  expect(proceed(engine)).toBe(true);
  expect([ran.length, owed(), doubled.hasSynced()]).toEqual([8, 2, false]);
  while (proceed(engine));
  expect([ran.length, owed(), doubled.hasSynced(), total.hasSynced()]).toEqual([10, undefined, true, true]);
  expect(total.get()).toBe(90);
  expect(proceed(engine)).toBe(false);
});

test('[Y4] what is not synced is read by nobody: a reader sees all rows or is suspended', () => {
  const {engine, latch, traces} = rig(3);
  latch.markSynced();
  while (proceed(engine));
  const totals = traces.flatMap(({runs}) => runs.filter(({collection}) => collection === 'total'));
  expect(totals.map(({outcome}) => outcome)).toEqual(['suspended', 'added']);
});

test('[Y4] an input that changes, goes or comes while it waits runs once, as it is then', () => {
  const {engine, latch, source, doubled, total, ran} = rig(2, 6);
  latch.markSynced();
  engine.batch(() => {
    source.updateObject({key: 't5', namespace: 'a', n: 50});
    source.deleteObject('t4');
    source.updateObject({key: 'new', namespace: 'a', n: 100});
  });
  while (proceed(engine));
  expect(ran.filter(run => run.startsWith('t5'))).toEqual(['t5=50']);
  expect(ran.filter(run => run.startsWith('t4'))).toEqual([]);
  expect(doubled.list().map(({key, n}) => `${key}=${n}`)).toEqual(
    expect.arrayContaining(['t0=0', 't1=2', 't2=4', 't3=6', 't5=100', 'new=200']),
  );
  expect(doubled.list()).toHaveLength(6);
  expect(total.get()).toBe(312);
});

test('[Y4] one that goes and comes back while it waits is the one that came back', () => {
  const {engine, latch, source, doubled, ran} = rig(1, 3);
  latch.markSynced();
  source.deleteObject('t2');
  source.updateObject({key: 't2', namespace: 'a', n: 7});
  while (proceed(engine));
  expect(ran.filter(run => run.startsWith('t2'))).toEqual(['t2=7']);
  expect(doubled.getKey('t2')?.n).toBe(14);
});

test('[Y4 C1] every first run has its cause, whichever batch makes it', () => {
  const {engine, latch, traces, source} = rig(4);
  latch.markSynced();
  source.updateObject({key: 't9', namespace: 'a', n: 1});
  while (proceed(engine));
  const runs = traces.flatMap(trace => trace.runs.filter(({collection}) => collection === 'doubled'));
  expect(runs).toHaveLength(10);
  for (const {causes} of runs) expect(causes).toMatchObject([{kind: 'synced', collection: 'source'}]);
});

test('[Y4] those who waited for a collection go in slices, too, and hold the sync until the last', () => {
  const engine = createEngine({firstRuns: 3});
  const latch = newSyncLatch(engine);
  const wanted = newStaticCollection(engine, things(2), {...keyed, name: 'wanted', synced: latch});
  const source = newStaticCollection(engine, things(8), {...keyed, name: 'source'});
  const counts = newCollection(source, (ctx, item: Thing) => ({...item, n: fetch(ctx, wanted).length}), {
    ...keyed,
    name: 'counts',
  });
  while (proceed(engine));
  expect([counts.hasSynced(), counts.list().length]).toEqual([false, 0]);
  latch.markSynced();
  expect([counts.hasSynced(), counts.list().length]).toEqual([false, 3]);
  while (proceed(engine));
  expect([counts.hasSynced(), counts.list().length]).toEqual([true, 8]);
});

test('[Y4] a merge join goes in slices and hands on nothing before the last', () => {
  const engine = createEngine({firstRuns: 3});
  const a = newStaticCollection(engine, things(8), {...keyed, name: 'a'});
  const b = newStaticCollection(engine, things(4), {...keyed, name: 'b'});
  const merged = joinWithMergeCollection<Thing>(
    [a, b],
    items => ({...(items[0] as Thing), n: items.length}),
    {
      ...keyed,
      name: 'merged',
    },
  );
  expect([merged.hasSynced(), merged.list().length]).toEqual([false, 3]);
  a.deleteObject('t7');
  while (proceed(engine));
  expect(merged.hasSynced()).toBe(true);
  expect(merged.list().map(({n}) => n)).toEqual([2, 2, 2, 2, 1, 1, 1]);
});

test('[Y4 Z1] a collection that is stopped while it owes runs owes them no longer', () => {
  const {engine, latch, doubled, ran} = rig(4);
  latch.markSynced();
  doubled.stop();
  expect(proceed(engine)).toBe(false);
  expect(ran).toHaveLength(4);
});

test.each([0, -1, 0.5, Number.NaN, '5'])(
  '[Y4] %s first runs a batch are refused: it would never end',
  firstRuns => {
    let refused: EngineError | undefined;
    try {
      createEngine({firstRuns: firstRuns as number});
    } catch (error) {
      refused = error as EngineError;
    }
    expect(refused).toMatchObject({code: 'wiring', message: expect.stringContaining('firstRuns')});
  },
);

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
  '[B8] %s is the number of no batch',
  firstSequence => {
    expect(() => createEngine({firstSequence})).toThrow('firstSequence');
  },
);

test('[Y4 R4 T4] an input that goes while it waits takes nothing of the one that comes under its key', () => {
  const engine = createEngine({firstRuns: 1, checks: 'off'});
  const source = newStaticCollection(engine, things(4), keyed);
  const [statuses, rows] = newStatusCollection(source, (_, item: Thing) => [item.n, {...item}], keyed);
  source.deleteObject('t3');
  source.updateObject({key: 't3', n: 30});
  while (proceed(engine));
  expect(rows.getKey('t3')?.n).toBe(30);
  expect(statuses.getKey('t3')?.status).toBe(30);
});

test('[Y4 R4 R8] and one that has rows already takes them along at once', () => {
  const engine = createEngine({firstRuns: 1, checks: 'off'});
  const source = newStaticCollection(engine, things(3), keyed);
  const late = newStaticCollection(engine, ['x'], {synced: false});
  const latch = newSyncLatch(engine);
  const other = newStaticCollection(engine, ['y'], {synced: latch});
  const rows = newCollection(
    source,
    (ctx, item: Thing) => {
      if (item.key === 't0') fetch(ctx, late);
      if (item.n > 10) fetch(ctx, other);
      return {...item};
    },
    keyed,
  );
  while (proceed(engine));
  source.reset([
    {key: 't0', n: 0},
    {key: 't1', n: 11},
    {key: 't2', n: 12},
  ]);
  // t1 and t2 have rows and need another run.
  latch.markSynced();
  source.deleteObject('t2');
  expect(rows.getKey('t2')).toBeUndefined();
  source.updateObject({key: 't2', n: 2});
  expect(rows.getKey('t2')?.n).toBe(2);
  expect(engine.violations()).toEqual([]);
});

test('[Y4] with a time limit a batch of slow first runs ends after the run that reaches it', () => {
  let now = 0;
  const clock = {now: () => now, after: () => () => {}};
  const engine = createEngine({clock, firstRuns: 500, firstRunsMilliseconds: 20, checks: 'off'});
  const latch = newSyncLatch(engine);
  const source = newStaticCollection(engine, things(10), {...keyed, synced: latch});
  let ran = 0;
  let milliseconds = 8;
  const slow = newCollection(
    source,
    (_, item: Thing) => {
      ran += 1;
      now += milliseconds;
      return item;
    },
    keyed,
  );
  latch.markSynced();
  expect(ran).toBe(3);
  // One run always happens, however long it takes.
  milliseconds = 700;
  expect(proceed(engine)).toBe(true);
  expect(ran).toBe(4);
  milliseconds = 1;
  expect(proceed(engine)).toBe(false);
  expect([ran, slow.hasSynced()]).toEqual([10, true]);
});
