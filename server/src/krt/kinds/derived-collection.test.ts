import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  fetchOne,
  filterKey,
  newCollection,
  newIndex,
  newManyCollection,
  newStaticCollection,
  newSyncLatch,
  outputsOf,
  tracked,
} from '../index.ts';
import {keyOf, rig, type Thing, thing, violated} from '../testing/objects.ts';

interface Row {
  key: string;
  v: unknown;
}
const byKey = {key: (row: Row) => row.key};

function graph(...initial: Thing[]) {
  const all = rig();
  const things = newStaticCollection<Thing>(all.engine, initial, {name: 'things'});
  return {...all, things};
}

test('[R1] D-01 D-03 nothing, added, changed, deleted, as the input goes along', () => {
  const {engine, things, runs} = graph();
  const rows = newCollection(things, (_, t) => (t.v ? {key: keyOf(t), v: t.v} : undefined), {
    ...byKey,
    name: 'rows',
  });
  const tracker = tracked(rows);
  things.updateObject(thing('a'));
  things.updateObject(thing('a', 1));
  things.updateObject(thing('a', 2));
  things.updateObject(thing('a', 0));
  things.updateObject(thing('a', 3));
  things.deleteObject('a');
  expect(tracker.taken()).toEqual(['add/a', 'update/a', 'delete/a', 'add/a', 'delete/a']);
  expect(runs()).toEqual([
    'rows a empty <- things a add',
    'rows a added <- things a update',
    'rows a changed <- things a update',
    'rows a deleted <- things a update',
    'rows a added <- things a update',
  ]);
  expect(engine.collections().find(c => c.name === 'rows')).toMatchObject({runs: 5, size: 0, failed: 0});
});

test('[R3] D-04 D-21 one to many: what is new is added, what is gone deleted, the rest silent', () => {
  const {engine, things, traces} = graph(thing('a', ['x', 'y']));
  const rows = newManyCollection(
    things,
    (_, t) => (t.v as string[]).map(v => ({key: `${keyOf(t)}/${v}`, v})),
    {
      ...byKey,
      name: 'rows',
    },
  );
  const calls: string[][] = [];
  rows.registerBatch(changes => void calls.push(changes.map(c => `${c.event}/${c.key}`).sort()), false);
  traces();
  things.updateObject(thing('a', ['y', 'z']));
  expect(calls).toEqual([['add/a/z', 'delete/a/x']]);
  expect(traces()[0]?.runs[0]).toMatchObject({
    outcome: 'changed',
    counts: {added: 1, changed: 0, deleted: 1, equal: 1},
  });
  expect(outputsOf(rows, 'a').sort()).toEqual(['a/y', 'a/z']);
  expect(engine.violations()).toEqual([]);
});

test('[R3] D-05 another output key is a delete and an add in one batch', () => {
  const {things} = graph(thing('a', 'x'));
  const rows = newCollection(things, (_, t) => String(t.v));
  const calls: string[][] = [];
  rows.registerBatch(changes => void calls.push(changes.map(c => `${c.event}/${c.key}`).sort()), false);
  things.updateObject(thing('a', 'y'));
  expect(calls).toEqual([['add/y', 'delete/x']]);
});

test('[Y1] D-06 once synced the list is complete', async () => {
  const {engine, things} = graph(thing('a', 1));
  const latch = newSyncLatch(engine);
  const others = newStaticCollection<Thing>(engine, [thing('o')], {synced: latch, name: 'others'});
  const rows = newCollection(things, (ctx, t) => ({key: keyOf(t), v: fetch(ctx, others).length}), byKey);
  const synced = rows.waitUntilSynced();
  expect(rows.hasSynced()).toBe(false);
  latch.markSynced();
  expect(await synced).toBe(true);
  expect(rows.list()).toEqual([{key: 'a', v: 1}]);
});

test('[B2] D-09 D-24 three updates: three runs in three batches, one in one', () => {
  const {engine, things, runs} = graph(thing('a', 0));
  newCollection(things, (_, t) => ({key: 'a', v: t.v}), {...byKey, name: 'rows'});
  runs();
  for (const v of [1, 2, 3]) things.updateObject(thing('a', v));
  expect(runs().length).toBe(3);
  engine.batch(() => {
    for (const v of [4, 5, 6]) things.updateObject(thing('a', v));
  });
  expect(runs()).toEqual(['rows a changed <- things a update']);
});

test('[B3] D-10 an item that comes and goes in one batch runs nothing', () => {
  const {engine, things, traces} = graph();
  newCollection(things, (_, t) => ({key: keyOf(t), v: t.v}), byKey);
  traces();
  engine.batch(() => {
    things.updateObject(thing('a'));
    things.deleteObject('a');
  });
  expect(traces()).toEqual([]);
});

test('[R10] [V3] D-11 a key twice in a result: the last counts, a violation until it no longer holds', () => {
  const {engine, things} = graph();
  const rows = newManyCollection(things, (_, t) => (t.v as number[]).map(v => ({key: 'k', v})), {
    ...byKey,
    name: 'rows',
  });
  const tracker = tracked(rows);
  things.updateObject(thing('a', [1, 2]));
  expect([rows.list(), tracker.taken()]).toEqual([[{key: 'k', v: 2}], ['add/k']]);
  expect(violated(engine)).toEqual(['duplicate-in-result rows k']);
  things.updateObject(thing('a', [2]));
  expect(violated(engine)).toEqual([]);
});

test('[R8] D-12 two inputs with one key: the smallest owns it, hand-overs are updates without a run', () => {
  const {engine, things, traces} = graph(thing('b', 'b'));
  const rows = newCollection(things, (_, t) => ({key: 'k', v: t.v}), {...byKey, name: 'rows'});
  const tracker = tracked(rows);
  things.updateObject(thing('a', 'a'));
  expect(rows.list()).toEqual([{key: 'k', v: 'a'}]);
  expect(violated(engine)).toEqual(['duplicate-across-inputs rows k']);
  expect(engine.violations()[0]?.keys).toEqual(['k', 'a', 'b']);
  things.updateObject(thing('c', 'c'));
  expect(rows.rowState('k')).toMatchObject({input: 'a'});
  traces();
  things.deleteObject('a');
  expect(rows.list()).toEqual([{key: 'k', v: 'b'}]);
  expect(traces()[0]?.runs).toEqual([]);
  things.deleteObject('b');
  expect(violated(engine)).toEqual([]);
  things.deleteObject('c');
  expect(rows.list()).toEqual([]);
  expect(tracker.taken()).toEqual(['add/k', 'update/k', 'update/k', 'update/k', 'delete/k'].slice(1));
});

test('[R8] a hand-over to an equal row announces nothing', () => {
  const {things} = graph(thing('a', 1), thing('b', 1));
  const rows = newCollection(things, (_, t) => ({key: 'k', v: t.v}), byKey);
  const tracker = tracked(rows);
  things.deleteObject('a');
  expect(tracker.taken()).toEqual([]);
});

test('[B1] D-15 all inputs of a batch are announced in one call', () => {
  const {engine, things} = graph();
  const rows = newCollection(things, (_, t) => ({key: keyOf(t), v: t.v}), byKey);
  const calls: number[] = [];
  rows.registerBatch(changes => void calls.push(changes.length), false);
  engine.batch(() => {
    for (const key of ['a', 'b', 'c']) things.updateObject(thing(key));
  });
  expect(calls).toEqual([3]);
});

test('[R5] D-16 a throwing formula fails alone, keeps its rows as stale, and heals', () => {
  const {engine, things, traces, runs} = graph(thing('a', 1), thing('b', 1));
  const switches = newStaticCollection<Thing>(engine, [], {name: 'switches'});
  const rows = newCollection(
    things,
    (ctx, t) => {
      if (fetchOne(ctx, switches, filterKey(keyOf(t))) !== undefined) throw new Error('switched off');
      return {key: keyOf(t), v: t.v};
    },
    {...byKey, name: 'rows'},
  );
  traces();
  engine.batch(() => {
    switches.updateObject(thing('a'));
    things.updateObject(thing('b', 2));
    things.updateObject(thing('a', 2));
  });
  const [trace] = traces();
  expect(trace?.runs.find(r => r.input === 'a')).toMatchObject({outcome: 'failed', error: 'switched off'});
  expect(rows.getKey('a')).toEqual({key: 'a', v: 1});
  expect(rows.getKey('b')).toEqual({key: 'b', v: 2});
  expect(rows.rowState('a')).toEqual({
    key: 'a',
    input: 'a',
    stale: true,
    outcome: 'failed',
    error: 'switched off',
  });
  expect(engine.collections().find(c => c.name === 'rows')?.failed).toBe(1);
  switches.deleteObject('a');
  expect(runs()).toEqual(['rows a changed <- switches a delete (key a, old, key)']);
  expect(rows.rowState('a')).toMatchObject({stale: false, outcome: 'changed'});
  expect(engine.collections().find(c => c.name === 'rows')?.failed).toBe(0);
});

test('[N1] D-17 D-22 default names, numbers from 2, metadata as given', () => {
  const engine = createEngine();
  const list = newStaticCollection<string>(engine, []);
  const one = newCollection(list, (_, t) => t, {metadata: {a: 1}});
  const many = newManyCollection(list, (_, t) => [t]);
  expect([list, one, many].map(c => [c.name, c.uid])).toEqual([
    ['Static[T]', 2],
    ['Collection[I,O]', 3],
    ['ManyCollection[I,O]', 4],
  ]);
  expect([one.metadata(), many.metadata()]).toEqual([{a: 1}, undefined]);
});

test('[Y1] D-18 a parent that never syncs: the formula is never called', () => {
  const engine = createEngine();
  const list = newStaticCollection(engine, ['a'], {synced: newSyncLatch(engine), name: 'late'});
  let calls = 0;
  const rows = newCollection(list, (_, t) => {
    calls++;
    return t;
  });
  list.updateObject('b');
  expect([calls, rows.hasSynced(), rows.list()]).toEqual([0, false, []]);
  expect(engine.collections().find(c => c.uid === rows.uid)?.waitingFor).toBe('late');
});

test('[R2] D-19 a chain stops at the first equal level', () => {
  const {things, runs} = graph(thing('a', 1));
  const one = newCollection(things, (_, t) => ({key: 'a', v: t.v}), {...byKey, name: 'one'});
  const two = newCollection(one, (_, r) => ({key: 'a', v: Number(r.v) > 0}), {...byKey, name: 'two'});
  newCollection(two, (_, r) => ({key: 'a', v: r.v}), {...byKey, name: 'three'});
  runs();
  things.updateObject(thing('a', 2));
  expect(runs()).toEqual(['one a changed <- things a update', 'two a equal <- one a update']);
  things.updateObject(thing('a', 0));
  expect(runs().length).toBe(3);
});

test('[X1] D-24 an index added after the data is complete at once', () => {
  const {things} = graph(thing('a', 1), thing('b', 1));
  const rows = newCollection(things, (_, t) => ({key: keyOf(t), v: t.v}), byKey);
  expect(newIndex(rows, 'v', r => [String(r.v)]).lookup('1').length).toBe(2);
});

test('[R9] a replaced formula runs every input once and announces only differences', () => {
  const {things, runs} = graph(thing('a', 1), thing('b', 2));
  const rows = newCollection(things, (_, t) => ({key: keyOf(t), v: t.v}), {...byKey, name: 'rows'});
  const tracker = tracked(rows);
  runs();
  rows.replaceFormula((_, t) => ({key: keyOf(t), v: Math.min(Number(t.v), 1)}));
  expect(runs().sort()).toEqual(['rows a equal <- formula', 'rows b changed <- formula']);
  expect(tracker.taken()).toEqual(['update/b']);
});

test('[B5] [B6] a batch that throws settles what it wrote; derived rows show the last settled state', () => {
  const {engine, things} = graph(thing('a', 1));
  const rows = newCollection(things, (_, t) => ({key: keyOf(t), v: t.v}), byKey);
  expect(() =>
    engine.batch(() => {
      things.updateObject(thing('a', 2));
      expect([things.getKey('a')?.v, rows.getKey('a')?.v]).toEqual([2, 1]);
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect(rows.getKey('a')?.v).toBe(2);
});

test('[B7] a formula that writes fails; a write from a handler is the next batch', () => {
  const {engine, things, traces} = graph(thing('a', 1));
  const sink = newStaticCollection<Thing>(engine, [], {name: 'sink'});
  const rows = newCollection(
    things,
    (_, t) => {
      if (t.v === 'write') sink.updateObject(t);
      return {key: keyOf(t), v: t.v};
    },
    {...byKey, name: 'rows'},
  );
  traces();
  things.updateObject(thing('a', 'write'));
  expect(traces()[0]?.runs[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/must not write/),
  });
  expect(sink.list()).toEqual([]);
  const order: string[] = [];
  rows.registerBatch(() => {
    sink.updateObject(thing('s'));
    order.push('first');
  }, false);
  rows.registerBatch(() => void order.push('second'), false);
  sink.registerBatch(() => void order.push('sink'), false);
  things.updateObject(thing('a', 3));
  expect(order).toEqual(['first', 'second', 'sink']);
  expect(traces().map(t => t.changes.map(c => c.collection))).toEqual([['things'], ['sink']]);
});

test('[B8] batches are numbered; one without any change has no number and calls nobody', () => {
  const all = rig({firstSequence: 41});
  const things = newStaticCollection<Thing>(all.engine, [], {name: 'things'});
  all.engine.batch(() => {});
  things.deleteObject('x');
  expect(all.traces()).toEqual([]);
  things.updateObject(thing('a'));
  things.updateObject(thing('b'));
  expect(all.traces().map(t => t.sequence)).toEqual([42, 43]);
});
