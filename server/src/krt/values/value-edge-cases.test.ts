// Edge cases of equality, keys and messages.
import {expect, test} from 'vitest';
import {
  createEngine,
  describeFilters,
  equal,
  fetch,
  fetchOrList,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  inputs,
  newCollection,
  newStaticCollection,
  ObjectWithCluster,
} from '../index.ts';
import {violated} from '../testing/objects.ts';

class HiddenList extends Array<number> {
  #secret = 1;
  secret(): number {
    return this.#secret;
  }
}
class Hidden {
  #secret = 1;
  secret(): number {
    return this.#secret;
  }
}

test('[E2] a class that nobody has compared before is equal by its fields', () => {
  class Point {
    x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  expect([equal(new Point(1), new Point(1)), equal(new Point(1), new Point(2))]).toEqual([true, false]);
  expect([equal({x: 1}, new Point(1)), equal(new Point(1), {x: 1})]).toEqual([false, false]);
  expect(equal(Object.assign(Object.create(null) as object, {x: 1}), {x: 1})).toBe(true);
  const odd = () => Object.assign(Object.create({constructor: 5}) as object, {x: 1});
  expect(equal(odd(), odd())).toBe(false);
});

test('[E2] sets match members that are the same and members that are alike; lists their fields and their items', () => {
  const one = {a: 1};
  expect(equal(new Set<unknown>([1, {a: 1}]), new Set<unknown>([1, {a: 1}]))).toBe(true);
  expect(equal(new Set<unknown>([one, {a: 1}]), new Set<unknown>([one, {a: 2}]))).toBe(false);
  expect(equal(new Set<unknown>([{a: 1}, {a: 1}]), new Set<unknown>([{a: 1}, {a: 2}]))).toBe(false);
  const bare: number[] = [1];
  expect([equal(bare, Object.assign([1], {x: 1})), equal(Object.assign([1], {x: 1}), bare)]).toEqual([
    false,
    false,
  ]);
  const listed = (items: number[], x: number) => Object.assign(items, {x});
  expect(equal(listed([1], 1), listed([1], 1))).toBe(true);
  expect(equal(listed([1], 1), listed([2], 1))).toBe(false);
  expect(equal(listed([1], 1), listed([1], 2))).toBe(false);
});

test.each<[string, () => unknown]>([
  ['a list that hides something', () => HiddenList.from([1])],
  ['an object that hides something', () => new Hidden()],
  ['a function', () => () => 1],
  ['a symbol of its own', () => Symbol('x')],
  ['a map of such', () => new Map([['a', new Hidden()]])],
])('[V6] %s is never equal, and that is told', (_, make) => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 0}]);
  newCollection(source, (_ctx, {key}) => ({key, value: make()}), {name: 'rows'});
  for (let n = 1; n < 8; n++) source.updateObject({key: 'a', n});
  expect(violated(engine)).toEqual(['never-equal rows a']);
});

test('[E1] the same object is equal to itself, whatever its equality says', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 0}]);
  const constant = {key: 'a'};
  const rows = newCollection(source, () => constant, {equals: () => false});
  const heard: string[] = [];
  rows.register(({event}) => void heard.push(event));
  source.updateObject({key: 'a', n: 1});
  expect(heard).toEqual(['add']);
});

test('[F5] a selector whose values are no texts fails the run that meets it', () => {
  const engine = createEngine({checks: 'off'});
  const services = newStaticCollection(engine, [{metadata: {name: 's'}, spec: {selector: {app: 5}}}]);
  const source = newStaticCollection<string>(engine, ['a']);
  const rows = newCollection(source, ctx => String(fetch(ctx, services, filterSelects({app: '5'})).length));
  expect(inputs(rows)).toMatchObject([
    {outcome: 'failed', error: expect.stringContaining('a selector must be a map of labels')},
  ]);
});

test('[F3] an item that says nothing of its namespace is in none', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection(engine, [{key: 'a', getNamespace: () => undefined}]);
  expect(fetchOrList(null, source, filterNamespace(''))).toHaveLength(1);
  const told = newStaticCollection(engine, [{key: 'a'}], {namespace: () => undefined as unknown as string});
  expect(fetchOrList(null, told, filterNamespace(''))).toHaveLength(1);
});

test('[K1] messages name what was found where a key should be', () => {
  expect(() => new ObjectWithCluster('c', null).resourceName()).toThrow('null null has no key');
  expect(() => filterKey(null as unknown as string)).toThrow('filterKey takes texts and got null');
  expect(() => filterKey(5 as unknown as string)).toThrow('filterKey takes texts and got number');
});

test('[F1] a key says itself, alone and among others', () => {
  expect(describeFilters(filterKey('a'))).toBe('key a');
  expect(describeFilters(filterKey('a'), filterLabel({app: 'x'}))).toBe('key a and labels app=x');
});

test('[E3] rows that are circles are never equal, and no run fails by them', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 0}]);
  const rows = newCollection(source, (_ctx, {key}) => {
    const row: {key: string; self?: unknown} = {key};
    row.self = row;
    return row;
  });
  source.updateObject({key: 'a', n: 1});
  expect(inputs(rows)).toMatchObject([{outcome: 'changed', stale: false}]);
});

test('[F1] keys with commas in them are other keys', () => {
  const engine = createEngine({checks: 'off'});
  const other = newStaticCollection<string>(engine, ['a', 'b', 'a,b']);
  const source = newStaticCollection<string>(engine, ['two', 'one']);
  const rows = newCollection(source, (ctx, key) => ({
    key,
    found: fetch(ctx, other, key === 'two' ? filterKeys(['a', 'b']) : filterKeys(['a,b'])),
  }));
  expect([rows.getKey('two')?.found, rows.getKey('one')?.found]).toEqual([['a', 'b'], ['a,b']]);
});

test('[A1] what is no engine is told to be none', () => {
  expect(() => newStaticCollection({} as ReturnType<typeof createEngine>, [])).toThrow('expected an engine');
});

test('[E2] fields under symbols count, and so do those of objects without a class', () => {
  const hidden = Symbol('hidden');
  class Marked {
    [hidden]: unknown;
    constructor(value: unknown) {
      this[hidden] = value;
    }
  }
  expect([equal(new Marked({a: 1}), new Marked({a: 1})), equal(new Marked(1), new Marked(2))]).toEqual([
    true,
    false,
  ]);
  const above = {inherited: 1};
  const made = (x: number) => Object.assign(Object.create(above) as object, {x});
  expect([equal(made(1), made(1)), equal(made(1), made(2))]).toEqual([true, false]);
});

test('[F3] an item that says nothing of its labels has none, and a batch sees the labels it wrote', () => {
  const engine = createEngine({checks: 'off'});
  const silent = newStaticCollection(engine, [{key: 'a', getLabels: () => undefined}]);
  expect(fetchOrList(null, silent, filterLabel({}))).toHaveLength(1);
  expect(fetchOrList(null, silent, filterLabel({app: 'x'}))).toEqual([]);
  const pod = (app: string) => ({metadata: {name: 'p', labels: {app}}});
  const pods = newStaticCollection(engine, [pod('x')]);
  expect(fetchOrList(null, pods, filterLabel({app: 'x'}))).toHaveLength(1);
  const seen = engine.batch(() => {
    pods.updateObject(pod('y'));
    return [filterLabel({app: 'x'}), filterLabel({app: 'y'})].map(
      filter => fetchOrList(null, pods, filter).length,
    );
  });
  expect([seen, engine.violations()]).toEqual([[0, 1], []]);
});
