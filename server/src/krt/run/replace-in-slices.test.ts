import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  newCollection,
  newSingleton,
  newStaticCollection,
  outline,
  proceed,
  replaceInSlices,
} from '../index.ts';

interface Item {
  key: string;
  n: number;
}

function rig() {
  const engine = createEngine({firstRuns: 2, checks: 'off'});
  const causes: string[] = [];
  engine.onTrace(({runs}) => {
    for (const run of runs)
      if (run.collection === 'rows') causes.push(`${run.input} ${run.causes.map(({kind}) => kind).join()}`);
  });
  const items = ['a', 'b', 'c', 'd', 'e'].map(key => ({key, n: 1}));
  const source = newStaticCollection<Item>(engine, items, {name: 'source'});
  const rows = newCollection(source, (_, {key, n}) => ({key, v: n}), {name: 'rows'});
  const total = newSingleton(engine, ctx => ({sum: fetch(ctx, rows).reduce((all, {v}) => all + v, 0)}));
  while (proceed(engine));
  causes.length = 0;
  const shown = () =>
    rows
      .list()
      .map(({key, v}) => `${key}${v}`)
      .sort()
      .join(' ');
  const owes = () => outline(engine).find(({name}) => name === 'rows')?.owes;
  return {engine, source, rows, total, causes, shown, owes};
}

test('[Y4] a formula that is replaced in slices keeps each row until its run, and stays synced', () => {
  const {engine, source, rows, total, causes, shown, owes} = rig();
  replaceInSlices(rows, (_, item) => ({key: (item as Item).key, v: (item as Item).n * 10}));
  expect(shown()).toBe('a10 b10 c1 d1 e1');
  expect([rows.hasSynced(), total.get()?.sum, owes()]).toEqual([true, 23, {runs: 3, of: 5}]);
  // An input that waits has its newest value at its run; one that is removed goes at once.
  source.updateObject({key: 'd', n: 2});
  source.deleteObject('e');
  expect(shown()).toBe('a10 b10 c1 d1');
  while (proceed(engine));
  expect(shown()).toBe('a10 b10 c10 d20');
  expect([owes(), total.get()?.sum]).toEqual([undefined, 50]);
  expect(causes).toEqual(['a formula', 'b formula', 'c formula', 'd formula']);
  // Later changes are runs as before.
  source.updateObject({key: 'c', n: 3});
  expect(causes.at(-1)).toBe('c input');
});

test('[Y4] a formula replaced at once in between runs for all inputs in that batch', () => {
  const {engine, rows, shown} = rig();
  replaceInSlices(rows, (_, item) => ({key: (item as Item).key, v: 2}));
  rows.replaceFormula(() => undefined);
  expect(shown()).toBe('');
  expect(proceed(engine)).toBe(false);
});
