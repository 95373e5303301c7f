// A change runs exactly the inputs that asked for the changed item, however many are added, removed or changed.
import {expect, test} from 'vitest';
import {
  createEngine,
  engineStats,
  fetch,
  filterNamespace,
  newCollection,
  newStaticCollection,
} from '../index.ts';

interface Asker {
  key: string;
  asks: string[];
}
interface Item {
  key: string;
  ns: string;
}

function askers(count: number) {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, [], {namespace: item => item.ns});
  const inputs = newStaticCollection<Asker>(
    engine,
    Array.from({length: count}, (_, i) => ({key: `k${i}`, asks: ['a']})),
  );
  let ran: string[] = [];
  newCollection(inputs, (ctx, {key, asks}: Asker) => {
    ran.push(key);
    return {key, n: asks.reduce((sum, ns) => sum + fetch(ctx, items, filterNamespace(ns)).length, 0)};
  });
  let version = 0;
  return {
    inputs,
    links: () => engineStats(engine).dependencies,
    /** The inputs that run when an item enters this namespace, in order. */
    runFor(ns: string): string[] {
      ran = [];
      items.updateObject({key: `i${++version}`, ns});
      return ran;
    },
  };
}

const keys = (from: number, to: number) => Array.from({length: to - from}, (_, i) => `k${from + i}`);

test.each([3, 16, 17, 60])('[F2] of %i that ask the same, one that goes or asks else does not run', count => {
  const {inputs, runFor, links} = askers(count);
  expect(runFor('a')).toEqual(keys(0, count));
  inputs.deleteObject('k0');
  expect(runFor('a')).toEqual(keys(1, count));
  inputs.updateObject({key: 'k1', asks: ['b']});
  expect(runFor('a')).toEqual(keys(2, count));
  expect(runFor('b')).toEqual(['k1']);
  inputs.updateObject({key: 'k1', asks: ['a']});
  expect(runFor('a')).toEqual([...keys(2, count), 'k1']);
  expect(runFor('b')).toEqual([]);
  expect(links()).toBe(count - 1);
});

test.each([2, 30])(
  '[F2] one that asks the same twice, at another place, or %i times else, counts once',
  many => {
    const {inputs, runFor, links} = askers(40);
    const others = Array.from({length: many}, (_, i) => `n${i}`);
    inputs.updateObject({key: 'k7', asks: ['a', 'a']});
    expect(links()).toBe(40);
    inputs.updateObject({key: 'k7', asks: [...others, 'a', ...others, 'a']});
    expect(links()).toBe(40 + many);
    expect(runFor('a')).toEqual(keys(0, 40));
    expect(runFor('n1')).toEqual(['k7']);
    inputs.updateObject({key: 'k7', asks: ['a', ...others]});
    expect(links()).toBe(40 + many);
    inputs.updateObject({key: 'k7', asks: []});
    expect(links()).toBe(39);
    expect(runFor('a')).toEqual([...keys(0, 7), ...keys(8, 40)]);
    inputs.updateObject({key: 'k7', asks: [...others, 'a', ...others, 'a']});
    expect(links()).toBe(40 + many);
    expect(runFor('a')).toEqual([...keys(0, 7), ...keys(8, 40), 'k7']);
  },
);
