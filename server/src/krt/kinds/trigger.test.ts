import {expect, test} from 'vitest';
import {
  fetch,
  filterKey,
  newCollection,
  newManyFromNothing,
  newRecomputeProtected,
  newRecomputeTrigger,
  newSingleton,
  newStaticCollection,
  tracked,
} from '../index.ts';
import {keyOf, rig, type Thing, thing} from '../testing/objects.ts';

test('[T1] N-02 a singleton that returns nothing is empty and synced', () => {
  const {engine} = rig();
  const single = newSingleton(engine, () => undefined);
  expect([single.get(), single.list(), single.hasSynced()]).toEqual([undefined, [], true]);
});

test('[T1] N-03 many from nothing runs again only when triggered', () => {
  const {engine, runs} = rig();
  const other = newStaticCollection<Thing>(engine, []);
  const trigger = newRecomputeTrigger(engine, {name: 'trigger'});
  let outside = ['a'];
  const many = newManyFromNothing(
    engine,
    ctx => {
      trigger.markDependant(ctx);
      return outside;
    },
    {name: 'many'},
  );
  runs();
  outside = ['a', 'b'];
  other.updateObject(thing('x'));
  expect([many.list(), runs()]).toEqual([['a'], []]);
  trigger.triggerRecomputation();
  expect(many.list().sort()).toEqual(['a', 'b']);
  expect(runs()).toEqual(['many  changed <- trigger static update (all, both, scan)']);
});

test('[T2] N-04 dependants of an unsynced trigger wait for it', () => {
  const {engine} = rig();
  const trigger = newRecomputeTrigger(engine, {synced: false, name: 'trigger'});
  const single = newSingleton(engine, ctx => {
    trigger.markDependant(ctx);
    return 'x';
  });
  expect([single.hasSynced(), single.get()]).toEqual([false, undefined]);
  trigger.markSynced();
  expect([single.hasSynced(), single.get()]).toEqual([true, 'x']);
});

test('[T2] N-05 N-06 only inputs that marked the trigger run, and equal results are not announced', () => {
  const {engine, runs} = rig();
  const trigger = newRecomputeTrigger(engine, {name: 'trigger'});
  const things = newStaticCollection<Thing>(engine, [thing('a', true), thing('b', false)], {name: 'things'});
  let outside = 1;
  const rows = newCollection(
    things,
    (ctx, t) => {
      if (t.v) trigger.markDependant(ctx);
      return {key: keyOf(t), v: t.v ? outside : 0};
    },
    {key: row => row.key, name: 'rows'},
  );
  const tracker = tracked(rows);
  runs();
  outside = 2;
  trigger.triggerRecomputation();
  trigger.triggerRecomputation();
  expect(tracker.taken()).toEqual(['update/a']);
  expect(runs().map(r => r.split(' <- ')[0])).toEqual(['rows a changed', 'rows a equal']);
  things.updateObject(thing('a', false));
  runs();
  trigger.triggerRecomputation();
  expect(runs()).toEqual([]);
});

test('[T3] a protected value is modified in place or replaced, and its readers run again', () => {
  const {engine} = rig();
  const value = newRecomputeProtected(engine, {n: 1});
  const single = newSingleton(engine, ctx => ({n: value.get(ctx).n}));
  value.modify(v => {
    v.n = 2;
  });
  expect(single.get()).toEqual({n: 2});
  value.modify(() => ({n: 3}));
  expect([single.get(), value.accessUnprotected()]).toEqual([{n: 3}, {n: 3}]);
});

/** The state of `switches` decides whether input `a` discards, with or without a value. */
function discarding() {
  const all = rig();
  const switches = newStaticCollection<Thing>(all.engine, [], {name: 'switches'});
  const things = newStaticCollection<Thing>(all.engine, [], {name: 'things'});
  const rows = newCollection(
    things,
    (ctx, t) => {
      const discard = String(t.v).includes('discard') && fetch(ctx, switches, filterKey('off')).length === 0;
      if (discard) ctx.discardResult();
      return String(t.v).includes('nothing') ? undefined : {key: 'a', v: t.v};
    },
    {key: row => row.key, name: 'rows'},
  );
  return {...all, switches, things, rows, tracker: tracked(rows)};
}

test('[R7] N-08 N-10 discarding nothing at first is empty, and a dependency still heals it', () => {
  const {engine, things, switches, rows, runs} = discarding();
  const latest = newSingleton(engine, ctx => {
    if (fetch(ctx, switches).length === 0) ctx.discardResult();
    return fetch(ctx, switches).length === 0 ? undefined : 'on';
  });
  expect([latest.get(), latest.hasSynced(), rows.list(), things.list()]).toEqual([undefined, true, [], []]);
  runs();
  switches.updateObject(thing('off'));
  expect(latest.get()).toBe('on');
});

test('[R7] N-09 initial, discarded, final: an add and an update', () => {
  const {things, tracker, rows, runs} = discarding();
  things.updateObject(thing('a', 'initial'));
  things.updateObject(thing('a', 'discard'));
  expect(rows.getKey('a')?.v).toBe('initial');
  things.updateObject(thing('a', 'final'));
  expect(tracker.taken()).toEqual(['add/a', 'update/a']);
  expect(runs().map(r => r.split(' ')[2])).toEqual(['added', 'discarded', 'changed']);
});

test('[R7] N-11 an accepted nothing counts: a later value with discard is discarded', () => {
  const {things, rows} = discarding();
  things.updateObject(thing('a', 'nothing'));
  things.updateObject(thing('a', 'discard'));
  expect(rows.list()).toEqual([]);
});

test('[R7] a first discard with a value is accepted as a default', () => {
  const {things, rows} = discarding();
  things.updateObject(thing('a', 'discard'));
  expect(rows.getKey('a')?.v).toBe('discard');
});

test('[R7] N-12 what a discarded run fetched runs it again', () => {
  const {things, switches, rows, runs} = discarding();
  things.updateObject(thing('a', 'initial'));
  things.updateObject(thing('a', 'discard'));
  runs();
  switches.updateObject(thing('off'));
  expect(runs()).toEqual(['rows a changed <- switches off add (key off, new, key)']);
  expect(rows.getKey('a')?.v).toBe('discard');
});
