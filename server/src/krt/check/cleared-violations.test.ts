// Violations are cleared when they no longer hold, and only then.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  engineStats,
  fetch,
  fetchOrList,
  filterGeneric,
  filterLabel,
  filterNamespace,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newManyCollection,
  newSingleton,
  newStaticCollection,
  onTurn,
  renameCollection,
} from '../index.ts';
import {codes, type Item, moody, quiet} from '../testing/objects.ts';

/** A source, and a handler that throws while its switch is on. */
function listened() {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, []);
  return {engine, items, listener: moody(), write: (n: number) => items.updateObject({key: 'x', n})};
}

test('[V1] an untracked read of a map or a merge: by the next clean run, and with the row', () => {
  const engine = quiet();
  const other = newStaticCollection<Item>(engine, []);
  const items = newStaticCollection<Item>(engine, [{key: 'x', n: 13}]);
  const read = (item: Item) => {
    if (item.n === 13) other.list();
    return {...item};
  };
  mapCollection(items, read);
  joinWithMergeCollection([items], ([item]) => read(item as Item));
  expect(codes(engine)).toEqual(['untracked-read', 'untracked-read']);
  items.updateObject({key: 'x', n: 1});
  expect(codes(engine)).toEqual([]);
  items.updateObject({key: 'x', n: 13});
  expect(codes(engine)).toEqual(['untracked-read', 'untracked-read']);
  items.reset([]);
  expect(codes(engine)).toEqual([]);
});

test('[V1] a listener that threw: when it is well again, and when it is gone', () => {
  const {engine, listener, write} = listened();
  const leave = engine.onTrace(listener.call);
  engine.onTrace(() => {});
  write(1);
  expect(codes(engine)).toEqual(['listener-failed']);
  listener.unwell = false;
  write(2);
  expect(codes(engine)).toEqual([]);
  listener.unwell = true;
  write(3);
  expect(codes(engine)).toEqual(['listener-failed']);
  leave();
  expect(codes(engine)).toEqual([]);
});

test('[V1] of two listeners that throw, both have to be well', () => {
  const {engine, listener, write} = listened();
  const [first, second] = [engine.onTrace(listener.call), engine.onTrace(listener.call)];
  write(1);
  first();
  expect(codes(engine)).toEqual(['listener-failed']);
  second();
  expect(codes(engine)).toEqual([]);
});

test('[V1] [B1] a host that throws when it is told of a turn costs no batch', () => {
  const {engine, items, listener, write} = listened();
  const copies = newCollection(items, (_, item: Item) => ({...item}));
  onTurn(engine, listener.call);
  write(1);
  expect(copies.list()).toEqual([{key: 'x', n: 1}]);
  expect(codes(engine)).toEqual(['listener-failed']);
  listener.unwell = false;
  write(2);
  expect(codes(engine)).toEqual([]);
});

test('[V1] a key twice in the results of two inputs: what one heals is not the other’s', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [
    {key: 'a', n: 2},
    {key: 'b', n: 2},
  ]);
  newManyCollection(items, (_, item: Item) => Array.from({length: item.n}, () => ({key: 'same'})));
  const twice = () => engine.violations().filter(({code}) => code === 'duplicate-in-result');
  expect(twice()).toMatchObject([{keys: ['same', 'a']}, {keys: ['same', 'b']}]);
  items.updateObject({key: 'a', n: 1});
  expect(twice()).toMatchObject([{keys: ['same', 'b']}]);
  items.updateObject({key: 'b', n: 1});
  expect(twice()).toEqual([]);
});

test('[V1] [K4] labels of a row that came and went in one batch', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [], {labels: moody().call});
  engine.batch(() => {
    items.updateObject({key: 'bad', n: 1});
    fetchOrList(null, items, filterLabel({app: 'x'}));
    items.deleteObject('bad');
  });
  expect(codes(engine)).toEqual([]);
});

test('[V1] what a repeat found of a formula, when another takes its place', () => {
  const engine = createEngine();
  const items = newStaticCollection<Item>(engine, [{key: 'x', n: 0}]);
  const copies = newCollection(items, (_, item: Item) => {
    item.n = 7;
    return {key: item.key};
  });
  items.updateObject({key: 'x', n: 1});
  expect(codes(engine)).toEqual(['mutated-input']);
  copies.replaceFormula((_, item) => ({key: item.key}));
  expect(codes(engine)).toEqual([]);
});

test('[G2] [J4] a member that is built on its nested join comes in when it is no longer', () => {
  const engine = quiet();
  const source = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const box = newStaticCollection<Collection<Item>>(engine, []);
  const join = nestedJoinWithMergeCollection<Item>(box, all => all[0]);
  const member = newCollection(
    source,
    (ctx, item: Item): Item => ({key: item.key, n: item.n > 0 ? fetch(ctx, join).length : -1}),
  );
  box.updateObject(member);
  expect(codes(engine)).toEqual(['cycle']);
  source.updateObject({key: 'i', n: 0});
  expect(codes(engine)).toEqual([]);
  expect(join.list()).toEqual([{key: 'i', n: -1}]);
});

test('[J4] what is no collection is no member', () => {
  const engine = quiet();
  const box = newStaticCollection<Collection<Item>>(engine, [{key: 'x', n: 1} as never]);
  const join = nestedJoinWithMergeCollection<Item>(box, all => all[0]);
  expect(join.list()).toEqual([]);
  expect(codes(engine)).toEqual([]);
});

test('[G2] [J4] and one that stays so comes in never, and is forgotten with its place', () => {
  const engine = quiet();
  const source = newStaticCollection<Item>(engine, [
    {key: 'i', n: 1},
    {key: 'j', n: 1},
  ]);
  const box = newStaticCollection<Collection<Item>>(engine, []);
  const join = nestedJoinWithMergeCollection<Item>(box, all => all[0]);
  const member = newCollection(
    source,
    (ctx, item: Item): Item => ({key: item.key, n: item.n > 0 ? fetch(ctx, join).length : -1}),
  );
  box.updateObject(member);
  source.updateObject({key: 'i', n: 0});
  expect(codes(engine)).toEqual(['cycle']);
  expect(join.list()).toEqual([]);
  box.reset([]);
  expect(codes(engine)).toEqual([]);
  source.updateObject({key: 'j', n: 0});
  expect(join.list()).toEqual([]);
});

test('[B2] [J4] it comes in with a batch of its own: its join and those who read it are done with this one', () => {
  const engine = quiet();
  const source = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const box = newStaticCollection<Collection<Item>>(engine, []);
  const join = nestedJoinWithMergeCollection<Item>(box, all => ({
    key: 'i',
    n: all.reduce((sum, {n}) => sum + n, 0),
  }));
  const member = newCollection(
    source,
    (ctx, item: Item): Item => ({key: item.key, n: item.n < 5 ? fetch(ctx, join).length : 100}),
  );
  engine.batch(() => {
    box.updateObject(source);
    box.updateObject(member);
  });
  newCollection(source, (ctx, {key}) => ({key, all: fetch(ctx, join)}), {name: 'reader'});
  const told: string[] = [];
  engine.onTrace(({sequence, runs, published}) => {
    for (const run of runs) told.push(`${sequence} ran ${run.collection} ${run.input}`);
    for (const {uid, key} of published) if (uid === join.uid) told.push(`${sequence} join ${key}`);
  });
  source.updateObject({key: 'i', n: 5});
  expect(join.list()).toEqual([{key: 'i', n: 105}]);
  expect(new Set(told).size).toBe(told.length);
});

test('[V1] what cannot be read of a version that has gone is nobody’s fault any more', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(
    engine,
    [
      {key: 'a', n: 1},
      {key: 'b', n: 0},
      {key: 'c', n: 0},
    ],
    {
      labels: ({n}) => (n > 0 ? {app: 'x'} : null),
      namespace: ({n}) => {
        if (n === 0) throw new Error('no');
        return 'here';
      },
    },
  );
  // It fetches the namespace only for items with the label.
  newCollection(items, (ctx, {key}) => ({
    key,
    found: fetch(ctx, items, filterNamespace('here'), filterLabel({app: 'x'})).length,
  }));
  items.deleteObject('b');
  items.updateObject({key: 'c', n: 2});
  expect(codes(engine)).toEqual([]);
});

test('[V1] a full scan, also if what it scanned has got another name', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [], {name: 'old'});
  const reader = newSingleton(engine, ctx => ({
    n: fetch(
      ctx,
      items,
      filterGeneric(() => true),
    ).length,
  }));
  expect(codes(engine)).toEqual(['full-scan']);
  renameCollection(items, 'new');
  reader.replaceFormula(() => ({n: 0}));
  expect(codes(engine)).toEqual([]);
});

test('[G2] a run that failed for a cycle comes again when there is none any more', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const others = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const late: Collection<Item>[] = [];
  const first = newCollection(items, (ctx, {key, n}): Item => {
    const [second] = late;
    return {key, n: n > 0 && second !== undefined ? fetch(ctx, second).length : -1};
  });
  const second = newCollection(
    others,
    (ctx, {key, n}): Item => ({key, n: n > 0 ? fetch(ctx, first).length : -1}),
  );
  others.updateObject({key: 'i', n: 0});
  late.push(second);
  items.updateObject({key: 'i', n: 2});
  others.updateObject({key: 'i', n: 3});
  expect(codes(engine)).toEqual(['cycle']);
  const causes: unknown[] = [];
  engine.onTrace(({runs}) => causes.push(...runs.map(run => run.causes.map(({kind}) => kind))));
  expect(second.rowState('i')?.outcome).toBe('failed');
  items.updateObject({key: 'i', n: 0});
  expect(codes(engine)).toEqual([]);
  expect(second.list()).toEqual([{key: 'i', n: 1}]);
  second.stop();
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0});
  // Each for a reason. The one that returns has the reason of a formula that may do this now.
  expect(causes).toEqual([['input'], ['formula']]);
});

test('[G2] when the input that failed for a cycle goes, nobody waits for the end of the cycle any more', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  const late: Collection<Item>[] = [];
  const first = newCollection(items, (ctx, {key}): Item => {
    const [second] = late;
    return {key, n: second === undefined ? 0 : fetch(ctx, second).length};
  });
  const others = newStaticCollection<Item>(engine, [{key: 'i', n: 1}]);
  late.push(newCollection(others, (ctx, {key}): Item => ({key, n: fetch(ctx, first).length})));
  items.updateObject({key: 'i', n: 2});
  expect(codes(engine)).toEqual(['cycle']);
  items.reset([]);
  expect(codes(engine)).toEqual([]);
  const readers = newStaticCollection<Item>(engine, [{key: 'r', n: 1}]);
  newCollection(readers, (ctx, {key}): Item => ({key, n: fetch(ctx, others).length}));
  const turns: number[] = [];
  onTurn(engine, uid => void turns.push(uid));
  // A collection lost a reader, so the end of a cycle is checked again.
  readers.reset([]);
  expect(turns).not.toContain(first.uid);
});

test('[G2] [J4] also if a member of a nested join was what closed it', () => {
  const engine = quiet();
  const items = newStaticCollection<Item>(engine, [{key: 'i', n: 0}]);
  const box = newStaticCollection<Collection<Item>>(engine, []);
  const join = nestedJoinWithMergeCollection<Item>(box, all => all[0]);
  const member = newCollection(
    items,
    (ctx, {key, n}): Item => ({key, n: n > 0 ? fetch(ctx, join).length : -1}),
  );
  box.updateObject(member);
  items.updateObject({key: 'i', n: 1});
  expect(codes(engine)).toEqual(['cycle']);
  box.reset([]);
  expect(codes(engine)).toEqual([]);
  expect(member.list()).toEqual([{key: 'i', n: 0}]);
});
