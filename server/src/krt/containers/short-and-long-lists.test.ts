// Short lists are scanned, long ones use a map. Both give the same answers.
import {expect, test} from 'vitest';
import {
  createEngine,
  engineStats,
  fetch,
  filterGeneric,
  filterKey,
  filterKeys,
  filterNamespace,
  newCollection,
  newManyCollection,
  newStaticCollection,
} from '../index.ts';
import {rig} from '../testing/objects.ts';

interface Item {
  key: string;
  ns: string;
  n: number;
}
const MANY = 60;
const shaped = {namespace: (one: Item) => one.ns};

/** Small and seeded. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each([1, 2, 3])(
  '[F9] queries over dozens of rows find what a search finds, whatever comes and goes (%i)',
  seed => {
    const next = random(seed);
    const engine = createEngine({checks: 'off'});
    const other = newStaticCollection<Item>(engine, [], {...shaped, name: 'other'});
    const source = newStaticCollection<string>(engine, ['x', 'y']);
    const wanted = Array.from({length: 12}, (_, i) => `k${i * 5}`);
    const odd = ({n}: Item) => n % 2 === 1;
    const rows = newCollection(source, (ctx, key) => ({
      key,
      all: fetch(ctx, other).length,
      a: fetch(ctx, other, filterNamespace('a')).map(one => `${one.key} ${one.n}`),
      keys: fetch(ctx, other, filterKeys(wanted)).map(one => one.key),
      odd: fetch(ctx, other, filterGeneric(odd)).map(one => one.key),
    }));
    for (let step = 0; step < 80; step++) {
      engine.batch(() => {
        for (let i = 0; i < 8; i++) {
          const key = `k${next(MANY)}`;
          if (next(3) === 0) other.deleteObject(key);
          else other.updateObject({key, ns: next(4) === 0 ? 'b' : 'a', n: next(10)});
        }
      });
      const held = other.list();
      const expected = {
        all: held.length,
        a: held
          .filter(one => one.ns === 'a')
          .map(one => `${one.key} ${one.n}`)
          .sort(),
        keys: held
          .filter(one => wanted.includes(one.key))
          .map(one => one.key)
          .sort(),
        odd: held
          .filter(odd)
          .map(one => one.key)
          .sort(),
      };
      const row = rows.getKey(step % 2 === 0 ? 'x' : 'y')!;
      expect({all: row.all, a: row.a.toSorted(), keys: row.keys.toSorted(), odd: row.odd.toSorted()}).toEqual(
        expected,
      );
    }
  },
);

test('[D5] an input with dozens of outputs keeps, changes and drops each of them', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<{key: string; from: number; to: number; n: number}>(engine, [], {
    name: 'source',
  });
  const rows = newManyCollection(source, (_, {key, from, to, n}) =>
    Array.from({length: to - from}, (_unused, i) => ({key: `${key}${from + i}`, n: i % 2 === 0 ? n : 0})),
  );
  source.updateObject({key: 'a', from: 0, to: 40, n: 1});
  source.updateObject({key: 'a', from: 10, to: 60, n: 1});
  source.updateObject({key: 'a', from: 10, to: 60, n: 2});
  source.updateObject({key: 'a', from: 10, to: 12, n: 2});
  const counts = traces().flatMap(({runs}) => runs.map(run => ({outcome: run.outcome, ...run.counts})));
  expect(counts).toEqual([
    {outcome: 'added', added: 40, changed: 0, deleted: 0, equal: 0},
    {outcome: 'changed', added: 20, changed: 0, deleted: 10, equal: 30},
    {outcome: 'changed', added: 0, changed: 25, deleted: 0, equal: 25},
    {outcome: 'changed', added: 0, changed: 0, deleted: 48, equal: 2},
  ]);
  expect(rows.list()).toEqual([
    {key: 'a10', n: 2},
    {key: 'a11', n: 0},
  ]);
  source.updateObject({key: 'a', from: 0, to: 0, n: 2});
  source.updateObject({key: 'a', from: 0, to: 0, n: 3});
  expect(traces().flatMap(({runs}) => runs.map(run => run.outcome))).toEqual(['deleted', 'empty']);
});

test('[D5] the same key twice among dozens of outputs: the last one counts, and it is told', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<string>(engine, ['a']);
  const rows = newManyCollection(
    source,
    () => [
      ...Array.from({length: 30}, (_, i) => ({key: `k${i}`, n: i})),
      {key: 'k3', n: -1},
      {key: 'k29', n: -2},
    ],
    {name: 'rows'},
  );
  expect([rows.list().length, rows.getKey('k3')?.n, rows.getKey('k29')?.n]).toEqual([30, -1, -2]);
  expect(engine.violations().map(({code, keys}) => `${code} ${keys[0]}`)).toEqual([
    'duplicate-in-result k3',
    'duplicate-in-result k29',
  ]);
});

test('[LK2] dozens of fetches that change from run to run: each is gained and lost once, and nothing stays', () => {
  const {engine, traces} = rig();
  const other = newStaticCollection<Item>(engine, [], {name: 'other'});
  const source = newStaticCollection<{key: string; from: number; to: number}>(engine, [], {name: 'source'});
  newCollection(source, (ctx, {key, from, to}) => {
    for (let i = from; i < to; i++) fetch(ctx, other, filterKey(`k${i}`));
    return {key};
  });
  const moved: string[] = [];
  for (const [from, to] of [
    [0, 40],
    [20, 60],
    [20, 22],
    [0, 40],
    [40, 41],
    [41, 41],
  ]) {
    source.updateObject({key: 'a', from: from!, to: to!});
    const [run] = traces().flatMap(({runs}) => runs);
    moved.push(`${run!.gained.length} ${run!.lost.length} ${engineStats(engine).dependencies}`);
  }
  expect(moved).toEqual(['40 0 40', '20 20 40', '0 38 2', '38 0 40', '1 40 1', '0 1 0']);
  expect(engineStats(engine)).toMatchObject({queries: 0, buckets: 0});
});
