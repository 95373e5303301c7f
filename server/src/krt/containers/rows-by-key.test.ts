// The index by key is built on first use. The collection behaves the same before and after.
import {expect, test} from 'vitest';
import {createEngine, newCollection, newStaticCollection} from '../index.ts';

interface Item {
  key: string;
  to?: string | undefined;
}

function derived(...keys: string[]) {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(
    engine,
    keys.map(key => ({key})),
  );
  const rows = newCollection(items, (_, {key, to}: Item) =>
    to === '' ? undefined : {key: to ?? key, from: key},
  );
  const told: string[] = [];
  rows.registerBatch(changes => {
    for (const {event, key} of changes) told.push(`${event} ${key}`);
  }, false);
  return {engine, items, rows, told, from: () => rows.list().map(row => `${row.key} of ${row.from}`)};
}

test('[R8] a row is found by its key whoever looked for one before, and the order stays that in which they came', () => {
  const {items, rows, from} = derived('c', 'a');
  items.updateObject({key: 'b'});
  expect(from()).toEqual(['c of c', 'a of a', 'b of b']);
  expect(rows.getKey('a')).toEqual({key: 'a', from: 'a'});
  expect(rows.getKey('d')).toBeUndefined();
  items.updateObject({key: 'd'});
  expect(from()).toEqual(['c of c', 'a of a', 'b of b', 'd of d']);
  expect(rows.getKey('d')).toEqual({key: 'd', from: 'd'});
});

test('[R8] the first key that is not its input’s own may be a row that is there: two inputs claim it', () => {
  const {engine, items, rows, from, told} = derived('a', 'b', 'c');
  items.updateObject({key: 'c', to: 'b'});
  expect(engine.violations().map(one => one.keys)).toEqual([['b', 'b', 'c']]);
  expect(from()).toEqual(['a of a', 'b of b']);
  items.deleteObject('b');
  expect(from()).toEqual(['a of a', 'b of c']);
  expect(rows.rowState('b')?.input).toBe('c');
  expect(told).toEqual(['delete c', 'update b']);
  expect(engine.violations()).toEqual([]);
});

test('[R8] an own key that comes after another’s claim finds that row', () => {
  const {items, from} = derived('a', 'x');
  items.updateObject({key: 'x', to: 'b'});
  items.updateObject({key: 'b'});
  expect(from()).toEqual(['a of a', 'b of b']);
  items.updateObject({key: 'b', to: ''});
  expect(from()).toEqual(['a of a', 'b of x']);
});

test('[R8] a row that is let go of and claimed by another in one batch is one row, and an update', () => {
  const {engine, items, told, from} = derived('a', 'b');
  engine.batch(() => {
    items.updateObject({key: 'a', to: ''});
    items.updateObject({key: 'b', to: 'a'});
  });
  expect(told).toEqual(['update a', 'delete b']);
  expect(from()).toEqual(['a of b']);
  items.updateObject({key: 'a'});
  expect(from()).toEqual(['a of a']);
});
