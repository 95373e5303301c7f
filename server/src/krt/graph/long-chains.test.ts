// Graphs that are longer than the stack is deep.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  engineStats,
  fetch,
  fetchOrList,
  joinCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newSingleton,
  newStaticCollection,
} from '../index.ts';
import {NOTHING_LEFT} from '../testing/objects.ts';

const LENGTH = 3000;

const kinds: Record<string, (below: Collection<string>) => Collection<string>> = {
  derived: below => newCollection(below, (_, text) => text),
  map: below => mapCollection(below, text => text),
  join: below => joinCollection([below]),
  unchecked: below => joinCollection([below], {unchecked: true}),
  nested: below =>
    nestedJoinWithMergeCollection(newStaticCollection(engineOf(below), [below]), ([first]) => first),
};

const engines = new WeakMap<object, ReturnType<typeof createEngine>>();
function engineOf(collection: Collection<unknown>) {
  return engines.get(collection) as ReturnType<typeof createEngine>;
}

test.each(Object.keys(kinds))(
  '[B1] [B9] [Z1] a chain of 3,000 of kind %s is made, read, fetched, dumped and stopped',
  kind => {
    const engine = createEngine({checks: 'off'});
    const source = newStaticCollection<string>(engine, ['a']);
    const chain: Collection<string>[] = [source];
    engines.set(source, engine);
    engine.batch(() => {
      for (let i = 0; i < (kind === 'nested' ? 500 : LENGTH); i++) {
        const next = (kinds[kind] as (below: Collection<string>) => Collection<string>)(chain.at(-1)!);
        engines.set(next, engine);
        chain.push(next);
      }
      // It is read before its turn.
      newSingleton(engine, ctx => String(fetch(ctx, chain.at(-1)!).length), {name: 'reader'});
    });
    const last = chain.at(-1)!;
    source.updateObject('b');
    expect(last.list().sort()).toEqual(['a', 'b']);
    expect(fetchOrList(null, last)).toHaveLength(2);
    expect(last.getKey('b')).toBe('b');
    expect(engine.dump().length).toBeGreaterThan(0);
    expect(engine.collections().length).toBeGreaterThan(500);
    engine.stop();
    expect(engineStats(engine)).toEqual(NOTHING_LEFT);
    expect(last.list()).toHaveLength(2);
  },
);

test('[B9] singletons that each fetch the next one, made in one batch, first to last', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<string>(engine, ['a']);
  const chain: Collection<{n: number}>[] = [];
  engine.batch(() => {
    for (let i = 0; i < LENGTH; i++) {
      chain.push(
        newSingleton(engine, ctx => {
          const next = chain[i + 1];
          return {n: next === undefined ? fetch(ctx, source).length : (fetch(ctx, next)[0]?.n ?? -1) + 1};
        }),
      );
    }
  });
  expect(engine.collections().every(({failed}) => failed === 0)).toBe(true);
  expect(chain[0]?.list()).toEqual([{n: LENGTH}]);
  source.updateObject('b');
  expect(chain[0]?.list()).toEqual([{n: LENGTH + 1}]);
});
