// Results that are not rows: keys that are not strings, promises, and half a batch.
import {expect, test} from 'vitest';
import {
  createEngine,
  inputs,
  newCollection,
  newManyCollection,
  newStaticCollection,
  tracked,
} from '../index.ts';
import type {Item} from '../testing/objects.ts';

const source = (engine = createEngine({checks: 'off'})) => ({
  engine,
  items: newStaticCollection<Item>(engine, [{key: 'a', n: 1}]),
});

test('[K1] a key that is not a text fails the run in words, and a write throws', () => {
  const {engine, items} = source();
  const numbered = newCollection(items, (_, item) => item, {name: 'numbered', key: item => item.n as never});
  expect(numbered.list()).toEqual([]);
  expect(inputs(numbered)).toMatchObject([{outcome: 'failed', error: expect.stringContaining('number')}]);
  const list = newStaticCollection<Item>(engine, [], {name: 'list', key: item => item.n as never});
  expect(() => list.updateObject({key: 'a', n: 1})).toThrow('"list"');
  expect(() =>
    newStaticCollection<Item>(engine, [{key: 'a', n: 1}], {key: () => undefined as never}),
  ).toThrow('undefined');
  expect(list.list()).toEqual([]);
});

test('[K1] rows that have a key field need no key option', () => {
  const {items} = source();
  expect(newCollection(items, (_, item) => ({key: item.key, twice: item.n * 2})).getKey('a')).toEqual({
    key: 'a',
    twice: 2,
  });
});

test('[R11] a promise is no row: the run fails in words', () => {
  const {items} = source();
  const later = newCollection(items, async (_, item) => item, {key: () => 'a'});
  const thenable = newCollection(items, () =>
    Object.fromEntries([
      ['key', 'a'],
      ['then', () => {}],
    ]),
  );
  const listed = newManyCollection(items, (_, item) => [Promise.resolve(item)], {key: () => 'a'});
  const wholly = newManyCollection(items, (async () => []) as never);
  for (const collection of [later, thenable, listed, wholly]) {
    expect(collection.list()).toEqual([]);
    expect(inputs(collection)).toMatchObject([
      {outcome: 'failed', error: expect.stringMatching(/promise|list of items/)},
    ]);
  }
});

test('[B6] the runs of a batch do not see each other: list and getKey show what settled last', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, []);
  const seen: string[][] = [];
  const rows = newCollection(items, (_, item: Item): Item => {
    seen.push(self().map(row => `${row.key}${row.n}`));
    seen.push([String((selfGet('a') as Item | undefined)?.n ?? '-')]);
    return {...item};
  });
  const self = (): Item[] => rows.list();
  const selfGet = (key: string): unknown => rows.getKey(key);
  engine.batch(() => {
    items.updateObject({key: 'a', n: 1});
    items.updateObject({key: 'b', n: 1});
  });
  expect(seen.splice(0)).toEqual([[], ['-'], [], ['-']]);
  engine.batch(() => {
    items.updateObject({key: 'a', n: 2});
    items.updateObject({key: 'b', n: 2});
  });
  expect(seen.splice(0)).toEqual([['a1', 'b1'], ['1'], ['a1', 'b1'], ['1']]);
  engine.batch(() => {
    items.deleteObject('a');
    items.updateObject({key: 'b', n: 3});
  });
  expect(seen.splice(0)).toEqual([['a2', 'b2'], ['2']]);
  expect(rows.list()).toEqual([{key: 'b', n: 3}]);
});

test('[B6] the first runs of a collection do not see each other either', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [
    {key: 'a', n: 1},
    {key: 'b', n: 1},
  ]);
  const seen: number[] = [];
  const holder: {rows?: {list(): Item[]}} = {};
  const latched = newStaticCollection<Item>(engine, [], {synced: false as never});
  holder.rows = newCollection(items, (_, item: Item) => {
    seen.push(holder.rows?.list().length ?? 0);
    return {...item};
  });
  expect(seen).toEqual([0, 0]);
  expect(latched.list()).toEqual([]);
});

test('[R3] a batch in which an equality throws for one row commits the others', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [
    {key: 'a', n: 1},
    {key: 'b', n: 1},
  ]);
  const rows = newCollection(items, (_, item: Item) => ({...item}), {
    name: 'rows',
    equals: (old, now) => {
      if (now.n === 13) throw new Error('unlucky');
      return old.n === now.n;
    },
  });
  const tracker = tracked(rows);
  engine.batch(() => {
    items.updateObject({key: 'a', n: 13});
    items.updateObject({key: 'b', n: 2});
  });
  expect(tracker.taken()).toEqual(['update/b']);
  expect(rows.rowState('a')).toMatchObject({outcome: 'failed', error: 'unlucky', stale: true});
});
