// Filters that cannot be made, looked up or described: only the run that uses one fails, and it keeps nothing of it.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  dependenciesOf,
  describeFilters,
  engineStats,
  Filter,
  fetch,
  fetchOrList,
  filterGeneric,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterObjectName,
  filterSelects,
  newCollection,
  newStaticCollection,
  tracked,
} from '../index.ts';
import {NOTHING_LEFT} from '../testing/objects.ts';

interface Item {
  key: string;
  n?: number;
}

const throwing = () =>
  filterLabel({
    get app(): string {
      throw new Error('no');
    },
  });

test('[Z2] [LK2] a fetch that throws while it is looked up leaves nothing when all is stopped', () => {
  const engine = createEngine({checks: 'off'});
  const a = newStaticCollection<Item>(engine, [{key: 'i'}]);
  const b = newStaticCollection<Item>(engine, []);
  const c = newCollection(a, ctx => ({key: String(fetch(ctx, b, throwing()).length)}));
  for (const each of [c, a, b]) each.stop();
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
});

test('[G2] what was asked for in vain is no cycle later', () => {
  const engine = createEngine({checks: 'off'});
  const a = newStaticCollection<Item>(engine, [{key: 'i'}]);
  const late: {d?: Collection<Item>} = {};
  const c = newCollection(a, (ctx, item: Item): Item => {
    if (item.n === 2) fetch(ctx, late.d as Collection<Item>, throwing());
    return {key: item.key};
  });
  const s = newStaticCollection<Item>(engine, []);
  late.d = newCollection(s, (ctx, item: Item): Item => ({key: item.key, n: fetch(ctx, c).length}));
  a.updateObject({key: 'i', n: 2});
  a.updateObject({key: 'i', n: 3});
  s.updateObject({key: 's'});
  expect(late.d.list()).toEqual([{key: 's', n: 1}]);
  expect(engine.violations()).toEqual([]);
});

test('[F8] an object is found by its name, with or without a namespace', () => {
  expect(describeFilters(filterObjectName({name: 'a'}))).toBe('key a');
  expect(describeFilters(filterObjectName({name: 'a', namespace: ''}))).toBe('key a');
  expect(describeFilters(filterObjectName({name: 'a', namespace: 'b'}))).toBe('key b/a');
});

const nameless = Object.defineProperty(() => true, 'name', {
  get() {
    throw new Error('no name');
  },
});

test.each<[string, () => Filter]>([
  ['a namespace that is a symbol', () => filterNamespace(Symbol('x') as never)],
  ['a label that is a symbol', () => filterLabel({app: Symbol('x') as never})],
  ['a label to be selected by that is a symbol', () => filterSelects({app: Symbol('x') as never})],
  ['a name that is no text', () => filterObjectName({name: undefined as never})],
  ['a namespace of a name that is no text', () => filterObjectName({name: 'a', namespace: {} as never})],
  ['a generic filter that is no function', () => filterGeneric(5 as never)],
  ['what is no filter', () => ({}) as never],
])('[F8] [R5] %s fails its run, in words; the others are announced to whoever listens', (_, filter) => {
  const {engine, source, readers, heard} = listened(filter);
  engine.batch(() => {
    source.updateObject({key: 'bad', n: 13});
    source.updateObject({key: 'good'});
  });
  expect(heard.taken()).toEqual(['add/good']);
  expect(readers.rowState('bad')).toMatchObject({outcome: 'failed', error: expect.stringMatching(/take/)});
});

test.each([
  ['whose name throws', nameless],
  ['whose name is a symbol', Object.defineProperty(() => true, 'name', {value: Symbol('s')})],
])('[F8] a generic filter %s has a name in words', (_, test) => {
  const {engine, source, heard} = listened(() => filterGeneric(test));
  source.updateObject({key: 'bad', n: 13});
  expect(heard.taken()).toEqual(['add/bad']);
  expect(JSON.stringify(engine.collections())).toContain('generic function');
});

function listened(filter: () => Filter) {
  const engine = createEngine({checks: 'off'});
  engine.onTrace(() => {});
  const source = newStaticCollection<Item>(engine, []);
  const others = newStaticCollection<Item>(engine, [{key: 'x'}]);
  const readers = newCollection(source, (ctx, item: Item) => ({
    key: item.key,
    n: fetch(ctx, others, item.n === 13 ? filter() : filterKey('x')).length,
  }));
  return {engine, source, readers, heard: tracked(readers)};
}

test('[F2] one key is not taken for a list of keys that is written like it', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [
    {key: 'one', n: 1},
    {key: 'two', n: 2},
  ]);
  const others = newStaticCollection<Item>(engine, [{key: 'a'}, {key: '["a"]'}]);
  const found = newCollection(source, (ctx, item: Item) => ({
    key: item.key,
    keys: fetch(ctx, others, item.n === 1 ? filterKey('["a"]') : filterKeys('a')).map(({key}) => key),
  }));
  expect(found.list()).toEqual([
    {key: 'one', keys: ['["a"]']},
    {key: 'two', keys: ['a']},
  ]);
});

test.each<[string, () => unknown]>([
  ['a namespace that is a symbol', () => new Filter(1, Symbol('n'), null)],
  ['a key that is a number', () => new Filter(0, 5, null)],
  ['a list of keys with a symbol in it', () => new Filter(0, ['x', Symbol('k')], null)],
  ['no labels', () => new Filter(2, 5, null)],
  ['a look-alike', () => ({kind: 1, value: Symbol('n'), index: null})],
  [
    'a namespace that was changed since',
    () =>
      Object.assign(filterNamespace('n'), {
        value: {
          toString() {
            throw new Error('no words');
          },
        },
      }),
  ],
])('[F8] [Z2] a filter made by hand, %s, fails its run alone, while somebody listens', (_, filter) => {
  const {engine, source, readers, heard} = listened(filter as () => Filter);
  engine.batch(() => {
    source.updateObject({key: 'bad', n: 13});
    source.updateObject({key: 'good', n: 1});
  });
  expect(heard.taken()).toEqual(['add/good']);
  expect(readers.rowState('bad')).toMatchObject({outcome: 'failed', error: expect.stringMatching(/./)});
  source.updateObject({key: 'bad', n: 1});
  expect(heard.taken()).toEqual(['add/bad']);
  source.reset([]);
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0, buckets: 0});
});

test('[F2] a list of keys that is changed after the fetch changes no query', () => {
  const keys = ['x'];
  const {source, readers} = listened(() => new Filter(0, keys, null));
  source.updateObject({key: 'a', n: 13});
  keys.push('y');
  expect(dependenciesOf(readers, 'a')[0]?.clauses).toEqual([{kind: 'keys', text: 'keys x', keys: ['x']}]);
});

test('[F8] [K4] labels in a Map are refused: they would match everything, or be none', () => {
  const asMap = new Map([['app', 'x']]) as never;
  const {source, readers} = listened(() => filterLabel(asMap));
  source.updateObject({key: 'a', n: 13});
  expect(readers.rowState('a')).toMatchObject({
    outcome: 'failed',
    error: 'labels must be an object of texts, found a Map',
  });
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a'}], {labels: () => asMap});
  expect(fetchOrList(null, items, filterLabel({app: 'x'}))).toEqual([]);
  expect(engine.violations()).toMatchObject([{code: 'attribute-failed', keys: ['a', 'labels']}]);
});
