// Edge cases of queries: recognition, release, and index keys.
import {expect, test} from 'vitest';
import {
  createEngine,
  engineStats,
  fetch,
  filterGeneric,
  filterIndex,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  newCollection,
  newIndex,
  newStaticCollection,
  partialFetch,
  partialFetchComparable,
} from '../index.ts';
import {rig, violated} from '../testing/objects.ts';

interface Item {
  key: string;
  n: number;
  ns?: string;
  labels?: Record<string, string>;
  selector?: Record<string, string>;
}
const item = (key: string, n = 1): Item => ({key, n});
const off = () => createEngine({checks: 'off'});
const shaped = {
  namespace: (one: Item) => one.ns ?? '',
  labels: (one: Item) => one.labels ?? {},
  selector: (one: Item) => one.selector ?? {},
};

test('[F2] a run that asks otherwise at the same place is answered otherwise', () => {
  const engine = off();
  const other = newStaticCollection<Item>(
    engine,
    [
      {key: 'x', n: 1, labels: {app: 'a'}, selector: {app: 'a'}},
      {key: 'y', n: 2, labels: {app: 'b'}, selector: {}},
    ],
    shaped,
  );
  const byN = newIndex(other, 'n', ({n}) => [String(n)]);
  const byKey = newIndex(other, 'key', ({key}) => [key, '1']);
  const asked = [
    [filterSelects({app: 'a'})],
    [filterSelectsNonEmpty({app: 'a'})],
    [filterSelects({app: 'b'})],
    [filterIndex(byN, '1')],
    [filterIndex(byN, '2')],
    [filterIndex(byKey, '1')],
    [filterKeys(['x', 'z'])],
    [filterKeys(['x', 'y'])],
    [filterLabel({app: 'a'})],
    [filterLabel({app: 'b'})],
    [filterLabel({})],
    [filterGeneric<Item>(({n}) => n === 1)],
    [filterGeneric<Item>(({n}) => n === 2)],
    [filterNamespace('nowhere')],
    [],
  ];
  const source = newStaticCollection<Item>(engine, [item('i', 0)]);
  const rows = newCollection(source, (ctx, {key, n}) => ({
    key,
    found: fetch(ctx, other, ...asked[n]!).map(one => one.key),
  }));
  const found = asked.map((_, n) => {
    source.updateObject(item('i', n));
    return rows.getKey('i')!.found.toSorted().join('');
  });
  expect(found).toEqual(['xy', 'x', 'y', 'x', 'y', 'xy', 'x', 'xy', 'x', 'y', 'xy', 'x', 'y', '', 'xy']);
});

test('[F4] a partial fetch compares by structure unless it is told how, and asks the same again', () => {
  const {engine, traces} = rig();
  const other = newStaticCollection<Item>(engine, [item('x')], {name: 'other'});
  const source = newStaticCollection<Item>(engine, [item('i')], {name: 'source'});
  const part = ({n}: Item) => ({odd: n % 2});
  const whole = ({n}: Item) => n % 2;
  newCollection(source, (ctx, {key}) => ({key, n: partialFetch(ctx, other, part).length}), {
    name: 'structure',
  });
  newCollection(source, (ctx, {key}) => ({key, n: partialFetchComparable(ctx, other, part).length}), {
    name: 'identity',
  });
  newCollection(source, (ctx, {key}) => ({key, n: partialFetchComparable(ctx, other, whole).length}), {
    name: 'number',
  });
  const any = () => true;
  newCollection(source, (ctx, {key}) => ({key, n: fetch(ctx, other, filterGeneric(any)).length}), {
    name: 'generic',
  });
  traces();
  other.updateObject(item('x', 3));
  expect(traces().flatMap(({runs}) => runs.map(run => run.collection))).toEqual(['identity', 'generic']);
  source.updateObject(item('i', 2));
  for (const run of traces().flatMap(({runs}) => runs))
    expect([run.gained, run.lost, run.fetches.map(({scanned}) => scanned)]).toEqual([[], [], [0]]);
});

test('[C3] a query that stands already is answered without a look at anything', () => {
  const {engine, traces} = rig();
  const other = newStaticCollection<Item>(engine, [item('x'), item('y', 2)], {name: 'other'});
  const source = newStaticCollection<Item>(engine, [item('a'), item('b')], {name: 'source'});
  newCollection(source, (ctx, {key}) => ({key, n: fetch(ctx, other, filterLabel({})).length}), {
    name: 'rows',
  });
  const scanned = traces().flatMap(({runs}) => runs.flatMap(run => run.fetches.map(one => one.scanned)));
  expect(scanned).toEqual([2, 0]);
});

test('[LK1] every query that goes takes its own buckets with it, and no other', () => {
  const engine = off();
  const other = newStaticCollection<Item>(engine, [{...item('x'), ns: 'a', labels: {app: 'p'}}], {
    ...shaped,
    name: 'other',
  });
  const byN = newIndex(other, 'n', ({n}) => [String(n)]);
  const source = newStaticCollection<string>(engine, []);
  const asked: Record<string, Parameters<typeof fetch<Item>>[2][]> = {
    namespace: [filterNamespace('a')],
    elsewhere: [filterNamespace('b')],
    labels: [filterLabel({app: 'p'})],
    scoped: [filterLabel({app: 'p'}), filterNamespace('a')],
    selects: [filterSelects({app: 'p'})],
    selectsTwo: [filterSelects({app: 'p', tier: 'q'})],
    keys: [filterKeys(['x', 'y'])],
    index: [filterIndex(byN, '1')],
    nothing: [],
  };
  newCollection(source, (ctx, key) => ({key, n: fetch(ctx, other, ...asked[key]!).length}));
  const counts = () => [engineStats(engine).queries, engineStats(engine).buckets];
  const none = counts();
  expect(none).toEqual([0, 1]);
  const seen: Record<string, number[]> = {};
  for (const key of Object.keys(asked)) {
    source.updateObject(key);
    seen[key] = counts();
    source.deleteObject(key);
    expect(counts()).toEqual(none);
  }
  // The user's index has one bucket. A query is stored in one place or more, and may require rows to be stored as well.
  expect(seen).toEqual({
    namespace: [1, 3],
    elsewhere: [1, 3],
    labels: [1, 3],
    scoped: [1, 3],
    selects: [1, 3],
    selectsTwo: [1, 3],
    keys: [1, 3],
    index: [1, 2],
    nothing: [1, 2],
  });
  for (const key of Object.keys(asked)) source.updateObject(key);
  const all = counts();
  for (const key of Object.keys(asked).toReversed()) {
    source.deleteObject(key);
    source.updateObject(key);
    expect(counts()).toEqual(all);
  }
  source.reset(['namespace']);
  const one = counts();
  for (const key of Object.keys(asked).filter(name => name !== 'namespace')) {
    source.updateObject(key);
    source.deleteObject(key);
    // The attributes of rows stay as long as a query reads them. Those of queries do not.
    const [queries, buckets] = counts();
    expect([key, queries]).toEqual([key, 1]);
    const most = ['keys', 'index', 'nothing'].includes(key) ? 0 : 1;
    expect([key, buckets! - one[1]! <= most]).toEqual([key, true]);
  }
  source.reset([]);
  expect(counts()).toEqual(none);
});

test('[X1] an index may say one text, and is made in the middle of a batch over what is left', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a'), item('b', 2)]);
  const one = newIndex(source, 'one', ({n}) => String(n) as unknown as string[]);
  expect(one.lookup('2')).toEqual([item('b', 2)]);
  const made = engine.batch(() => {
    source.deleteObject('a');
    return newIndex(source, 'keys', ({key}) => [key]);
  });
  expect([made.lookup('a'), made.lookup('b')]).toEqual([[], [item('b', 2)]]);
  const numbers = newIndex(source, 'numbers', ({n}) => [n]);
  expect(() => numbers.asCollection()).toThrow('has keys that are not texts');
  expect(one.asCollection().list()).toEqual([{key: '2', objects: [item('b', 2)]}]);
});

test('[V4] labels that can be read again lift the only violation there is', () => {
  const engine = off();
  const labels = ({n}: Item): Record<string, string> => {
    if (n < 0) throw new Error('no labels');
    return {app: 'x'};
  };
  const other = newStaticCollection<Item>(engine, [item('x', -1)], {name: 'other', labels});
  const source = newStaticCollection<string>(engine, ['a']);
  const rows = newCollection(source, (ctx, key) => ({
    key,
    n: fetch(ctx, other, filterLabel({app: 'x'})).length,
  }));
  expect(violated(engine)).toEqual(['attribute-failed other x']);
  other.updateObject(item('x'));
  expect([violated(engine), rows.getKey('a')?.n]).toEqual([[], 1]);
});

test('[F2] the same query in other words is still depended on', () => {
  const engine = off();
  const other = newStaticCollection<Item>(engine, [], shaped);
  const source = newStaticCollection<Item>(engine, [item('i', 1)]);
  const one = filterLabel({app: 'a'});
  const rows = newCollection(source, (ctx, {key, n}) =>
    item(key, fetch(ctx, other, ...Array(n).fill(one)).length),
  );
  source.updateObject(item('i', 2));
  source.updateObject(item('i', 3));
  other.updateObject({key: 'x', n: 1, labels: {app: 'a'}});
  expect(rows.getKey('i')?.n).toBe(1);
});

test('[S1] an equal object takes the old one’s place in the answer of the only query that looks at labels', () => {
  const engine = off();
  const made = (): Item => ({key: 'x', n: 1, labels: {app: 'a'}});
  const other = newStaticCollection<Item>(engine, [made()], shaped);
  const source = newStaticCollection<Item>(engine, [item('i')]);
  const seen: unknown[] = [];
  newCollection(source, (ctx, one) => {
    seen.push(fetch(ctx, other, filterLabel({app: 'a'}))[0]);
    return {...one};
  });
  const again = made();
  other.conditionalUpdateObject(again);
  source.updateObject(item('i', 2));
  expect(seen[1]).toBe(again);
});

test('[V4] a selector that nobody asks for is not read', () => {
  const engine = off();
  const selector = (): Record<string, string> => {
    throw new Error('no selector');
  };
  const other = newStaticCollection<Item>(engine, [], {...shaped, selector});
  const source = newStaticCollection<string>(engine, ['i']);
  const rows = newCollection(source, (ctx, key) => ({
    key,
    n: fetch(ctx, other, filterLabel({app: 'a'})).length,
  }));
  other.updateObject({key: 'x', n: 1, labels: {app: 'a'}});
  expect([rows.getKey('i')?.n, engine.violations()]).toEqual([1, []]);
});
