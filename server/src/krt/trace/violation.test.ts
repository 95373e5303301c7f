import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  filterGeneric,
  filterNamespace,
  newCollection,
  newManyCollection,
  newStaticCollection,
  type Violation,
} from '../index.ts';
import {keyOf, type Thing, thing, violated} from '../testing/objects.ts';

interface Row {
  key: string;
  v?: unknown;
}
const rows = {key: (row: Row) => row.key, name: 'rows'};

function watched(checks: 'off' | 'sample' | 'all') {
  const engine = createEngine({checks});
  const things = newStaticCollection<Thing>(engine, [], {name: 'things'});
  return {engine, things};
}

test('[V2] A-01 a result that differs on repeat, found with all, on a sample, and never when off', () => {
  for (const [checks, found] of [
    ['all', 3],
    ['sample', 2],
    ['off', 0],
  ] as const) {
    const {engine, things} = watched(checks);
    let n = 0;
    newCollection(things, (_, t) => ({key: keyOf(t), v: n++}), rows);
    for (const key of ['a', 'b', 'c']) things.updateObject(thing(key));
    expect(violated(engine).filter(v => v.startsWith('non-deterministic')).length).toBe(found);
  }
});

test('[V2] a repeat is not a run: nothing is counted, recorded or announced', () => {
  const {engine, things} = watched('all');
  let calls = 0;
  let traced = 0;
  engine.onTrace(trace => {
    traced += trace.runs.length;
  });
  const derived = newCollection(
    things,
    (_, t) => {
      calls++;
      return {key: keyOf(t), v: t.v};
    },
    rows,
  );
  let announced = 0;
  derived.register(() => {
    announced++;
  });
  things.updateObject(thing('a', 1));
  expect([calls > 1, traced, announced, engine.violations()]).toEqual([true, 1, 1, []]);
  expect(engine.collections().find(c => c.name === 'rows')?.runs).toBe(1);
});

test('[V3] A-03 D-23 a formula that writes to its input is found, also if it writes the same again', () => {
  const {engine, things} = watched('all');
  newCollection(
    things,
    (_, t) => {
      if (t.v !== 'fine') t.metadata.labels = {touched: 'yes'};
      return {key: keyOf(t), v: t.metadata.labels};
    },
    rows,
  );
  things.updateObject(thing('a'));
  expect(violated(engine)).toEqual(['mutated-input rows a']);
  expect(engine.violations()[0]?.message).toMatch(/at metadata.labels/);
  things.updateObject(thing('a', 'fine'));
  expect(violated(engine)).toEqual([]);
});

test('[V3] a formula that writes to what it fetched is found', () => {
  const {engine, things} = watched('all');
  const others = newStaticCollection<Thing>(engine, [thing('n/o')], {name: 'others'});
  newCollection(
    things,
    (ctx, t) => {
      for (const other of fetch(ctx, others, filterNamespace('n'))) other.v = 1;
      return {key: keyOf(t)};
    },
    rows,
  );
  things.updateObject(thing('a'));
  expect(violated(engine)).toEqual(['mutated-fetch rows a']);
  things.deleteObject('a');
  expect(violated(engine)).toEqual([]);
});

test('[V3] A-04 rows that never compare equal although their JSON does, from the fifth time in a row', () => {
  const {engine, things} = watched('off');
  newCollection(things, (_, t) => ({key: 'k', v: t.v === 'stop' ? 0 : () => 0}), rows);
  for (let i = 0; i < 5; i++) things.updateObject(thing('a', i));
  expect(violated(engine)).toEqual([]);
  things.updateObject(thing('a', 5));
  expect(violated(engine)).toEqual(['never-equal rows k']);
  things.updateObject(thing('a', 'stop'));
  expect(violated(engine)).toEqual([]);
  const list = newStaticCollection<Thing>(engine, [thing('b', 0)]);
  newCollection(list, (_, t) => ({key: 'k', v: t.metadata.name}), {...rows, equals: () => false});
  for (let i = 0; i < 6; i++) list.updateObject(thing('b', i));
  expect(violated(engine)).toEqual(['never-equal rows k']);
});

test('[V3] A-05 a fetch that can only scan is flagged with its cost, as long as somebody makes it', () => {
  const {engine, things} = watched('off');
  const others = newStaticCollection<Thing>(engine, [thing('x'), thing('y')], {name: 'others'});
  const odd = (t: Thing) => Number(t.v) % 2 === 1;
  newCollection(
    things,
    (ctx, t) => ({key: keyOf(t), v: fetch(ctx, others, filterGeneric(odd)).length}),
    rows,
  );
  newCollection(
    things,
    (ctx, t) => ({key: keyOf(t), v: fetch(ctx, others, filterGeneric(odd), filterNamespace('n')).length}),
    {
      ...rows,
      name: 'narrowed',
    },
  );
  for (const key of ['a', 'b']) things.updateObject(thing(key));
  expect(violated(engine)).toEqual(['full-scan rows others']);
  expect(engine.violations()[0]?.message).toMatch(/all 2 items.*2 inputs/);
  things.deleteObjects(() => true);
  expect(violated(engine)).toEqual([]);
});

test('[V1] violations are counted by key, told to listeners, and numbered by batch', () => {
  const {engine, things} = watched('off');
  const told: Violation[] = [];
  const off = engine.onViolation(v => void told.push(v));
  newManyCollection(things, (_, t) => [{key: 'k', v: t.v}, {key: 'k'}], rows);
  things.updateObject(thing('a', 1));
  things.updateObject(thing('a', 2));
  expect(engine.violations()).toMatchObject([
    {code: 'duplicate-in-result', collection: 'rows', keys: ['k', 'a'], count: 2, sequence: 2},
  ]);
  expect(told.map(v => [v.count, v.sequence])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  off();
  things.updateObject(thing('a', 3));
  expect(told.length).toBe(2);
});
