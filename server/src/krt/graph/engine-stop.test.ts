// Stopping an engine or an index: from outside, during a batch, and twice.
import {expect, test} from 'vitest';
import {
  collectionByName,
  createEngine,
  dropIndex,
  type EngineError,
  engineStats,
  fetch,
  filterIndex,
  type Index,
  inputs,
  newCollection,
  newFileSingleton,
  newFolderWatch,
  newIndex,
  newSingleton,
  newStaticCollection,
  renameCollection,
} from '../index.ts';
import {type Item, NOTHING_LEFT} from '../testing/objects.ts';

function rig() {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}], {name: 'source'});
  const rows = newCollection(source, (_, item: Item) => ({...item}), {name: 'rows'});
  return {engine, source, rows};
}

const codeOf = (f: () => unknown) => {
  try {
    f();
  } catch (error) {
    return (error as EngineError).code;
  }
  return undefined;
};

test('[Z3] a stopped engine leaves nothing behind, is silent, keeps its rows readable, and makes nothing new', async () => {
  const {engine, source, rows} = rig();
  const heard: string[] = [];
  rows.register(change => void heard.push(change.event));
  engine.onTrace(() => void heard.push('trace'));
  const late = newStaticCollection<Item>(engine, [], {synced: false});
  const waiting = late.waitUntilSynced();
  engine.stop();
  engine.stop();
  expect(await waiting).toBe(false);
  source.updateObject({key: 'b', n: 2});
  engine.batch(() => source.deleteObject('a'));
  expect(heard).toEqual(['add']);
  expect(rows.list()).toEqual([{key: 'a', n: 1}]);
  expect(engine.collections()).toEqual([]);
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
  expect(codeOf(() => newStaticCollection(engine))).toBe('stopped');
  expect(codeOf(() => newCollection(rows, (_, item) => item))).toBe('stopped');
  expect(codeOf(() => newSingleton(engine, () => 'x'))).toBe('stopped');
  expect(engine.collections()).toEqual([]);
});

test('[Z3] stopped by a handler: the batch ends there, and nobody else hears of it', () => {
  const {engine, source, rows} = rig();
  const heard: string[] = [];
  source.register(change => {
    if (change.key === 'b') engine.stop();
  });
  rows.register(change => void heard.push(change.key));
  source.updateObject({key: 'b', n: 2});
  expect(heard).toEqual(['a']);
  expect(rows.list()).toHaveLength(2);
});

test('[Z3] a formula cannot stop its engine', () => {
  const {engine, source} = rig();
  const rows = newCollection(source, (_, item: Item) => {
    engine.stop();
    return item;
  });
  expect(inputs(rows)).toMatchObject([{outcome: 'failed', error: expect.stringContaining('must not write')}]);
  expect(engine.collections()).toHaveLength(3);
});

test('[Z3] [L1] [L2] a stopped engine watches no file', () => {
  const watched = new Set<string>();
  const engine = createEngine({
    checks: 'off',
    reader: {
      list: () => ['f/a.yaml'],
      read: () => 'text',
      watch: path => {
        watched.add(path);
        return () => void watched.delete(path);
      },
    },
  });
  newFolderWatch(engine, 'f', text => [text]);
  newFileSingleton(engine, 'g', text => text);
  // An index that a formula makes ends with its row.
  const items = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  newCollection(items, (_, item: Item) => newFileSingleton(engine, `made by ${item.key}`, text => text));
  expect([...watched].sort()).toEqual(['f', 'g', 'made by a']);
  items.deleteObject('a');
  expect([...watched].sort()).toEqual(['f', 'g']);
  engine.stop();
  expect([...watched]).toEqual([]);
});

test('[X4] an index goes when nobody uses it; whoever asks it afterwards is told', () => {
  const {engine, source, rows} = rig();
  const parity = newIndex(rows, 'parity', item => [item.n % 2 === 0 ? 'even' : 'odd']);
  const reader = newCollection(source, ctx => String(fetch(ctx, rows, filterIndex(parity, 'odd')).length), {
    name: 'reader',
  });
  const groups = parity.asCollection({name: 'groups'});
  expect(() => dropIndex(parity)).toThrow('is used by "reader", "groups"');
  reader.stop();
  groups.stop();
  dropIndex(parity);
  dropIndex(parity);
  expect(codeOf(() => parity.lookup('odd'))).toBe('index-dropped');
  expect(codeOf(() => parity.asCollection())).toBe('index-dropped');
  const again = newCollection(source, ctx => String(fetch(ctx, rows, filterIndex(parity, 'odd')).length));
  expect(inputs(again)).toMatchObject([{outcome: 'failed', error: expect.stringContaining('was dropped')}]);
  again.stop();
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0, buckets: 0});
  expect(newIndex(rows, 'parity', () => ['all']).lookup('all')).toHaveLength(1);
  expect(codeOf(() => dropIndex({} as Index<never>))).toBe('wiring');
});

test('[X4] what a dropped index could not file is reported no longer', () => {
  const {engine, source} = rig();
  const failing = newIndex(source, 'failing', (item: Item) => {
    if (item.n > 1) throw new Error('too much');
    return [];
  });
  source.updateObject({key: 'b', n: 2});
  expect(engine.violations()).toHaveLength(1);
  dropIndex(failing);
  expect(engine.violations()).toEqual([]);
});

test('[N1] a collection goes by its new name at once, in traces, in the dump and by name; a name is a text', () => {
  const {engine, source, rows} = rig();
  const single = newSingleton(engine, ctx => ({n: fetch(ctx, rows).length}), {name: 'single'});
  const names: string[] = [];
  engine.onTrace(trace => names.push(...trace.runs.map(run => run.collection)));
  engine.batch(() => {
    source.updateObject({key: 'b', n: 2});
    renameCollection(rows, 'renamed');
    renameCollection(single, 'other');
  });
  expect([...new Set(names)]).toEqual(['renamed', 'other']);
  expect(engine.dump().find(({name}) => name === 'other')?.state.inputCollection).toBe('other');
  expect(collectionByName(engine, 'renamed')).toBe(rows);
  expect(collectionByName(engine, 'rows')).toBeUndefined();
  expect(codeOf(() => renameCollection(rows, ''))).toBe('wiring');
  expect(codeOf(() => renameCollection(rows, 5 as never))).toBe('wiring');
});

test('[N1] a name that is no text is refused, for every message would have to say it', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection(engine, [{key: 'a'}]);
  for (const name of [Symbol('s'), 5, {toString: () => 'x'}] as never[]) {
    expect(codeOf(() => newStaticCollection(engine, [], {name}))).toBe('wiring');
    expect(codeOf(() => newCollection(source, (_, item) => item, {name}))).toBe('wiring');
  }
  expect(engine.collections()).toHaveLength(1);
});

test('[V2] createEngine refuses checks that there are none of', () => {
  expect(codeOf(() => createEngine({checks: 'none' as never}))).toBe('wiring');
  expect(codeOf(() => createEngine({checks: undefined as never}))).toBeUndefined();
});
