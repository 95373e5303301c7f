// The exact findings of repeated runs: fields that appear and disappear, errors in the second run, and which runs are
// sampled.
import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  newCollection,
  newManyCollection,
  newStaticCollection,
  newStatusManyCollection,
  onTurn,
  probe,
} from '../index.ts';
import {violated} from '../testing/objects.ts';

interface Item {
  key: string;
  n: number;
  note?: string;
  list?: number[];
}

test('[V3] what a formula writes to its input, or adds to it, is found, also if no setter knows of it', () => {
  for (const [write, field] of [
    [(item: Item) => Object.assign(item, {note: 'x'}), 'note'],
    [(item: Item) => Object.assign(item, {[`new${Object.keys(item).length}`]: 1}), 'new'],
    [(item: Item) => item.list?.push(1), 'list'],
    [(item: Item) => item.list?.sort(), 'list'],
  ] as const) {
    const engine = createEngine({checks: 'all'});
    const source = newStaticCollection<Item>(engine, []);
    newCollection(source, (_, item) => {
      write(item);
      return {key: item.key};
    });
    source.updateObject({key: 'a', n: 1, list: [2, 1]});
    expect(engine.violations()).toMatchObject([
      {code: 'mutated-input', keys: ['a'], message: expect.stringContaining(`at ${field}`)},
    ]);
  }
});

test('[V3] a formula that yields something else, or throws, when it is repeated says which', () => {
  for (const [second, words] of [
    [() => ({key: 'a', n: 2}), 'yields something else'],
    [() => ({key: 'b', n: 1}), 'yields something else'],
    [() => undefined, 'yields something else'],
    [
      () => {
        throw new Error('not again');
      },
      'throws (not again)',
    ],
  ] as const) {
    const engine = createEngine({checks: 'all'});
    const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
    let calls = 0;
    newCollection(source, () => (calls++ === 0 ? {key: 'a', n: 1} : second()));
    const [violation] = engine.violations();
    expect(violation).toMatchObject({code: 'non-deterministic', message: expect.stringContaining(words)});
  }
});

test('[V2] a sample repeats the first run, the second, the fourth and so on', () => {
  const engine = createEngine();
  const source = newStaticCollection<Item>(engine, []);
  let calls = 0;
  newCollection(source, (_, item) => {
    calls++;
    return {key: item.key, n: item.n};
  });
  const repeated: number[] = [];
  for (let run = 1; run <= 20; run++) {
    calls = 0;
    source.updateObject({key: 'a', n: run});
    if (calls > 1) repeated.push(run);
  }
  expect(repeated).toEqual([1, 2, 4, 8, 16]);
});

test('[V2] a repeat gets what the run got, and its fetches leave no dependency', () => {
  const engine = createEngine({checks: 'all'});
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const other = newStaticCollection<Item>(engine, [{key: 'b', n: 1}]);
  newCollection(source, (ctx, item) => ({
    key: item.key,
    n: fetch(ctx, other).length + fetch(ctx, source).length,
  }));
  expect(engine.violations()).toEqual([]);
  other.updateObject({key: 'c', n: 1});
  expect(engine.violations()).toEqual([]);
});

test('[B1] whose turn begins is told, in the order of turns', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, []);
  const rows = newCollection(source, (_, item) => ({...item}));
  const turns: number[] = [];
  onTurn(engine, uid => void turns.push(uid));
  source.updateObject({key: 'a', n: 1});
  expect(turns).toEqual([source.uid, rows.uid]);
});

test('[V2] whose run is repeated is told, too: it may take as long as the run did', () => {
  const engine = createEngine({checks: 'all'});
  const source = newStaticCollection<Item>(engine, []);
  const said: string[] = [];
  const first = newCollection(source, (_, item) => {
    said.push('first runs');
    return {...item};
  });
  const second = newCollection(first, (_, item) => {
    said.push('second runs');
    return {...item};
  });
  onTurn(engine, uid => {
    if (uid !== source.uid) said.push(uid === second.uid ? 'second' : 'first');
  });
  source.updateObject({key: 'a', n: 1});
  expect(said).toEqual([
    ...['first', 'first runs', 'second', 'second runs'],
    ...['first', 'first runs', 'first runs', 'second', 'second runs', 'second runs'],
  ]);
});

test('[V3] what a generator writes while its items are taken is found as well, beside a status, too', () => {
  const engine = createEngine({checks: 'all'});
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}], {name: 'source'});
  const others = newStaticCollection<Item>(engine, [{key: 'b', n: 1}], {name: 'others'});
  newManyCollection(
    source,
    function* (_, item: Item) {
      item.note = 'x';
      yield {key: item.key};
    },
    {name: 'writes to its input'},
  );
  function* each(found: readonly Item[]) {
    for (const one of found) {
      one.note = 'x';
      yield {key: one.key};
    }
  }
  newStatusManyCollection(source, ctx => ['ok', each(fetch(ctx, others))], {name: 'writes to its fetch'});
  expect(violated(engine)).toEqual([
    'mutated-input writes to its input a',
    'mutated-fetch writes to its fetch a',
  ]);
});

test('[C6] a probe gives the items of a generator as a list, with everything read in it', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const others = newStaticCollection<Item>(engine, [{key: 'b', n: 1}]);
  const rows = newManyCollection(source, function* (ctx) {
    for (const one of fetch(ctx, others)) yield {key: one.key};
  });
  const read: string[] = [];
  const probed = probe(rows, 'a', (item, {key}) => {
    read.push(key);
    return item;
  });
  expect([probed.value, read]).toEqual([[{key: 'b'}], ['a', 'b']]);
});

test('[C6] a probe gives a status beside what a generator yields, and leaves alone what is a list, nothing or neither', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  function* each() {
    yield {key: 'b'};
  }
  const [, outputs] = newStatusManyCollection(source, () => ['ok', each()]);
  expect(probe(outputs, 'a', item => item)).toEqual({discarded: false, value: ['ok', [{key: 'b'}]]});
  for (const result of [[{key: 'b'}], undefined, null, 5]) {
    const rows = newManyCollection(source, () => result as never);
    expect(probe(rows, 'a', item => item).value).toBe(result);
    const [, beside] = newStatusManyCollection(source, () => ['ok', result] as never);
    expect(probe(beside, 'a', item => item).value).toEqual(['ok', result]);
  }
});
