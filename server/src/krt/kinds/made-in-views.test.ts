// Collections that a map or a merge creates end with their row, like those of a formula.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  type Engine,
  engineStats,
  fetch,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newStaticCollection,
} from '../index.ts';
import {type Item, NOTHING_LEFT} from '../testing/objects.ts';

const key = (item: {key: string}) => item.key;
const made = (engine: Engine) => engine.collections().filter(({name}) => name === 'made').length;

/** A map and a merge over the same items. Each creates a collection for every row. */
function makeGraph() {
  const engine = createEngine({checks: 'off'});
  const texts = newStaticCollection(engine, ['x', 'y']);
  const items = newStaticCollection<Item>(engine, [
    {key: 'a', n: 1},
    {key: 'b', n: 1},
  ]);
  const copies = () => newCollection(texts, (_, text) => text, {name: 'made'});
  const held = (item: Item) => {
    const all = copies();
    if (item.n < 0) throw new Error('no');
    return {key: item.key, n: item.n, all};
  };
  return {engine, texts, items, held, copies};
}

const kinds = {
  map: ({items, held}: ReturnType<typeof makeGraph>) => mapCollection(items, held, {key, name: 'view'}),
  merge: ({items, held}: ReturnType<typeof makeGraph>) =>
    joinWithMergeCollection<Item>([items], ([item]) => held(item as Item), {
      key,
      name: 'view',
      equals: (a, b) => a.n === b.n,
    }),
};

test.each(Object.entries(kinds))('[G3] what a %s makes goes with its row, and with the view', (_, make) => {
  const all = makeGraph();
  const {engine, items} = all;
  const view = make(all);
  expect(made(engine)).toBe(2);
  for (let n = 2; n < 12; n++) items.updateObject({key: 'a', n});
  expect(made(engine)).toBe(2);
  items.deleteObject('b');
  expect(made(engine)).toBe(1);
  view.stop();
  expect(made(engine)).toBe(0);
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
});

test.each(Object.entries(kinds))('[G3] of a %s that throws nothing stays but what the row has', (_, make) => {
  const all = makeGraph();
  const {engine, items, texts} = all;
  const view = make(all) as Collection<Item & {all: Collection<string>}>;
  const before = view.getKey('a');
  items.updateObject({key: 'a', n: -1});
  expect([view.getKey('a'), made(engine)]).toEqual([before, 2]);
  texts.updateObject('z');
  expect(before?.all.list()).toEqual(['x', 'y', 'z']);
  items.updateObject({key: 'c', n: -1});
  expect(made(engine)).toBe(2);
});

test('[G3] a merge whose result is equal keeps what its row was made with', () => {
  const all = makeGraph();
  const {engine, items, texts} = all;
  const view = kinds.merge(all) as Collection<Item & {all: Collection<string>}>;
  const before = view.getKey('a');
  items.updateObject({key: 'a', n: 1});
  expect([view.getKey('a') === before, made(engine)]).toEqual([true, 2]);
  texts.updateObject('z');
  expect(before?.all.list()).toEqual(['x', 'y', 'z']);
});

test('[G3, J4] a nested join over collections that a map makes has the rows of those that are there', () => {
  const {items, texts} = makeGraph();
  const perItem = mapCollection(items, ({n}) => newCollection(texts, (_, text) => `${text}${n}`), {
    key: ({name}) => name,
  });
  const joined = nestedJoinWithMergeCollection<string>(perItem, ([text]) => text);
  expect(joined.list().sort()).toEqual(['x1', 'y1']);
  items.updateObject({key: 'a', n: 2});
  expect(joined.list().sort()).toEqual(['x1', 'x2', 'y1', 'y2']);
  items.deleteObject('a');
  expect(joined.list().sort()).toEqual(['x1', 'y1']);
  texts.deleteObject('x');
  expect(joined.list()).toEqual(['y1']);
});

test('[G3] what a map makes that a formula made ends with the run of that formula', () => {
  const {engine, items, copies} = makeGraph();
  const starts = newStaticCollection<Item>(engine, [{key: 's', n: 1}]);
  const rows = newCollection(starts, (ctx, {key: own, n}) => {
    const view = mapCollection(items, item => ({key: item.key, all: copies()}), {key});
    return {key: own, n, length: fetch(ctx, view).length};
  });
  expect([rows.list(), made(engine)]).toEqual([[{key: 's', n: 1, length: 2}], 2]);
  starts.updateObject({key: 's', n: 2});
  expect(made(engine)).toBe(2);
  starts.deleteObject('s');
  expect(made(engine)).toBe(0);
});
