// Faults of a user's index function or index key, and that they affect nothing else.
import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  filterIndex,
  inputs,
  newCollection,
  newIndex,
  newSingleton,
  newStaticCollection,
  tracked,
} from '../index.ts';
import type {Item} from '../testing/objects.ts';

const key = (item: Item) => item.key;
const byParity = (item: Item) => {
  if (item.n < 0) throw new Error(`no bucket for ${item.n}`);
  return [item.n % 2 === 0 ? 'even' : 'odd'];
};

test('[X3] a row whose index function throws lies in no bucket, is reported, and harms no other row of the batch', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, [], {key});
  const rows = newCollection(source, (_, item: Item) => ({...item}), {name: 'rows', key});
  const parity = newIndex(rows, 'parity', byParity);
  const reader = newSingleton(engine, ctx => ({odd: fetch(ctx, rows, filterIndex(parity, 'odd')).length}));
  const tracker = tracked(rows);
  engine.batch(() => {
    source.updateObject({key: 'bad', n: -1});
    source.updateObject({key: 'good', n: 1});
  });
  expect(tracker.taken().sort()).toEqual(['add/bad', 'add/good']);
  expect(reader.get()).toEqual({odd: 1});
  expect(parity.lookup('odd').map(key)).toEqual(['good']);
  expect(engine.violations()).toMatchObject([
    {code: 'index-failed', collection: 'rows', keys: ['bad', 'parity']},
  ]);
  source.updateObject({key: 'bad', n: 3});
  expect(reader.get()).toEqual({odd: 2});
  expect(engine.violations()).toEqual([]);
  source.updateObject({key: 'bad', n: -3});
  source.deleteObject('bad');
  expect(reader.get()).toEqual({odd: 1});
  expect(engine.violations()).toEqual([]);
});

test('[X3] an index function that throws at a write to a source leaves no ghost behind', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}], {name: 'source', key});
  const parity = newIndex(source, 'parity', byParity);
  const tracker = tracked(source);
  source.updateObject({key: 'bad', n: -1});
  expect(tracker.taken()).toEqual(['add/bad']);
  expect(engine.collections()[0]?.size).toBe(source.list().length);
  expect(source.getKey('bad')).toEqual({key: 'bad', n: -1});
  expect(parity.lookup('odd')).toEqual([{key: 'a', n: 1}]);
  expect(engine.violations()).toMatchObject([{code: 'index-failed'}]);
});

test('[X3] a function that stops working for an old item still lets its row leave the bucket', () => {
  const engine = createEngine();
  let broken = false;
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}], {key});
  const parity = newIndex(source, 'parity', (item: Item) => {
    if (broken && item.n === 1) throw new Error('not any more');
    return byParity(item);
  });
  const reader = newSingleton(engine, ctx => ({odd: parity.fetch(ctx, 'odd').length}));
  broken = true;
  source.updateObject({key: 'a', n: 2});
  expect(parity.lookup('odd')).toEqual([]);
  expect(reader.get()).toEqual({odd: 0});
});

test('[X3] an index over rows that it cannot read is refused, and nothing of it stays', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, [{key: 'bad', n: -1}], {key});
  expect(() => newIndex(source, 'parity', byParity)).toThrow('no bucket for -1');
  source.updateObject({key: 'bad', n: -2});
  expect(engine.violations()).toEqual([]);
  source.updateObject({key: 'bad', n: 2});
  expect(newIndex(source, 'parity', byParity).lookup('even')).toHaveLength(1);
});

test('[X2] keys that are not texts need a parser whenever they come: the group fails with words until there is one', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, [], {key});
  const byNumber = newIndex(source, 'number', (item: Item) => [item.n]);
  const groups = byNumber.asCollection();
  const named = byNumber.asCollection({name: 'parsed', fromString: Number});
  source.updateObject({key: 'a', n: 7});
  expect(groups.list()).toEqual([]);
  expect(groups.rowState('7')).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('fromString'),
  });
  expect(named.list()).toEqual([{key: 7, objects: [{key: 'a', n: 7}]}]);
  expect(() => byNumber.asCollection()).toThrow('fromString');
});

test('[X2] a parser that throws fails its group alone', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, [{key: 'b', n: 2}], {key});
  const groups = newIndex(source, 'number', (item: Item) => [item.n]).asCollection({
    fromString: text => {
      if (text === '1') throw new Error('one');
      return Number(text);
    },
  });
  const counted = newCollection(groups, (_, group) => `${group.key}: ${group.objects.length}`);
  engine.batch(() => {
    source.updateObject({key: 'a', n: 1});
    source.updateObject({key: 'c', n: 2});
  });
  expect(counted.list()).toEqual(['2: 2']);
  expect(groups.rowState('1')).toMatchObject({outcome: 'failed', error: 'one'});
  expect(engine.collections().find(({uid}) => uid === groups.uid)).toMatchObject({failed: 1, size: 1});
});

test('[F1] an index of another collection is refused in words', () => {
  const engine = createEngine();
  const a = newStaticCollection<Item>(engine, [{key: 'a', n: 1}], {name: 'a', key});
  const b = newStaticCollection<Item>(engine, [{key: 'b', n: 1}], {name: 'b', key});
  const parity = newIndex(b, 'parity', byParity);
  const rows = newCollection(a, ctx => fetch(ctx, a, filterIndex(parity, 'odd')).length.toString());
  expect(inputs(rows)).toMatchObject([
    {outcome: 'failed', error: expect.stringContaining('index "parity" of "b"')},
  ]);
});

test('[X3] an index function that gives no list says so in words of its own', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [], {key, name: 'source'});
  newIndex(source, 'numbers', ({n}) => n as never);
  source.updateObject({key: 'a', n: 5});
  expect(engine.violations()[0]?.message).toBe(
    'index "numbers" of "source" cannot file "a": the function of index "numbers" must give a list of keys, or nothing; it lies in no bucket',
  );
  expect(() => newIndex(source, 'objects', () => ({}) as never)).toThrow('must give a list of keys');
});
