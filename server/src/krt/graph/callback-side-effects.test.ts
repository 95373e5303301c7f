// User functions that the engine calls outside or inside a batch. What they create settles, their changes are announced
// at the end, and each handler hears everything once.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  fetch,
  fetchOrList,
  filterGeneric,
  filterLabel,
  joinCollection,
  newCollection,
  newIndex,
  newSingleton,
  newStaticCollection,
} from '../index.ts';
import {moody} from '../testing/objects.ts';

interface Item {
  key: string;
  n?: number;
}

test('[V3] a violation that a read outside a batch finds is told when the read is over: who hears it may write', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'bad'}], {labels: moody().call});
  const log = newStaticCollection<Item>(engine, []);
  engine.onViolation(({code}) => log.updateObject({key: code}));
  fetchOrList(null, items, filterLabel({a: 'b'}));
  expect(log.list()).toEqual([{key: 'attribute-failed'}]);
});

test('[G3] a collection that a function makes which the engine asks outside a batch is settled', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a'}]);
  const held: {made?: Collection<Item>} = {};
  newIndex(items, 'x', () => {
    held.made ??= newCollection(items, (_, item: Item) => ({key: item.key}));
    return ['x'];
  });
  expect(held.made?.list()).toEqual([{key: 'a'}]);
  expect(held.made?.hasSynced()).toBe(true);
});

test('[B1] what a filter writes while a change is judged is refused: its readers would run twice in a batch', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const other = newStaticCollection<Item>(engine, []);
  const reader = newSingleton(engine, ctx => ({
    found: fetch(
      ctx,
      items,
      filterGeneric((item: Item) => {
        if (item.n === 13) other.updateObject({key: 'written'});
        return true;
      }),
    ).length,
  }));
  items.updateObject({key: 'a', n: 13});
  expect(other.list()).toEqual([]);
  expect(reader.rowState('')).toMatchObject({outcome: 'failed'});
});

test.each([
  ['one member', false],
  ['one member, with a handler before it', true],
])('[H7] a handler that an index function registers on a join of %s hears nothing twice', (_, before) => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, []);
  const join = joinCollection([items]);
  const heard: string[] = [];
  const first: string[] = [];
  if (before) join.register(change => void first.push(`${change.event}/${change.key}`));
  let registered = false;
  newIndex(join, 'i', (item: Item) => {
    if (item.n === 13 && !registered) {
      registered = true;
      join.register(change => void heard.push(`${change.event}/${change.key}`));
    }
    return ['x'];
  });
  engine.batch(() => {
    items.updateObject({key: 'a', n: 13});
    items.updateObject({key: 'b'});
  });
  expect(heard.sort()).toEqual(['add/a', 'add/b']);
  expect(first).toEqual(before ? ['add/a', 'add/b'] : []);
});
