// Runs that are rolled back, or whose collection stops during the run, leave nothing behind.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  engineStats,
  fetch,
  holdRows,
  mapCollection,
  newCollection,
  newManyCollection,
  newStaticCollection,
} from '../index.ts';
import {type Item, NOTHING_LEFT} from '../testing/objects.ts';

test('[Z2] [R6] a suspension that is swallowed before a fetch is put off leaves no edge', () => {
  const engine = createEngine({checks: 'off'});
  const late = newStaticCollection<Item>(engine, [], {synced: false});
  const flag = newStaticCollection<Item>(engine, [{key: 'f', n: 0}]);
  const all: Collection<Item>[] = [];
  const swallowed = (read: () => unknown) => {
    try {
      read();
    } catch {}
  };
  for (let i = 0; i < 120; i++) {
    all.push(
      newCollection(flag, (ctx, {key, n}: Item) => {
        if (n > 0) swallowed(() => fetch(ctx, late));
        if (n > 0 && i < 119) swallowed(() => fetch(ctx, all[i + 1] as Collection<Item>));
        return {key, n};
      }),
    );
  }
  flag.updateObject({key: 'f', n: 1});
  flag.updateObject({key: 'f', n: 0});
  for (const each of [...all, flag, late]) each.stop();
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
});

test('[Z2] two fetches of one run that are put off, and swallowed, leave no edge either', () => {
  const engine = createEngine({checks: 'off'});
  const flag = newStaticCollection<Item>(engine, [{key: 'f', n: 0}]);
  const chains: Collection<Item>[][] = [[], []];
  let calls = 0;
  for (let i = 0; i < 120; i++) {
    for (const chain of chains) {
      chain.push(
        newCollection(flag, (ctx, {key, n}: Item) => {
          calls++;
          let sum = n;
          for (const {[i + 1]: next} of chains) {
            try {
              if (n > 0 && next !== undefined) sum += fetch(ctx, next)[0]?.n ?? 0;
            } catch {}
          }
          return {key, n: sum};
        }),
      );
    }
  }
  calls = 0;
  flag.updateObject({key: 'f', n: 1});
  // More runs than the stack allows: some run twice.
  expect(calls).toBeGreaterThan(240);
  // Each adds two of the later ones, which give equal results: 1, 3, 7, 15 …
  expect(chains.map(chain => chain[117]?.list())).toEqual([[{key: 'f', n: 7}], [{key: 'f', n: 7}]]);
  expect(chains[0]?.[0]?.list()).toEqual([{key: 'f', n: 2 ** 120 - 1}]);
  flag.updateObject({key: 'f', n: 0});
  for (const each of [...chains.flat(), flag]) each.stop();
  expect(engineStats(engine)).toEqual(NOTHING_LEFT);
});

test('[G3] [Z2] a collection that its maker ends while its own formula is under way keeps no dependency', () => {
  const engine = createEngine({checks: 'off'});
  const flags = newStaticCollection<Item>(engine, [{key: 'f', n: 0}]);
  const source = newStaticCollection<Item>(engine, [{key: 'x', n: 0}]);
  let up: Collection<Item> = source;
  for (let i = 0; i < 5; i++) up = newCollection(up, (_, item: Item) => ({...item}));
  const held: {makers?: Collection<Collection<Item>>} = {};
  held.makers = newCollection(up, () =>
    newCollection(
      flags,
      (ctx, {key, n}: Item): Item => ({
        key,
        n: n > 0 ? fetch(ctx, held.makers as Collection<Collection<Item>>).length : 0,
      }),
    ),
  ) as unknown as Collection<Collection<Item>>;
  engine.batch(() => {
    flags.updateObject({key: 'f', n: 1});
    source.updateObject({key: 'x', n: 1});
  });
  source.reset([]);
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0});
});

test('[F10] rows held over a map whose rows share a value are each input’s own', () => {
  const engine = createEngine({checks: 'off'});
  const items = newStaticCollection<Item>(engine, []);
  const shared = {v: 1};
  const rows = newManyCollection(
    mapCollection(items, () => shared),
    () => [] as {key: string}[],
  );
  holdRows(
    rows,
    new Map([
      ['a', [{key: 'ra'}]],
      ['b', [{key: 'rb'}]],
    ]),
  );
  items.reset([
    {key: 'a', n: 1},
    {key: 'b', n: 1},
  ]);
  expect(rows.list().map(({key}) => key)).toEqual(['ra', 'rb']);
});

test('[V3] rows that are held are the same when the run is repeated', () => {
  const engine = createEngine({checks: 'all'});
  const items = newStaticCollection<Item>(engine, []);
  const rows = newCollection(items, (_, item: Item) => ({...item}));
  holdRows(rows, new Map([['a', [{key: 'a', n: 7}]]]));
  items.updateObject({key: 'a', n: 1});
  expect(rows.list()).toEqual([{key: 'a', n: 7}]);
  expect(engine.violations()).toEqual([]);
});
