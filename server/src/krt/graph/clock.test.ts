// A clock that throws, writes or returns no time does not break a batch.
import {expect, test} from 'vitest';
import {
  type BatchTrace,
  createEngine,
  newCollection,
  newStatic,
  newStaticCollection,
  tracked,
} from '../index.ts';
import type {Item} from '../testing/objects.ts';

const good: Item = {key: 'good', n: 1};
const bad: Item = {key: 'bad', n: 13};

test('[H5] a clock that throws costs no batch', () => {
  const engine = createEngine({
    checks: 'off',
    clock: {
      now() {
        throw new Error('no time');
      },
      after: () => () => {},
    },
  });
  engine.onTrace(() => {});
  const one = newStatic(engine, 'a');
  const tracker = tracked(one);
  one.set('b');
  expect(tracker.taken()).toEqual(['delete/a', 'add/b']);
});

test('[B7] a clock that writes is refused like any other function, and the batch comes to an end', () => {
  let asked = 0;
  const engine = createEngine({
    checks: 'off',
    clock: {
      now: () => {
        if (++asked < 100) written.updateObject('x');
        return asked;
      },
      after: () => () => {},
    },
  });
  const written = newStaticCollection<string>(engine);
  const texts = newStaticCollection<string>(engine);
  const traces: BatchTrace[] = [];
  engine.onTrace(trace => traces.push(trace));
  texts.updateObject('y');
  expect(traces.map(({sequence, settled}) => [sequence, settled])).toEqual([[1, 0]]);
  expect(written.list()).toEqual([]);
});

test.each<[string, () => unknown]>([
  ['a promise', () => Promise.reject(new Error('late'))],
  ['a symbol', () => Symbol('now')],
  ['a large number', () => 5n],
  ['no number', () => Number.NaN],
  ['something else each time', sometimes()],
])('[C3] [H5] a clock that says %s says 0, and costs no batch', (_, now) => {
  const engine = createEngine({checks: 'off', clock: {now: now as () => number, after: () => () => {}}});
  const traces: BatchTrace[] = [];
  engine.onTrace(trace => traces.push(trace));
  const source = newStaticCollection<Item>(engine, []);
  const rows = newCollection(source, (_, item) => item);
  source.updateObject(good);
  source.updateObject(bad);
  expect(rows.list()).toEqual([good, bad]);
  expect(traces.at(-1)).toMatchObject({received: 0, settled: 0, runs: [{start: 0, duration: 0}]});
});

/** Throws every second time, which counts as 0, and returns odd numbers in between. */
function sometimes(): () => unknown {
  let asked = 0;
  return () => {
    if (asked++ % 2 === 0) throw new Error('no time');
    return 5n;
  };
}
