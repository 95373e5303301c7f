import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  engineStats,
  fetch,
  joinCollection,
  joinWithMergeCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newIndex,
  newStatic,
  newStaticCollection,
  newSyncLatch,
  tracked,
} from '../index.ts';
import {rig, type Thing, thing, violated} from '../testing/objects.ts';

function three(options = {}) {
  const engine = createEngine({checks: 'off'});
  const [c1, c2, c3] = ['c1', 'c2', 'c3'].map(name => newStaticCollection<Thing>(engine, [], {name})) as [
    ReturnType<typeof newStaticCollection<Thing>>,
    ReturnType<typeof newStaticCollection<Thing>>,
    ReturnType<typeof newStaticCollection<Thing>>,
  ];
  const join = joinCollection<Thing>([c1, c2, c3], {name: 'join', ...options});
  const seen: unknown[] = [];
  join.register(c => void seen.push([c.event, c.old?.v, c.new?.v].filter(x => x !== undefined).join(' ')));
  const taken = () => seen.splice(0);
  return {engine, c1, c2, c3, join, taken};
}

test('[J1] J-01 the union of members with different keys', () => {
  const {c1, c2, c3, join, taken} = three();
  c1.updateObject(thing('a', 1));
  c2.updateObject(thing('b', 2));
  c3.updateObject(thing('c', 3));
  expect(taken()).toEqual(['add 1', 'add 2', 'add 3']);
  expect(join.list().length).toBe(3);
});

test('[J1] J-02 J-04 J-05 the first member wins; when it goes the next takes over', () => {
  const {c1, c2, c3, taken} = three();
  c2.updateObject(thing('k', 2));
  c1.updateObject(thing('k', 1));
  expect(taken()).toEqual(['add 2', 'update 2 1']);
  c3.updateObject(thing('k', 3));
  c2.updateObject(thing('k', 22));
  expect(taken()).toEqual([]);
  c1.deleteObject('k');
  c2.deleteObject('k');
  c3.deleteObject('k');
  expect(taken()).toEqual(['update 1 22', 'update 22 3', 'delete 3']);
});

test.each([[{}], [{unchecked: true}]])(
  '[J1 S1] a member that replaced its object with an equal one announces nothing when another member changes: %o',
  options => {
    const {c1, c2, join, taken} = three(options);
    const seen = newCollection(join, (_, item) => item, {name: 'seen'});
    c1.updateObject(thing('k', 1));
    const equal = thing('k', 1);
    c1.reset([equal]);
    taken();
    const changes: unknown[] = [];
    seen.registerBatch(batch => void changes.push(batch), false);
    c2.updateObject(thing('k', 2));
    expect(taken().filter(change => change !== 'add 2')).toEqual([]);
    expect(changes).toEqual([]);
    expect(join.getKey('k')).toBe(equal);
    c1.updateObject(thing('k', 3));
    expect(taken()).toEqual(['update 1 3']);
  },
);

test('[J1] J-06 J-07 J-08 a key in both from the start is one add with the winner; without replay silence', () => {
  const engine = createEngine();
  const c1 = newStaticCollection(engine, [thing('k', 1)]);
  const c2 = newStaticCollection(engine, [thing('k', 2)]);
  const join = joinCollection([c1, c2]);
  const seen: unknown[] = [];
  join.register(c => void seen.push([c.event, c.new?.v]));
  join.registerBatch(() => void seen.push('silent'), false);
  expect(seen).toEqual([['add', 1]]);
});

test('[J2] J-10 an overlap of an unchecked join is a violation and both changes pass', () => {
  const {engine, c1, c2, join, taken} = three({unchecked: true});
  c1.updateObject(thing('k', 1));
  c2.updateObject(thing('k', 2));
  expect(taken()).toEqual(['add 1', 'add 2']);
  expect(violated(engine)).toEqual(['join-overlap join k']);
  expect(join.list().length).toBe(2);
  c2.deleteObject('k');
  expect([violated(engine), join.list()]).toEqual([[], [thing('k', 1)]]);
});

test('[J2] J-11 a join of one member passes on what it announces', () => {
  const engine = createEngine();
  const only = newStaticCollection(engine, [thing('k', 1)]);
  const tracker = tracked(joinCollection([only]));
  only.updateObject(thing('k', 1));
  expect(tracker.taken()).toEqual(['update/k']);
});

test('[J1] J-12 J-13 an index of a join has winners only, in their own buckets', () => {
  const {c1, c2, join} = three();
  const byV = newIndex(join, 'v', t => [String(t.v).slice(0, 1)]);
  c1.updateObject(thing('k', 'x1'));
  c2.updateObject(thing('k', 'x2'));
  expect(byV.lookup('x')).toEqual([thing('k', 'x1')]);
  c2.updateObject(thing('k', 'y2'));
  expect(byV.lookup('y')).toEqual([]);
});

test('[J1] J-14 a member singleton whose key changes is a delete and an add', () => {
  const engine = createEngine();
  const single = newStatic(engine, 'a');
  const tracker = tracked(joinCollection([newStaticCollection<string>(engine, []), single]));
  single.set('b');
  expect(tracker.taken().sort()).toEqual(['add/b', 'delete/a']);
});

test('[Z1] J-16 W-14 stopped joins leave nothing on their members', () => {
  const engine = createEngine();
  const member = newStaticCollection(engine, [thing('k', 1)]);
  const container = newStaticCollection<Collection<Thing>>(engine, [member]);
  const joins = [
    joinCollection([member, newStaticCollection<Thing>(engine, [])]),
    joinWithMergeCollection([member], all => all[0]),
    nestedJoinWithMergeCollection(container, all => all[0]),
  ];
  for (const join of joins) join.stop();
  expect(engineStats(engine).subscriptions).toBe(0);
});

test('[J1] J-17 priorities nest', () => {
  const {engine, c1, c2, c3} = three();
  const outer = joinCollection([joinCollection([c2, c1]), c3]);
  c3.updateObject(thing('k', 3));
  c1.updateObject(thing('k', 1));
  expect(outer.getKey('k')?.v).toBe(1);
  c2.updateObject(thing('k', 2));
  expect(outer.getKey('k')?.v).toBe(2);
  expect(engine.violations()).toEqual([]);
});

const sum = (all: Thing[]) => {
  const total = all.reduce((n, t) => n + Number(t.v), 0);
  return total === 0 ? undefined : thing('k', total);
};

test('[J3] W-01 W-02 W-03 one add with the merged value, updates as members go, delete with the last', () => {
  const engine = createEngine();
  const c1 = newStaticCollection(engine, [thing('k', 1)]);
  const c2 = newStaticCollection(engine, [thing('k', 2)]);
  const merged = joinWithMergeCollection([c1, c2], sum);
  const seen: unknown[] = [];
  merged.register(c => void seen.push([c.event, c.old?.v, c.new?.v].filter(x => x !== undefined).join(' ')));
  c1.deleteObject('k');
  c2.deleteObject('k');
  expect(seen).toEqual(['add 3', 'update 3 2', 'delete 2']);
});

test('[J3] W-05 W-06 W-13 an equal merge is no change, nothing is no row, a throw keeps the row', () => {
  const {engine, traces} = rig();
  const c1 = newStaticCollection(engine, [thing('k', 1)], {name: 'c1'});
  const c2 = newStaticCollection(engine, [thing('k', 2)]);
  const merged = joinWithMergeCollection(
    [c1, c2],
    all => {
      if (all.some(t => t.v === 'bad')) throw new Error('cannot merge');
      return sum(all);
    },
    {name: 'merged'},
  );
  const tracker = tracked(merged);
  engine.batch(() => {
    c1.updateObject(thing('k', 2));
    c2.updateObject(thing('k', 1));
  });
  expect(tracker.taken()).toEqual([]);
  c1.updateObject(thing('k', -1));
  expect(tracker.taken()).toEqual(['delete/k']);
  c1.updateObject(thing('k', 5));
  traces();
  c1.updateObject(thing('k', 'bad'));
  expect(traces()[0]?.runs[0]).toMatchObject({outcome: 'failed', error: 'cannot merge', input: 'k'});
  expect([merged.getKey('k')?.v, merged.rowState('k')?.stale]).toEqual([6, true]);
  c1.updateObject(thing('k', 1));
  expect([merged.getKey('k')?.v, merged.rowState('k')?.stale]).toEqual([2, false]);
});

test('[J3] W-07 an index over merged rows and a group by it follow the merges', () => {
  const engine = createEngine();
  const c1 = newStaticCollection(engine, [thing('k', 1)]);
  const c2 = newStaticCollection<Thing>(engine, []);
  const merged = joinWithMergeCollection([c1, c2], sum);
  const groups = newIndex(merged, 'v', t => [String(t.v)]).asCollection();
  const counts = newCollection(groups, (_, g) => `${g.key}:${g.objects.length}`);
  expect(counts.list()).toEqual(['1:1']);
  c2.updateObject(thing('k', 4));
  expect(counts.list()).toEqual(['5:1']);
});

function nested() {
  const all = rig();
  const {engine} = all;
  const a = newStaticCollection(engine, [thing('k', 1)], {name: 'a'});
  const b = newStaticCollection(engine, [thing('k', 2)], {name: 'b'});
  const container = newStaticCollection<Collection<Thing>>(engine, [], {name: 'members'});
  const merged = nestedJoinWithMergeCollection(container, sum, {name: 'merged'});
  const seen: string[] = [];
  merged.register(c => void seen.push([c.event, c.old?.v, c.new?.v].filter(x => x !== undefined).join(' ')));
  return {...all, a, b, container, merged, taken: () => seen.splice(0)};
}

test('[J4] W-08 W-15 members come and go; the same member again is nothing', () => {
  const {a, b, container, taken} = nested();
  container.updateObject(a);
  container.updateObject(b);
  container.updateObject(b);
  container.deleteObject(String(b.uid));
  container.deleteObject(String(a.uid));
  expect(taken()).toEqual(['add 1', 'update 1 3', 'update 3 1', 'delete 1']);
  a.updateObject(thing('k', 9));
  expect(taken()).toEqual([]);
});

test('[J4] W-09 an empty member changes nothing; deleting and detaching in one batch takes the row', () => {
  const {engine, a, container, taken} = nested();
  container.updateObject(a);
  const empty = newStaticCollection<Thing>(engine, []);
  container.updateObject(empty);
  container.deleteObject(String(empty.uid));
  taken();
  engine.batch(() => {
    a.deleteObject('k');
    container.deleteObject(String(a.uid));
  });
  expect(taken()).toEqual(['delete 1']);
});

test('[J4] a derived member whose input goes in the batch that detaches it takes its row along', () => {
  const {engine, a, container, merged, taken} = nested();
  const derived = newCollection(a, (_, t) => t, {name: 'derived'});
  container.updateObject(derived);
  taken();
  engine.batch(() => {
    container.deleteObject(String(derived.uid));
    a.deleteObject('k');
  });
  expect([taken(), merged.list()]).toEqual([['delete 1'], []]);
});

test('[J4] a formula that fetches from a nested join made in its own batch runs once', () => {
  const all = rig();
  const a = newStaticCollection(all.engine, [thing('k', 1)], {name: 'a'});
  const container = newStaticCollection<Collection<Thing>>(all.engine, [a], {name: 'members'});
  all.runs();
  all.engine.batch(() => {
    const merged = nestedJoinWithMergeCollection(container, sum, {name: 'merged'});
    newCollection(a, (ctx, t) => ({...t, v: fetch(ctx, merged).length}), {name: 'rows'});
  });
  expect(all.runs()).toEqual(['rows k added <- formula']);
});

test('[J4] W-11 W-12 a late container subscribes once; a late member appears when it syncs', () => {
  const {engine} = rig();
  const latch = newSyncLatch(engine);
  const later = newSyncLatch(engine);
  const container = newStaticCollection<Collection<Thing>>(engine, [], {synced: latch});
  const merged = nestedJoinWithMergeCollection(container, sum);
  const a = newStaticCollection(engine, [thing('k', 1)]);
  container.updateObject(a);
  expect([merged.hasSynced(), merged.list()]).toEqual([false, []]);
  latch.markSynced();
  expect([merged.hasSynced(), merged.list()]).toEqual([true, [thing('k', 1)]]);
  const b = newStaticCollection(engine, [thing('k', 2)], {synced: later});
  container.updateObject(b);
  expect([merged.hasSynced(), merged.list()]).toEqual([true, [thing('k', 1)]]);
  later.markSynced();
  expect(merged.list()).toEqual([thing('k', 3)]);
});

test('[Y1] a merge join begins when all members are synced; a join shows those that are', () => {
  const {engine} = rig();
  const latch = newSyncLatch(engine);
  const c1 = newStaticCollection(engine, [thing('k', 1)], {synced: latch});
  const c2 = newStaticCollection(engine, [thing('k', 2)]);
  const join = joinCollection([c1, c2]);
  const merged = joinWithMergeCollection([c1, c2], sum);
  const derived = newCollection(join, (ctx, t) => thing('k', [t.v, fetch(ctx, c2).length]));
  expect([join.list(), merged.list(), derived.list()]).toEqual([[thing('k', 2)], [], []]);
  latch.markSynced();
  expect([join.list(), merged.list(), derived.list()]).toEqual([
    [thing('k', 1)],
    [thing('k', 3)],
    [thing('k', [1, 1])],
  ]);
});

test('[B6] [Z1] where members overlap an unchecked join shows what settled last, and after its end what did then', () => {
  const {engine, c1, c2, join} = three({unchecked: true});
  c1.updateObject(thing('a', 1));
  c2.updateObject(thing('a', 2));
  const shown = () => join.list().map(({v}) => v);
  engine.batch(() => {
    c1.updateObject(thing('a', 3));
    expect(shown()).toEqual([1, 2]);
  });
  join.stop();
  c1.updateObject(thing('a', 4));
  expect(shown()).toEqual([3, 2]);
});
