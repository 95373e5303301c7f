// Edge cases of answers about a graph: limits, unreadable values, stopped collections.
import {expect, test} from 'vitest';
import {
  createEngine,
  dependenciesOf,
  dumpPieces,
  fetch,
  fetchOrList,
  filterGeneric,
  filterKey,
  filterLabel,
  filterSelects,
  holdRows,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newFolderWatch,
  newManyCollection,
  newStaticCollection,
  outline,
  probe,
} from '../index.ts';
import {type Item, item, rig, violated} from '../testing/objects.ts';

const off = () => createEngine({checks: 'off'});

test('[C5] of many filters of an edge 64 are told', () => {
  const engine = off();
  const other = newStaticCollection<Item>(engine, [], {name: 'other'});
  const source = newStaticCollection<Item>(
    engine,
    Array.from({length: 80}, (_, i) => item(`k${i}`)),
  );
  newCollection(source, (ctx, {key}) => item(key, fetch(ctx, other, filterKey(key)).length), {name: 'rows'});
  const edge = engine.collections().find(({name}) => name === 'rows')!.inputs[1]!;
  expect([edge.filters.length, new Set(edge.filters).size, edge.fetches]).toEqual([64, 64, 80]);
});

test('[C5] a dependency whose filter throws finds nothing, and says why', () => {
  const engine = off();
  const other = newStaticCollection<Item>(engine, [item('x')]);
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, (ctx, {key}) => {
    fetch(ctx, other, filterKey('x'));
    fetch(
      ctx,
      other,
      filterGeneric(() => {
        throw new Error('cannot say');
      }),
    );
    return item(key);
  });
  expect(dependenciesOf(rows, 'a')).toMatchObject([
    {keys: ['x'], matched: 1},
    {keys: [], matched: 0, error: 'cannot say'},
  ]);
});

test('[C5] sources come first in the outline, whenever they were made', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  newCollection(source, (_, one) => ({...one}), {name: 'rows'});
  newStaticCollection<Item>(engine, [], {name: 'late source'});
  expect(outline(engine).map(({name}) => name)).toEqual(['source', 'late source', 'rows']);
});

test('[C5] a probe of a formula that writes is refused', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  let writes = false;
  const rows = newCollection(
    source,
    (_, one) => {
      if (writes) source.updateObject(item('b'));
      return {...one};
    },
    {name: 'rows'},
  );
  writes = true;
  expect(probe(rows, 'a', value => value).error).toContain('rows{a}: a formula must not write');
  expect(source.list()).toEqual([item('a')]);
});

test('[V2] the only violation goes with its collection', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, (_, one) => item(one.key, source.list().length), {name: 'rows'});
  expect(violated(engine)).toEqual(['untracked-read rows a']);
  rows.stop();
  expect(engine.violations()).toEqual([]);
});

test('[V3] what is written to is named by the row it is', () => {
  const engine = createEngine({checks: 'all'});
  const other = newStaticCollection<Item>(engine, [item('a'), item('b')]);
  // Items without keys of their own: only the row identifies them.
  const plain = mapCollection(other, ({n}) => ({n}), {name: 'plain'});
  const source = newStaticCollection<string>(engine, ['x']);
  newCollection(source, (ctx, key) => {
    fetch(ctx, plain)[1]!.n = 5;
    return key;
  });
  expect(engine.violations()).toMatchObject([
    {code: 'mutated-fetch', message: expect.stringContaining('plain "b" at n')},
  ]);
});

test('[F3] texts have no labels, and that is nobody’s violation; a selector that is undefined is empty', () => {
  const engine = off();
  const texts = newStaticCollection<string>(engine, ['a']);
  const services = newStaticCollection(engine, [
    {metadata: {name: 's'}, spec: {selector: {app: 'x'}}},
  ]) as ReturnType<
    typeof newStaticCollection<{
      metadata: {name: string};
      spec: {selector: Record<string, string | undefined>};
    }>
  >;
  const source = newStaticCollection<string>(engine, ['i']);
  const rows = newCollection(source, (ctx, key) => ({
    key,
    n: [
      fetch(ctx, texts, filterLabel({app: 'x'})).length,
      fetch(ctx, texts, filterLabel({})).length,
      fetch(ctx, services, filterSelects({app: 'y'})).length,
    ],
  }));
  expect([rows.getKey('i')?.n, engine.violations()]).toEqual([[0, 1, 0], []]);
  services.updateObject({metadata: {name: 's'}, spec: {selector: {app: undefined}}});
  expect(rows.getKey('i')?.n).toEqual([0, 1, 1]);
});

test('[S2] in the middle of a batch what is deleted is not listed', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a'), item('b')]);
  const seen = engine.batch(() => {
    source.deleteObject('a');
    return [fetchOrList(null, source), source.list(), source.getKey('a'), engine.collections()[0]?.size];
  });
  expect(seen).toEqual([[item('b')], [item('b')], undefined, 1]);
});

test('[D5] a row that passes to another input in one batch, and is equal, has not changed', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  const rows = newCollection(source, (_, {n}) => ({key: 'shared', n}), {name: 'rows'});
  const heard: string[] = [];
  rows.register(({event}) => void heard.push(event));
  traces();
  engine.batch(() => {
    source.deleteObject('a');
    source.updateObject(item('b'));
  });
  engine.batch(() => {
    source.updateObject(item('a'));
    source.deleteObject('b');
  });
  expect(heard).toEqual(['add']);
  expect(
    traces().flatMap(({published}) => published.filter(({collection}) => collection === 'rows')),
  ).toEqual([]);
});

test('[D4] a formula that should return a list is told so', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a')]);
  for (const wrong of [5, 'text', {}]) {
    const rows = newManyCollection(source, () => wrong as never, {name: 'rows'});
    expect(rows.rowState('a')?.error).toBe('the formula of "rows" must return a list of items');
  }
});

test('[V6] one row that comes out equal does not end the count of another', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [item('a', 0), item('b', 0)]);
  newCollection(source, (_, {key, n}) => ({key, f: key === 'b' && n > 1 ? undefined : () => n}), {
    name: 'rows',
  });
  for (let n = 1; n < 7; n++) for (const key of ['a', 'b']) source.updateObject(item(key, n));
  expect(violated(engine)).toEqual(['never-equal rows a']);
});

test('[C2] the first run of a new collection has no cause but its formula', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  traces();
  newCollection(source, (_, one) => ({...one}));
  expect(traces()[0]!.runs[0]!.causes).toEqual([{kind: 'formula'}]);
});

test('[C6] what cannot be written into the debug document is named in its place', () => {
  const engine = off();
  newStaticCollection<() => number>(engine, [() => 1], {name: 'functions', key: () => 'f'});
  const [entry] = engine.dump();
  expect(entry?.state.outputs).toEqual({f: {error: 'what is of type function cannot be written as JSON'}});
  expect(JSON.parse([...dumpPieces(engine, () => true)].join(''))).toMatchObject([entry]);
});

test('[Y5] rows are held for the inputs that have some; all others run', () => {
  const engine = off();
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const rows = newCollection(source, (_, one) => item(one.key, 100));
  const release = holdRows(rows, new Map([['a', [item('a', 7)]]]));
  source.reset([item('a'), item('b')]);
  expect(rows.list()).toEqual([item('a', 7), item('b', 100)]);
  release();
  expect(rows.list()).toEqual([item('a', 100), item('b', 100)]);
});

test('[J2] an unchecked join whose members share a key replays and lists all of them; a merge counts what failed', () => {
  const engine = off();
  const [left, right] = [1, 2].map(n => newStaticCollection<Item>(engine, [item('a', n)]));
  const joined = joinCollection([left!, right!], {name: 'joined', unchecked: true});
  const heard: number[] = [];
  joined.register(({new: one}) => void heard.push(one!.n));
  expect([heard, joined.list().map(({n}) => n)]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const merged = joinWithMergeCollection(
    [left!, right!],
    () => {
      throw new Error('no');
    },
    {name: 'merged'},
  );
  expect(engine.collections().find(({uid}) => uid === merged.uid)).toMatchObject({failed: 1, size: 0});
});

test('[Q1] a folder that cannot be read is not watched', () => {
  const watched: string[] = [];
  const reader = {
    list: (): string[] => {
      throw new Error('no such folder');
    },
    read: () => '',
    watch: () => {
      watched.push('watch');
      return () => void watched.push('unwatch');
    },
  };
  expect(() => newFolderWatch(createEngine({reader}), '/x', () => [])).toThrow('no such folder');
  expect(watched).toEqual(['watch', 'unwatch']);
});
