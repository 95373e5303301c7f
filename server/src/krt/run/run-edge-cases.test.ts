// Edge cases of runs: results of the wrong form, swallowed errors, equalities that write.
import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  inputs,
  mapCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newStaticCollection,
  newStatusCollection,
} from '../index.ts';
import {type Item, item, violated} from '../testing/objects.ts';

const off = () => createEngine({checks: 'off'});

test('[D4] a formula with a status may return nothing at all', () => {
  const source = newStaticCollection<Item>(off(), [item('a'), item('b', 0)]);
  const [status, rows] = newStatusCollection(source, (_, one) =>
    one.n === 0 ? undefined : ['ok', {...one}],
  );
  expect(inputs(rows).map(({outcome}) => outcome)).toEqual(['added', 'empty']);
  expect([status.list().length, rows.list()]).toEqual([1, [item('a')]]);
  source.updateObject(item('a', 0));
  expect([status.list(), rows.list()]).toEqual([[], []]);
});

test('[D4] an async formula is told to be one, whatever it should return', () => {
  const source = newStaticCollection<Item>(off(), [item('a')]);
  const many = newManyCollection(source, (async () => []) as never);
  const [, paired] = newStatusCollection(source, (async () => ['ok', undefined]) as never);
  for (const rows of [many, paired])
    expect(inputs(rows)).toMatchObject([
      {outcome: 'failed', error: expect.stringContaining('returned a promise')},
    ]);
});

test('[B8] a circle is what fails a run, also if its formula swallows it and throws something else', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const first: ReturnType<typeof newCollection<Item, Item>> = newCollection(
    source,
    (ctx, one) => {
      if (one.n < 2) return {...one};
      try {
        fetch(ctx, second);
      } catch {
        throw new Error('something else');
      }
      return {...one};
    },
    {name: 'first'},
  );
  const second = newCollection(first, (_, one) => ({...one}), {name: 'second'});
  source.updateObject(item('a', 2));
  expect(inputs(first)).toMatchObject([
    {outcome: 'failed', error: expect.stringContaining('closes the cycle')},
  ]);
  expect(violated(engine)).toEqual(['cycle first a']);
});

test('[D6] what threw nothing has failed all the same, and an error is over when a run goes well', () => {
  const source = newStaticCollection<Item>(off(), [item('a', 0)]);
  const rows = newCollection(source, (_, one) => {
    if (one.n === 0) throw undefined;
    if (one.n === 1) throw new Error('one');
    return {...one};
  });
  const errors = [0, 1, 2].map(n => {
    source.updateObject(item('a', n));
    return inputs(rows)[0]?.error;
  });
  expect(errors).toEqual(['the formula threw nothing', 'one', undefined]);
});

test('[S1] an equality that writes is refused, and nothing of its write has happened', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')], {
    equals: (): boolean => {
      source.updateObject(item('b'));
      return true;
    },
  });
  expect(() => source.conditionalUpdateObject(item('a', 2))).toThrow('a formula must not write');
  expect(source.list()).toEqual([item('a')]);
});

test('[M1] a map may leave items out, and says by key which one it cannot make', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a'), item('b', 0), item('c', -1)]);
  const mapped = mapCollection(
    source,
    one => {
      if (one.n < 0) throw new Error('below zero');
      return one.n === 0 ? undefined : {...one};
    },
    {name: 'mapped', key: one => one!.key},
  );
  expect(mapped.list()).toEqual([item('a')]);
  expect(engine.violations()).toMatchObject([
    {code: 'map-failed', keys: ['c'], message: expect.stringContaining('mapped{c} threw: below zero')},
  ]);
});

test('[V2] what cannot be made is no violation any more once it is gone', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a', -1)]);
  const strict = (n: number): number => {
    if (n < 0) throw new Error('below zero');
    return n;
  };
  mapCollection(source, one => ({...one, n: strict(one.n)}), {name: 'mapped'});
  newIndex(source, 'n', ({n}) => [n]).asCollection({
    name: 'groups',
    fromString: text => strict(Number(text)),
  });
  expect(violated(engine).sort()).toEqual(['map-failed groups -1', 'map-failed mapped a']);
  source.deleteObject('a');
  expect(engine.violations()).toEqual([]);
});
