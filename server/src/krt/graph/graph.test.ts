import {expect, test} from 'vitest';
import {
  type Collection,
  type DerivedCollection,
  engineStats,
  fetch,
  fetchOne,
  filterKey,
  filterLabel,
  nestedJoinWithMergeCollection,
  newCollection,
  newManyCollection,
  newStaticCollection,
} from '../index.ts';
import {keyOf, rig, type Thing, thing, violated} from '../testing/objects.ts';

interface Row {
  key: string;
  v: unknown;
}
const byKey = {key: (row: Row) => row.key};

test('[F2] X-01 endpoints of pods and services are right at every step', () => {
  const {engine} = rig();
  const pods = newStaticCollection<Thing>(engine, []);
  const services = newStaticCollection<Thing>(engine, []);
  const endpoints = newManyCollection(services, (ctx, s) =>
    fetch(ctx, pods, filterLabel({app: keyOf(s)}))
      .filter(p => p.v)
      .map(p => `${keyOf(s)}/${keyOf(p)}/${p.v}`),
  );
  const after = (write: () => void) => {
    write();
    return endpoints.list().sort();
  };
  expect(after(() => pods.updateObject(thing('p', '', {app: 's'})))).toEqual([]);
  expect(after(() => services.updateObject(thing('s')))).toEqual([]);
  expect(after(() => pods.updateObject(thing('p', '1', {app: 's'})))).toEqual(['s/p/1']);
  expect(after(() => pods.updateObject(thing('p', '2', {app: 's'})))).toEqual(['s/p/2']);
  expect(after(() => pods.updateObject(thing('q', '3', {app: 's'})))).toEqual(['s/p/2', 's/q/3']);
  expect(after(() => pods.deleteObject('p'))).toEqual(['s/q/3']);
  expect(after(() => services.deleteObject('s'))).toEqual([]);
});

test('[G1] X-03 a diamond runs once and announces once, with both sides new', () => {
  const {engine, runs} = rig();
  const a = newStaticCollection<Thing>(engine, [thing('k', 1)], {name: 'a'});
  const b = newCollection(a, (_, t) => ({key: 'k', v: t.v}), {...byKey, name: 'b'});
  const c = newCollection(a, (ctx, t) => ({key: 'k', v: [t.v, fetchOne(ctx, b, filterKey('k'))?.v]}), {
    ...byKey,
    name: 'c',
  });
  const seen: unknown[] = [];
  c.register(change => void seen.push(change.new?.v));
  runs();
  a.updateObject(thing('k', 2));
  expect(seen).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(runs()).toEqual([
    'b k changed <- a k update',
    'c k changed <- a k update, b k update (key k, both, key)',
  ]);
});

test('[B9] a fetch of a collection whose turn has not come settles it first', () => {
  const {engine, runs} = rig();
  const a = newStaticCollection<Thing>(engine, [thing('k', 1)], {name: 'a'});
  const slow = newStaticCollection<Thing>(engine, [thing('k', 1)], {name: 'other'});
  let deep: Collection<Row> = newCollection(slow, (_, t) => ({key: 'k', v: t.v}), byKey);
  for (let i = 0; i < 3; i++) deep = newCollection(deep, (_, r) => r, byKey);
  const reader = newCollection(
    a,
    (ctx, t) => ({key: 'k', v: t.v === 1 ? 'old' : fetchOne(ctx, deep, filterKey('k'))?.v}),
    {...byKey, name: 'reader'},
  );
  engine.batch(() => {
    a.updateObject(thing('k', 2));
    slow.updateObject(thing('k', 2));
  });
  expect(reader.getKey('k')?.v).toBe(2);
  runs();
  engine.batch(() => {
    a.updateObject(thing('k', 3));
    slow.updateObject(thing('k', 3));
  });
  expect(runs().filter(r => r.startsWith('reader')).length).toBe(1);
  expect(reader.getKey('k')?.v).toBe(3);
});

test('[G2] X-04 a formula that fetches its own collection is a cycle, not a hang; its input is not', () => {
  const {engine, traces} = rig();
  const a = newStaticCollection<Thing>(engine, [], {name: 'a'});
  const self: DerivedCollection<Thing, Row> = newCollection(
    a,
    (ctx, t) => {
      if (t.v !== 'fine') {
        try {
          fetch(ctx, self);
        } catch {
          // Catching the error changes nothing.
        }
      }
      return {key: keyOf(t), v: fetch(ctx, a).length};
    },
    {...byKey, name: 'self'},
  );
  a.updateObject(thing('x'));
  expect(traces().at(-1)?.runs[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/"self" → "self"/),
  });
  expect(violated(engine)).toEqual(['cycle self x']);
  a.updateObject(thing('x', 'fine'));
  expect([violated(engine), self.list()]).toEqual([[], [{key: 'x', v: 1}]]);
});

test('[G2] X-05 a mutual fetch is a cycle that names both', () => {
  const {engine, traces} = rig();
  const a = newStaticCollection<Thing>(engine, [], {name: 'a'});
  const one: DerivedCollection<Thing, Row> = newCollection(
    a,
    (ctx, t) => ({key: keyOf(t), v: fetch(ctx, two).length}),
    {...byKey, name: 'one'},
  );
  const two: DerivedCollection<Thing, Row> = newCollection(
    a,
    (ctx, t) => ({key: keyOf(t), v: fetch(ctx, one).length}),
    {...byKey, name: 'two'},
  );
  a.updateObject(thing('x'));
  const failed = traces()
    .flatMap(t => t.runs)
    .filter(r => r.outcome === 'failed');
  expect(failed.length).toBe(1);
  expect(failed[0]?.error).toMatch(/"(one|two)" → "(one|two)" → "(one|two)"/);
  expect(engine.violations().map(v => v.code)).toEqual(['cycle']);
});

test('[B1] X-06 ten collections over one source each run once', () => {
  const {engine, runs} = rig();
  const a = newStaticCollection<Thing>(engine, [thing('k', 1)], {name: 'a'});
  const all = Array.from({length: 10}, () => newCollection(a, (_, t) => ({key: 'k', v: t.v}), byKey));
  runs();
  a.updateObject(thing('k', 2));
  expect(runs().length).toBe(10);
  expect(all.every(c => c.getKey('k')?.v === 2)).toBe(true);
});

test('[G3] X-07 a collection created in a run goes with the row of that run', () => {
  const {engine} = rig();
  const clusters = newStaticCollection<Thing>(engine, [], {name: 'clusters'});
  const outer = newCollection(
    clusters,
    (_, cluster) => {
      if (cluster.v === 'fail') throw new Error('no');
      const source = newStaticCollection(engine, [thing('n/a', cluster.v)], {
        name: `src ${keyOf(cluster)}`,
      });
      return newCollection(source, (_ctx, t) => ({key: keyOf(t), v: t.v}), byKey) as Collection<Row>;
    },
    {name: 'outer'},
  );
  const merged = nestedJoinWithMergeCollection(
    outer,
    rows => ({key: 'n/a', v: rows.map(r => r.v).sort()}),
    byKey,
  );
  clusters.updateObject(thing('c1', 1));
  clusters.updateObject(thing('c2', 2));
  expect(merged.list()).toEqual([{key: 'n/a', v: [1, 2]}]);
  clusters.updateObject(thing('c2', 3));
  expect(merged.list()).toEqual([{key: 'n/a', v: [1, 3]}]);
  expect(engine.collections().length).toBe(3 + 4);
  clusters.updateObject(thing('c2', 'fail'));
  expect(engine.collections().length).toBe(3 + 4);
  clusters.deleteObject('c1');
  clusters.deleteObject('c2');
  expect(merged.list()).toEqual([]);
  expect(
    engine
      .collections()
      .map(c => c.name)
      .sort(),
  ).toEqual(['NestedJoinWithMerge[T]', 'clusters', 'outer']);
  expect(engineStats(engine)).toMatchObject({dependencies: 0, subscriptions: 2});
});
