// A batch of one write needs no queue. These tests add what else a batch may do after its first write.
import {expect, test} from 'vitest';
import {createEngine, newCollection, newStaticCollection, type StaticCollection} from '../index.ts';
import {type Item, item} from '../testing/objects.ts';

function graph() {
  const engine = createEngine({checks: 'off'});
  const first = newStaticCollection<Item>(engine, [item('a'), item('b')]);
  const second = newStaticCollection<Item>(engine, [item('x')]);
  const rows = newCollection(first, (_, {key, n}) => ({key, n: n * 10}));
  const heard: string[] = [];
  rows.registerBatch(changes => void heard.push(changes.map(c => `${c.event} ${c.key}`).join(', ')), false);
  return {engine, first, second, rows, heard};
}

test.each<[string, (first: StaticCollection<Item>, second: StaticCollection<Item>) => void, string]>([
  ['a write', first => first.updateObject(item('a', 2)), 'update a'],
  ['a write of another row', first => first.updateObject(item('b', 2)), 'update a, update b'],
  ['a write of another source', (_, second) => second.updateObject(item('x', 2)), 'update a'],
  ['the row as it was', first => first.updateObject(first.getKey('a') as Item), 'update a'],
  ['a delete of the row', first => first.deleteObject('a'), 'delete a'],
  ['a new collection', first => void newCollection(first, (_, one) => one), 'update a'],
])('[B1, B4] after the first write of a batch comes %s', (_, next, expected) => {
  const {engine, first, second, heard} = graph();
  engine.batch(() => {
    first.updateObject(item('a', 3));
    next(first, second);
  });
  expect(heard).toEqual([expected]);
});

test('[B7] a single write of a handler is the next batch', () => {
  const {first, second, rows, heard} = graph();
  const copies = newCollection(second, (_, {key, n}) => ({key, n}));
  rows.registerBatch(changes => second.updateObject(item('x', changes.length + 1)), false);
  first.updateObject(item('a', 2));
  expect([heard, copies.getKey('x')]).toEqual([['update a'], {key: 'x', n: 2}]);
});

test('[B6] an open batch shows its one write', () => {
  const {engine, first, rows} = graph();
  const seen = engine.batch(() => {
    first.deleteObject('a');
    return [first.list().length, first.getKey('a'), rows.list().length];
  });
  expect([seen, rows.list().length]).toEqual([[1, undefined, 2], 1]);
});

test('[Z1] a source that stops after its one write announces nothing', () => {
  const {engine, first, rows, heard} = graph();
  engine.batch(() => {
    first.updateObject(item('a', 2));
    first.stop();
  });
  expect([heard, rows.getKey('a'), first.getKey('a')]).toEqual([[], {key: 'a', n: 10}, item('a', 2)]);
});
