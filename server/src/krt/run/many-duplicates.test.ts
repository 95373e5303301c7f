// Tens of thousands of duplicates at once. Each costs one step, and no step looks at all others. Otherwise this test
// would exceed its limits.
import {expect, test} from 'vitest';
import {
  type BatchTrace,
  createEngine,
  engineStats,
  fetch,
  inputsOf,
  mapCollection,
  newCollection,
  newManyCollection,
  newSingleton,
  newStaticCollection,
  type Violation,
} from '../index.ts';
import type {Item} from '../testing/objects.ts';

const CROWD = 30_000;
const SECONDS = 10_000;
const crowd = (n: number): Item[] => Array.from({length: CROWD}, (_, i) => ({key: `i${i}`, n}));

test('[R8] [V1] every input yields one key: the smallest owns the row, and that is told once a batch', {
  timeout: SECONDS,
}, () => {
  const engine = createEngine({checks: 'off'});
  const told: Violation[] = [];
  engine.onViolation(violation => told.push(violation));
  const items = newStaticCollection<Item>(engine, []);
  const rows = newCollection(items, (_, item) => ({key: 'same', of: item.key, n: item.n}), {name: 'rows'});
  items.reset(crowd(1));
  expect(rows.list()).toEqual([{key: 'same', of: 'i0', n: 1}]);
  expect(told.map(({code, count}) => [code, count])).toEqual([['duplicate-across-inputs', 1]]);
  expect(told[0]?.keys.slice(0, 4)).toEqual(['same', 'i0', 'i1', 'i10']);
  expect(told[0]?.message).toContain(
    `and ${CROWD - 20} more of "rows" all yield the key "same"; "i0" owns it`,
  );
  expect(inputsOf(rows, 'same')).toHaveLength(CROWD);
  items.reset(crowd(2));
  expect(rows.list()).toEqual([{key: 'same', of: 'i0', n: 2}]);
  // Remove the owners first, one after the other.
  const order = [...crowd(2)].sort((a, b) => (a.key < b.key ? -1 : 1));
  engine.batch(() => {
    for (const {key} of order.slice(0, -1)) items.deleteObject(key);
  });
  expect(rows.list()).toEqual([{key: 'same', of: order.at(-1)?.key, n: 2}]);
  expect(engine.violations()).toEqual([]);
});

test('[R10] [V1] a result that has every key twice', {timeout: SECONDS}, () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const all = crowd(0);
  newManyCollection(items, (_, {n}) => (n < 3 ? [...all, ...all] : all));
  expect(engine.violations()).toHaveLength(CROWD);
  items.updateObject({key: 'a', n: 2});
  expect(engine.violations()).toHaveLength(CROWD);
  items.updateObject({key: 'a', n: 3});
  expect(engine.violations()).toEqual([]);
});

test('[C1] an input that reads all of a collection whose every row changes has a cause for each', {
  timeout: SECONDS,
}, () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, crowd(1));
  newSingleton(engine, ctx => ({sum: fetch(ctx, items).reduce((sum, {n}) => sum + n, 0)}));
  const traces: BatchTrace[] = [];
  engine.onTrace(trace => traces.push(trace));
  items.reset(crowd(2));
  const causes = traces[0]?.runs[0]?.causes;
  expect(causes).toHaveLength(CROWD);
  expect(new Set(causes?.map(({key}) => key)).size).toBe(CROWD);
});

test('[V1] keys that read alike with the key of their input: what one input heals is not the other’s', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection(engine, [
    {key: 'c', yields: 'a b', times: 2},
    {key: 'b c', yields: 'a', times: 2},
  ]);
  newManyCollection(items, (_, {yields, times}) => Array.from({length: times}, () => ({key: yields})));
  const twice = () => engine.violations().map(({keys}) => keys);
  expect(twice()).toEqual([
    ['a b', 'c'],
    ['a', 'b c'],
  ]);
  items.updateObject({key: 'c', yields: 'a b', times: 1});
  expect(twice()).toEqual([['a', 'b c']]);
});

test('[H1] [CO9] [LK5] handlers come and go, and each hears what is its own', {timeout: SECONDS}, () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  let calls = 0;
  const heard = () => {
    calls++;
  };
  const all = Array.from({length: CROWD}, () => items.register(heard));
  items.updateObject({key: 'a', n: 2});
  expect(calls).toBe(2 * CROWD);
  for (const registration of all.slice(1).reverse()) registration.unregisterHandler();
  items.updateObject({key: 'a', n: 3});
  expect(calls).toBe(2 * CROWD + 1);
  expect(engineStats(engine).handlers).toBe(1);
});

test('[Z1] [LK4] collections over one and the same come and go', {timeout: SECONDS}, () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const {subscriptions} = engineStats(engine);
  const made = Array.from({length: CROWD / 3}, (_, i) =>
    i % 2 === 0 ? newCollection(items, (_, item) => item) : mapCollection(items, item => item),
  );
  items.updateObject({key: 'a', n: 2});
  expect(made.every(one => one.list().length === 1)).toBe(true);
  for (const one of made.reverse()) one.stop();
  expect(engineStats(engine).subscriptions).toBe(subscriptions);
});
