import {expect, test} from 'vitest';
import {engineStats, fetch, newCollection, newStaticCollection, newSyncLatch} from '../index.ts';
import {keyOf, rig, type Thing, thing} from '../testing/objects.ts';

function waiting(swallow: boolean) {
  const all = rig();
  const latch = newSyncLatch(all.engine);
  const late = newStaticCollection<Thing>(all.engine, [thing('l')], {synced: latch, name: 'late'});
  const inputs = newStaticCollection<Thing>(all.engine, [thing('a', true), thing('b', false)], {
    name: 'inputs',
  });
  const rows = newCollection(
    inputs,
    (ctx, item) => {
      if (!item.v) return {key: keyOf(item), n: -1};
      try {
        return {key: keyOf(item), n: fetch(ctx, late).length};
      } catch (error) {
        if (!swallow) throw error;
        return {key: keyOf(item), n: 99};
      }
    },
    {key: row => row.key, name: 'rows'},
  );
  return {...all, latch, late, inputs, rows};
}

test('[R6] a suspended run waits alone, shows what it waits for, and runs when that syncs', () => {
  const {engine, latch, rows, traces, runs} = waiting(false);
  expect(rows.list()).toEqual([{key: 'b', n: -1}]);
  expect([rows.hasSynced(), rows.rowState('a')]).toEqual([
    false,
    {key: 'a', input: 'a', stale: true, outcome: 'suspended', waitingFor: 'late'},
  ]);
  expect(engine.collections().find(c => c.name === 'rows')?.waitingFor).toBe('late');
  expect(traces().at(-1)?.runs[0]).toMatchObject({outcome: 'suspended', waitingFor: 'late'});
  latch.markSynced();
  expect(runs()).toEqual(['rows a added <- synced late']);
  expect([rows.hasSynced(), rows.list().length]).toEqual([true, 2]);
});

test('[R6] it runs earlier if its own input changes; a later suspension does not un-sync', () => {
  const {engine, inputs, rows} = waiting(false);
  inputs.updateObject(thing('a', false));
  expect([rows.hasSynced(), rows.list().length]).toEqual([true, 2]);
  inputs.updateObject(thing('b', true));
  expect([rows.hasSynced(), rows.getKey('b')]).toEqual([true, {key: 'b', n: -1}]);
  inputs.deleteObject('b');
  expect(engineStats(engine).subscriptions).toBe(1);
});

test('[R6] F-21 Z-04 a collection stopped while a run waits leaves nothing and never runs', () => {
  const {engine, latch, rows, runs} = waiting(false);
  rows.stop();
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0, subscriptions: 0});
  runs();
  latch.markSynced();
  expect(runs()).toEqual([]);
});

test('[R6] F-22 a swallowed suspension is one all the same', () => {
  const {latch, rows} = waiting(true);
  expect(rows.getKey('a')).toBeUndefined();
  latch.markSynced();
  expect(rows.getKey('a')).toEqual({key: 'a', n: 1});
});

function waitingForTwo(initial: readonly Thing[]) {
  const all = rig();
  const earlyLatch = newSyncLatch(all.engine);
  const lateLatch = newSyncLatch(all.engine);
  const early = newStaticCollection<Thing>(all.engine, [], {synced: earlyLatch, name: 'early'});
  const late = newStaticCollection<Thing>(all.engine, [], {synced: lateLatch, name: 'late'});
  const inputs = newStaticCollection<Thing>(all.engine, initial, {name: 'inputs'});
  const rows = newCollection(
    inputs,
    (ctx, item) => {
      const n = fetch(ctx, early).length;
      return {key: keyOf(item), n: item.v ? n + fetch(ctx, late).length : n};
    },
    {key: row => row.key, name: 'rows'},
  );
  return {earlyLatch, lateLatch, inputs, rows};
}

test('[R6] an input that comes after the start does not hold the sync, whatever it waits for next', () => {
  const {earlyLatch, lateLatch, inputs, rows} = waitingForTwo([thing('a', false)]);
  inputs.updateObject(thing('b', true));
  expect(rows.hasSynced()).toBe(false);
  earlyLatch.markSynced();
  expect(rows.hasSynced()).toBe(true);
  expect(rows.rowState('b')).toMatchObject({outcome: 'suspended', waitingFor: 'late'});
  lateLatch.markSynced();
  expect(rows.list().map(row => row.key)).toEqual(['a', 'b']);
});

test('[R6] an input of the start holds the sync through all its waits', () => {
  const {earlyLatch, lateLatch, rows} = waitingForTwo([thing('a', true)]);
  earlyLatch.markSynced();
  expect(rows.hasSynced()).toBe(false);
  lateLatch.markSynced();
  expect(rows.hasSynced()).toBe(true);
});
