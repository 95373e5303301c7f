import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  newCollection,
  newIndex,
  newStatic,
  newStaticCollection,
  newSyncLatch,
  type StaticCollection,
  tracked,
} from '../index.ts';
import {type Thing, thing} from '../testing/objects.ts';

interface Keyed {
  key: string;
  n?: number;
}

function list(...initial: Thing[]) {
  const engine = createEngine({checks: 'off'});
  const things = newStaticCollection<Thing>(engine, initial, {name: 'things'});
  const calls: string[][] = [];
  things.registerBatch(changes => void calls.push(changes.map(c => `${c.event}/${c.key}`).sort()), false);
  return {engine, things, calls};
}

test('[S1] S-02 updateObject adds, and announces an update even if equal', () => {
  const {things, calls} = list();
  things.updateObject(thing('b'));
  things.updateObject(thing('b'));
  expect(calls).toEqual([['add/b'], ['update/b']]);
});

test('[S1] S-03 conditionalUpdateObject announces only what differs', () => {
  const {things, calls} = list(thing('a', 1));
  things.conditionalUpdateObject(thing('a', 1));
  things.conditionalUpdateObject(thing('a', 2));
  things.conditionalUpdateObject(thing('b', 1));
  expect(calls).toEqual([['update/a'], ['add/b']]);
});

test('[S1] S-04 deleteObject announces only what was there', () => {
  const {things, calls} = list(thing('a'));
  things.deleteObject('x');
  things.deleteObject('a');
  expect(calls).toEqual([['delete/a']]);
});

test('[S1] S-05 deleteObjects is one batch, or none without a match', () => {
  const {things, calls} = list(thing('a', 1), thing('b', 2), thing('c', 1));
  things.deleteObjects(t => t.v === 9);
  things.deleteObjects(t => t.v === 1);
  expect(calls).toEqual([['delete/a', 'delete/c']]);
});

test('[S1] S-06 reset announces the differences in one batch', () => {
  const {things, calls} = list(thing('a', 1), thing('b'), thing('c'));
  things.reset([thing('a', 2), thing('b'), thing('d')]);
  expect(calls).toEqual([['add/d', 'delete/c', 'update/a']]);
});

test('[S2] S-08 S-09 of two objects with one key the last counts, as one change', () => {
  const {things, calls} = list(thing('x', 0), thing('x', 1));
  expect(things.list()).toEqual([thing('x', 1)]);
  things.reset([thing('x', 2), thing('x', 3)]);
  expect(things.list()).toEqual([thing('x', 3)]);
  expect(calls).toEqual([['update/x']]);
});

test('[X1] S-11 an index follows an update from one bucket to another, inside a batch too', () => {
  const {engine, things} = list(thing('a', 'x'));
  const byV = newIndex(things, 'v', t => [String(t.v)]);
  engine.batch(() => {
    things.updateObject(thing('a', 'y'));
    expect([byV.lookup('x'), byV.lookup('y')]).toEqual([[], [thing('a', 'y')]]);
  });
  expect([byV.lookup('x'), byV.lookup('y')]).toEqual([[], [thing('a', 'y')]]);
});

test('[B3] S-12 another key in one batch is a delete and an add', () => {
  const {engine, things, calls} = list(thing('a/b'));
  engine.batch(() => {
    things.deleteObject('a/b');
    things.updateObject(thing('a/c'));
  });
  expect(calls).toEqual([['add/a/c', 'delete/a/b']]);
  expect(things.list().length).toBe(1);
});

test('[B3] the identical object is no change, delete and re-add is an update, add and delete is nothing', () => {
  const {engine, things, calls} = list(thing('a'));
  things.updateObject(things.getKey('a') as Thing);
  engine.batch(() => {
    things.deleteObject('a');
    things.updateObject(thing('a'));
    things.updateObject(thing('b'));
    things.deleteObject('b');
  });
  expect(calls).toEqual([['update/a']]);
});

test('[S3] G-02 G-03 a singleton with another key is a delete and an add, with the same key an update', () => {
  const engine = createEngine();
  const single = newStatic(engine, 'bar');
  const calls: string[][] = [];
  single.registerBatch(changes => void calls.push(changes.map(c => `${c.event}/${c.key}`).sort()), false);
  single.set('bar2');
  expect(calls).toEqual([['add/bar2', 'delete/bar']]);
  const stable = newStatic<Thing>(engine, thing('a', 1));
  const seen: unknown[] = [];
  stable.registerBatch(changes => void seen.push(...changes), false);
  stable.set(thing('a', 2));
  expect(seen).toEqual([{event: 'update', key: 'a', old: thing('a', 1), new: thing('a', 2)}]);
});

test('[S3] G-04 G-05 the same reference is nothing, an equal copy is an update, nothing on nothing is nothing', () => {
  const single = newStatic<Thing>(createEngine(), thing('a'));
  const tracker = tracked(single);
  single.set(single.get());
  expect(tracker.taken()).toEqual([]);
  single.set(thing('a'));
  expect(tracker.taken()).toEqual(['update/a']);
  single.set(null);
  single.set(null);
  expect(tracker.taken()).toEqual(['delete/a']);
  expect(single.get()).toBeUndefined();
});

test('[Y1] G-06 dependants wait until the singleton is marked synced', () => {
  const engine = createEngine();
  const late = newStatic(engine, 'a', {synced: false, name: 'late'});
  const derived = newCollection(late.asCollection(), (_, text) => `${text}!`);
  const reader = newCollection(
    newStaticCollection(engine, ['k']),
    (ctx, k) => `${k}${fetch(ctx, late).length}`,
  );
  expect([derived.hasSynced(), reader.hasSynced(), derived.list(), reader.list()]).toEqual([
    false,
    false,
    [],
    [],
  ]);
  late.markSynced();
  expect([derived.list(), reader.list()]).toEqual([['a!'], ['k1']]);
  expect([derived.hasSynced(), reader.hasSynced()]).toEqual([true, true]);
});

test('[S3] G-08 G-09 G-10 another key finds nothing; it can be indexed; metadata is returned', () => {
  const engine = createEngine();
  const plain = newStatic<{n: number}>(engine, {n: 1}, {metadata: {cluster: 'c'}});
  expect(plain.getKey('other')).toBeUndefined();
  expect(plain.getKey('static')).toEqual({n: 1});
  expect(newIndex(plain, 'n', o => [String(o.n)]).lookup('1')).toEqual([{n: 1}]);
  expect(plain.asCollection().metadata()).toEqual({cluster: 'c'});
});

test('[Y2] an unsynced source shows what it holds and hands nothing on', () => {
  const engine = createEngine();
  const latch = newSyncLatch(engine);
  const source = newStaticCollection(engine, ['a'], {synced: latch});
  const derived = newCollection(source, (_, t) => t);
  expect([source.list(), derived.list()]).toEqual([['a'], []]);
  source.updateObject('b');
  expect(derived.list()).toEqual([]);
  latch.markSynced();
  expect(derived.list().sort()).toEqual(['a', 'b']);
});

test('[Z1] a source that the function for its keys stops takes nothing more', () => {
  const writes: ((list: StaticCollection<Keyed>) => void)[] = [
    list => list.updateObject({key: 'b'}),
    list => list.updateObject({key: 'a', n: 2}),
    list => list.conditionalUpdateObject({key: 'b'}),
    list => list.conditionalUpdateObject({key: 'a', n: 1}),
  ];
  for (const write of writes) {
    const engine = createEngine({checks: 'off'});
    const first = {key: 'a', n: 1};
    let stop = () => {};
    const key = (item: Keyed) => {
      stop();
      return item.key;
    };
    const list = newStaticCollection<Keyed>(engine, [first], {key});
    stop = () => list.stop();
    write(list);
    expect(list.list()).toEqual([first]);
    expect(list.list()[0]).toBe(first);
  }
});

test('[Z1] a singleton that the function for its key stops keeps its value', () => {
  let stop = () => {};
  const key = (item: Keyed) => {
    stop();
    return item.key;
  };
  const one = newStatic<Keyed>(createEngine({checks: 'off'}), {key: 'a'}, {key});
  stop = () => one.stop();
  one.set({key: 'b'});
  expect(one.get()).toEqual({key: 'a'});
});

test.each<[string, (items: StaticCollection<Keyed>, again: Keyed) => void]>([
  ['conditionalUpdateObject', (items, again) => items.conditionalUpdateObject(again)],
  ['reset', (items, again) => items.reset([again])],
])(
  '[S1] [X1] an equal object that %s puts in place of one of the same batch lies in its own bucket',
  (_, put) => {
    const engine = createEngine({checks: 'off'});
    const items = newStaticCollection<Keyed>(engine, [{key: 'a', n: 1}], {equals: (a, b) => a.key === b.key});
    const byNumber = newIndex(items, 'n', ({n}) => [String(n)]);
    const heard: unknown[] = [];
    items.register(change => void heard.push(change.new));
    engine.batch(() => {
      items.updateObject({key: 'a', n: 2});
      put(items, {key: 'a', n: 3});
    });
    expect(heard.at(-1)).toEqual({key: 'a', n: 3});
    expect([byNumber.lookup('2'), byNumber.lookup('3')]).toEqual([[], [{key: 'a', n: 3}]]);
  },
);
