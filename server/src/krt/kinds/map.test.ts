import {expect, test} from 'vitest';
import {
  createEngine,
  mapCollection,
  nestedJoinWithMergeCollection,
  newIndex,
  newStaticCollection,
  tracked,
} from '../index.ts';
import {type Thing, thing, violated} from '../testing/objects.ts';

test('[M1] M-01 M-02 a map hands on mapped items and can be indexed', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, [], {name: 'things'});
  const mapped = mapCollection(things, t => ({n: t.v}));
  const byN = newIndex(mapped, 'n', r => [String(r.n)]);
  const seen: unknown[] = [];
  mapped.register(change => void seen.push(change));
  things.updateObject(thing('a', 1));
  expect(seen).toEqual([{event: 'add', key: 'a', new: {n: 1}}]);
  expect([byN.lookup('1'), mapped.getKey('a'), mapped.list()]).toEqual([[{n: 1}], {n: 1}, [{n: 1}]]);
});

test('[M1] M-03 an update that maps to equal values is handed on', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, [thing('a', 1)]);
  const tracker = tracked(mapCollection(things, () => ({same: true})));
  things.updateObject(thing('a', 2));
  expect(tracker.taken()).toEqual(['update/a']);
});

test('[M1] M-05 metadata is its own, or inherited', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, [], {metadata: {from: 'parent'}});
  expect(mapCollection(things, t => t, {metadata: {own: 1}}).metadata()).toEqual({own: 1});
  expect(mapCollection(things, t => t, {metadata: {}}).metadata()).toEqual({});
  expect(mapCollection(things, t => t).metadata()).toEqual({from: 'parent'});
  expect(mapCollection(newStaticCollection<Thing>(engine, []), t => t).metadata()).toBeUndefined();
});

test('[M1] M-06 an index on a map does not clash with one of that name below', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, [thing('a', 1)]);
  const below = newIndex(things, 'v', t => [String(t.v)]);
  const above = newIndex(
    mapCollection(things, t => ({w: `${t.v}!`})),
    'v',
    r => [r.w],
  );
  expect([below.lookup('1').length, above.lookup('1!').length, above.lookup('1').length]).toEqual([1, 1, 0]);
});

test('[M1] M-07 empty members that join and leave below a map announce nothing', () => {
  const engine = createEngine();
  const member = newStaticCollection(engine, [thing('a', 1)]);
  const empty = newStaticCollection<Thing>(engine, []);
  const container = newStaticCollection(engine, [member]);
  const mapped = mapCollection(
    nestedJoinWithMergeCollection(container, all => all[0]),
    t => ({v: t.v}),
  );
  const tracker = tracked(mapped);
  container.updateObject(empty);
  container.deleteObject(String(empty.uid));
  expect([tracker.taken(), mapped.list()]).toEqual([[], [{v: 1}]]);
});

test('[V3] a map that changes a key is a violation until it does not', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, [thing('a', 'b')]);
  mapCollection(things, t => thing(String(t.v)), {name: 'map'});
  expect(violated(engine)).toEqual(['map-key map a']);
  things.updateObject(thing('a', 'a'));
  expect(violated(engine)).toEqual([]);
});
