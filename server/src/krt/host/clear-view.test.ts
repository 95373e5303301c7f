// A view that is cleared before it is stopped announces that its rows go, and takes no more from its inputs.
import {expect, test} from 'vitest';
import {
  clearView,
  createEngine,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  newIndex,
  newStaticCollection,
} from '../index.ts';

const items = [
  {key: 'a', n: 1},
  {key: 'b', n: 1},
];

test.each(['join', 'merge', 'map', 'group'] as const)('a %s', kind => {
  const engine = createEngine();
  const source = newStaticCollection(engine, items, {name: 'Source', key: one => one.key});
  const view = {
    join: () => joinCollection([source, mapCollection(source, one => one)]),
    merge: () => joinWithMergeCollection([source], ([one]) => one),
    map: () => mapCollection(source, one => one),
    group: () => newIndex(source, 'n', one => [`${one.n}`]).asCollection(),
  }[kind]();
  expect(view.list()).not.toEqual([]);
  const seen: string[] = [];
  view.register(({event, key}) => {
    seen.push(`${event} ${key}`);
  });
  seen.length = 0;
  engine.batch(() => {
    clearView(view as never);
    source.updateObject({key: 'c', n: 1});
  });
  expect(seen.sort()).toEqual(kind === 'group' ? ['delete 1'] : ['delete a', 'delete b']);
  source.updateObject({key: 'd', n: 1});
  expect(view.list()).toEqual([]);
  view.stop();
  expect(source.list().length).toBe(4);
});
