import {expect, test} from 'vitest';
import {
  createEngine,
  engineStats,
  fetch,
  filterGeneric,
  filterKey,
  filterLabel,
  filterNamespace,
  filterSelects,
  joinCollection,
  mapCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
  newStaticCollection,
  newStatusCollection,
  newSyncLatch,
  tracked,
} from '../index.ts';
import {keyOf, NOTHING_LEFT, selecting, type Thing, thing} from '../testing/objects.ts';

function everyFetch(
  ctx: Parameters<typeof fetch>[0],
  source: Parameters<typeof fetch<Thing>>[1],
  t: Thing,
): number {
  return [
    fetch(ctx, source),
    fetch(ctx, source, filterKey(keyOf(t))),
    fetch(ctx, source, filterNamespace('n')),
    fetch(ctx, source, filterNamespace('n'), filterLabel({app: 'x', tier: 'db'})),
    fetch(ctx, source, filterLabel({app: 'x'})),
    fetch(ctx, source, filterSelects({app: 'x'})),
    fetch(
      ctx,
      source,
      filterGeneric(() => true),
    ),
  ].reduce((n, found) => n + found.length, 0);
}

test('[Z1] Z-01 twenty collections of every kind come and go over living sources', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Thing>(engine, [
    thing('n/a', 0, {app: 'x'}),
    selecting('n/s', {app: 'x'}),
  ]);
  const input = newStaticCollection<Thing>(engine, [thing('i')]);
  for (let i = 0; i < 20; i++) {
    const [status, rows] = newStatusCollection(input, (ctx, t) => [1, `${everyFetch(ctx, source, t)}`]);
    const made = [
      newManyCollection(input, (ctx, t) => [`${everyFetch(ctx, source, t)}`]),
      newSingleton(engine, ctx => `${fetch(ctx, source).length}`),
      status,
      rows,
      mapCollection(source, t => t),
      joinCollection([source, input]),
      joinCollection([source, input], {unchecked: true}),
    ];
    for (const collection of made) collection.register(() => {});
    expect(engineStats(engine).subscriptions).toBeGreaterThan(5);
    for (const collection of made) collection.stop();
  }
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
  expect(engine.collections().length).toBe(2);
});

test('[Z2] without objects nothing is left; stopped, not even a handler', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Thing>(engine, [
    thing('n/a', 0, {app: 'x', tier: 'db'}),
    selecting('n/s', {app: 'x'}),
  ]);
  const input = newStaticCollection<Thing>(engine, [thing('i'), thing('j')]);
  const byV = newIndex(source, 'v', t => [String(t.v)]);
  const rows = newCollection(
    input,
    (ctx, t) => `${keyOf(t)}${everyFetch(ctx, source, t)}${byV.fetch(ctx, '0').length}`,
  );
  rows.register(() => {});
  expect(engineStats(engine).dependencies).toBe(16);
  engine.batch(() => {
    for (const list of [source, input]) list.deleteObjects(() => true);
  });
  expect(engineStats(engine)).toEqual({...NOTHING_LEFT, handlers: 1, subscriptions: 1});
  for (const collection of [rows, input, source]) collection.stop();
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
});

test('[Z1] Z-03 stopped before its parent syncs: no run, not listed', () => {
  const engine = createEngine();
  const latch = newSyncLatch(engine);
  const source = newStaticCollection(engine, ['a'], {synced: latch, name: 'source'});
  let calls = 0;
  const rows = newCollection(source, (_, t) => {
    calls++;
    return t;
  });
  rows.stop();
  latch.markSynced();
  expect([calls, engine.collections().map(c => c.name), engineStats(engine).subscriptions]).toEqual([
    0,
    ['source'],
    0,
  ]);
});

test('[Z1] Z-05 Z-06 Z-07 after a stop rows stay readable, dependants keep theirs, nobody is called', () => {
  const engine = createEngine();
  const source = newStaticCollection(engine, ['a'], {name: 'source'});
  const rows = newCollection(source, (_, t) => `${t}!`);
  const reader = newSingleton(engine, ctx => `${fetch(ctx, source).length}`);
  const tracker = tracked(rows);
  source.stop();
  source.updateObject('b');
  expect([source.list(), rows.list(), reader.get(), tracker.taken()]).toEqual([['a'], ['a!'], '1', []]);
  const calls: unknown[] = [];
  const registration = source.register(change => void calls.push(change));
  expect([calls, registration.hasSynced(), engineStats(engine).handlers]).toEqual([[], false, 1]);
  rows.stop();
  expect([rows.list(), rows.hasSynced()]).toEqual([['a!'], true]);
});
