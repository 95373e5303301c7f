// A cycle ends when one of its collections is stopped, because a stopped collection reads nothing.
import {expect, test} from 'vitest';
import {
  type Collection,
  fetch,
  nestedJoinWithMergeCollection,
  newCollection,
  newStaticCollection,
  newSyncLatch,
} from '../index.ts';
import {codes, type Item, quiet} from '../testing/objects.ts';

test('[G2] [J4] [Z1] a member that was stopped is built on nothing any more: it comes in with its last rows', () => {
  const engine = quiet();
  const source = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const box = newStaticCollection<Collection<Item>>(engine, [source]);
  const join = nestedJoinWithMergeCollection<Item>(box, all => all[0]);
  const built = newCollection(join, (_, {key, n}) => (key === 'i' ? {key: 'built', n} : null));
  const reading = newCollection(source, (ctx): Item => ({key: 'reading', n: fetch(ctx, join).length}));
  const above = newCollection(built, (_, {n}): Item => ({key: 'above', n}));
  for (const member of [built, reading, above]) box.updateObject(member);
  const keys = () => join.list().map(({key}) => key);
  expect([codes(engine), keys()]).toEqual([['cycle', 'cycle', 'cycle'], ['i']]);
  reading.stop();
  expect([codes(engine), keys()]).toEqual([
    ['cycle', 'cycle'],
    ['i', 'reading'],
  ]);
  // The collections above it depend on the join in no other way.
  built.stop();
  expect([codes(engine), keys()]).toEqual([[], ['i', 'reading', 'built', 'above']]);
  source.updateObject({key: 'i', n: 5});
  expect(join.getKey('i')).toEqual({key: 'i', n: 5});
  expect(join.getKey('above')).toEqual({key: 'above', n: 1});
  box.reset([source]);
  expect([codes(engine), keys()]).toEqual([[], ['i']]);
  // A collection that was stopped before does not count as left out.
  box.updateObject(built);
  expect([codes(engine), keys()]).toEqual([[], ['i', 'built']]);
});

test('[G2] [J4] [Y1] one that was stopped before it was synced is not waited for', () => {
  const engine = quiet();
  const latch = newSyncLatch(engine);
  const late = newStaticCollection<Item>(engine, [{key: 'i', n: 1}], {synced: latch});
  const box = newStaticCollection<Collection<Item>>(engine, [late]);
  const join = nestedJoinWithMergeCollection<Item>(box, all => all[0]);
  const member = newCollection(join, (_, item): Item => ({...item}));
  box.updateObject(member);
  member.stop();
  expect(codes(engine)).toEqual([]);
  latch.markSynced();
  expect([join.hasSynced(), join.list()]).toEqual([true, [{key: 'i', n: 1}]]);
});

test('[G2] [Z1] a run that failed for a cycle comes again when what closed it was stopped', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const later: {it?: Collection<Item>} = {};
  const low = newCollection(
    items,
    (ctx, {key}): Item => ({key, n: later.it ? fetch(ctx, later.it).length : 0}),
  );
  const high = newCollection(low, (_, item): Item => ({...item}));
  later.it = high;
  items.updateObject({key: 'i', n: 2});
  expect([codes(engine), low.rowState('i')?.outcome]).toEqual([['cycle'], 'failed']);
  high.stop();
  expect([codes(engine), low.list()]).toEqual([[], [{key: 'i', n: 1}]]);
});
