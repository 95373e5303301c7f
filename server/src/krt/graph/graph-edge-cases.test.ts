// Edge cases of dependencies: members named twice, handlers that formulas register, NaN.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  EngineError,
  engineStats,
  fetch,
  fetchOrList,
  inputs,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newFileSingleton,
  newFolderWatch,
  newIndex,
  newStaticCollection,
  newSyncLatch,
  outline,
} from '../index.ts';
import {type Item, item, rig} from '../testing/objects.ts';

const off = () => createEngine({checks: 'off'});

test('[J4] a member that two rows name stays until both are gone', () => {
  const engine = off();
  const member = newStaticCollection<Item>(engine, [item('a')], {name: 'member'});
  const names = newStaticCollection<string>(engine, ['one', 'two', 'three']);
  const members = mapCollection(names, () => member as Collection<Item>, {key: () => ''});
  const joined = nestedJoinWithMergeCollection(members, all => ({...all[0]!, n: all.length}));
  expect(joined.list()).toEqual([item('a', 1)]);
  names.deleteObject('one');
  names.deleteObject('three');
  expect(joined.list()).toEqual([item('a', 1)]);
  names.deleteObject('two');
  expect(joined.list()).toEqual([]);
  names.updateObject('four');
  expect(joined.list()).toEqual([item('a', 1)]);
});

test('[H5] a handler that a formula registers hears neither what came before it nor nothing, and all that comes later', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const calls: string[][] = [];
  let registered = false;
  source.registerBatch(() => {}, false);
  newCollection(source, (_, one) => {
    if (!registered) source.registerBatch(changes => void calls.push(changes.map(({key}) => key)), false);
    registered = true;
    return {...one};
  });
  source.updateObject(item('a'));
  expect(calls).toEqual([]);
  source.updateObject(item('b'));
  source.updateObject(item('c'));
  expect(calls).toEqual([['b'], ['c']]);
});

test('[S1] NaN is itself: written again it is no change', () => {
  const source = newStaticCollection<number>(off(), [Number.NaN], {key: () => 'k'});
  const heard: string[] = [];
  source.register(({event}) => void heard.push(event));
  source.updateObject(Number.NaN);
  source.updateObject(1);
  expect(heard).toEqual(['add', 'update']);
});

test('[B4] what is made from a collection that has come to lie deeper runs after it, once', () => {
  const {engine, runs} = rig();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  const flags = newStaticCollection<Item>(engine, [item('a', 0)], {name: 'flags'});
  let deep: Collection<Item> = source;
  for (let i = 0; i < 5; i++) deep = newCollection(deep, (_, one) => ({...one}), {name: `deep ${i}`});
  const middle = newCollection(flags, (ctx, {key, n}) => item(key, n === 0 ? 0 : fetch(ctx, deep)[0]!.n), {
    name: 'middle',
  });
  const child = newCollection(middle, (ctx, {key, n}) => item(key, 10 * n + fetch(ctx, source)[0]!.n), {
    name: 'child',
  });
  flags.updateObject(item('a', 1));
  runs();
  source.updateObject(item('a', 2));
  expect(child.getKey('a')).toEqual(item('a', 22));
  expect(runs().filter(run => run.startsWith('child'))).toHaveLength(1);
  const names = outline(engine).map(({name}) => name);
  for (const {name, parents} of outline(engine))
    for (const parent of parents) expect(names.indexOf(parent)).toBeLessThan(names.indexOf(name));
});

test('[Z1] a source that stops before what is made from it leaves no subscription', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const views = [mapCollection(source, one => one), joinWithMergeCollection([source], all => all[0])];
  const rows = newCollection(source, (_, one) => ({...one}));
  source.stop();
  expect(engineStats(engine).subscriptions).toBe(0);
  for (const one of [...views, rows]) one.stop();
  expect(engineStats(engine)).toMatchObject({dependencies: 0, subscriptions: 0});
});

test('[Y2] an input that comes to a synced collection and waits runs for what it waited for', () => {
  const {engine, runs} = rig();
  const latch = newSyncLatch(engine);
  const late = newStaticCollection<Item>(engine, [], {name: 'late', synced: latch});
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const rows = newCollection(source, (ctx, {key}) => item(key, fetch(ctx, late).length), {name: 'rows'});
  source.updateObject(item('a'));
  expect([rows.hasSynced(), inputs(rows)[0]?.waitingFor]).toEqual([true, 'late']);
  runs();
  latch.markSynced();
  expect(runs()).toEqual(['rows a added <- synced late']);
});

test('[F1] fetchOrList in a formula is a fetch: it runs again', () => {
  const engine = off();
  const other = newStaticCollection<Item>(engine, []);
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, (ctx, {key}) => item(key, fetchOrList(ctx, other).length));
  other.updateObject(item('x'));
  expect([rows.getKey('a')?.n, engine.violations()]).toEqual([1, []]);
});

test('[B8] a fetch from another engine fails the run', () => {
  const other = newStaticCollection<Item>(off(), [], {name: 'other'});
  const source = newStaticCollection<Item>(off(), [item('a')]);
  const rows = newCollection(source, (ctx, {key}) => item(key, fetch(ctx, other).length), {name: 'rows'});
  expect(inputs(rows)).toMatchObject([
    {outcome: 'failed', error: expect.stringContaining('belongs to another engine')},
  ]);
});

test('[C4] a group comes from the rows that came to it or left it', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  newIndex(source, 'n', ({n}) => [String(n)]).asCollection({name: 'groups'});
  traces();
  source.updateObject(item('a', 2));
  const [trace] = traces();
  const groups = trace!.published.filter(({collection}) => collection === 'groups');
  expect(
    groups.map(({event, key, from}) => `${event} ${key} from ${from?.map(at => trace!.published[at]!.key)}`),
  ).toEqual(['delete 1 from a', 'add 2 from a']);
});

test('[Q1] files need a reader, and what a reader throws is the cause of the error', () => {
  for (const make of [
    () => newFolderWatch(off(), '/x', () => []),
    () => newFileSingleton(off(), '/x', text => text),
  ])
    expect(make).toThrow('files need createEngine({reader})');
  const cause = new Error('no such file');
  const fail = () => {
    throw cause;
  };
  const engine = createEngine({reader: {list: fail, read: fail, watch: () => () => {}}});
  const thrown = (make: () => unknown): unknown => {
    try {
      return make();
    } catch (error) {
      return error;
    }
  };
  for (const make of [
    () => newFolderWatch(engine, '/x', () => []),
    () => newFileSingleton(engine, '/x', text => text),
  ])
    expect((thrown(make) as Error).cause).toBe(cause);
  expect(Object.hasOwn(new EngineError('wiring', 'words'), 'cause')).toBe(false);
});

test('[J4] a member that is built on its join is left out, and that is over when it goes', () => {
  const engine = off();
  const members = newStaticCollection<Collection<Item>>(engine, [], {name: 'members'});
  const joined = nestedJoinWithMergeCollection(members, all => all[0], {name: 'joined'});
  const above = newCollection(joined, (_, one) => ({...one}));
  members.updateObject(above);
  expect(engine.violations()).toMatchObject([{code: 'cycle', collection: 'joined'}]);
  members.deleteObject(String(above.uid));
  expect(engine.violations()).toEqual([]);
});

test('[Z1] what is made from something stopped hangs on nothing', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')]);
  source.stop();
  const mapped = mapCollection(source, one => one);
  const rows = newCollection(source, (_, one) => ({...one}));
  expect([mapped.list(), rows.list(), engineStats(engine).subscriptions]).toEqual([
    [item('a')],
    [item('a')],
    0,
  ]);
});
