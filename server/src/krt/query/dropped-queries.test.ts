// Data of queries without users must not answer later users of the same query.
import {expect, test} from 'vitest';
import {
  createEngine,
  engineStats,
  fetch,
  filterGeneric,
  filterLabel,
  filterNamespace,
  filterSelects,
  joinWithMergeCollection,
  newCollection,
  newSingleton,
  newStaticCollection,
  partialFetch,
} from '../index.ts';

const object = (name: string, app: string) => ({
  metadata: {name, namespace: 'n', labels: {app}},
  spec: {selector: {app}},
});

test.each([
  ['a namespace', () => filterNamespace('n')],
  ['labels', () => filterLabel({app: 'x'})],
  ['a selector', () => filterSelects({app: 'x'})],
])('[F9] a query by %s that goes and comes back finds what came in between', (_, filter) => {
  const engine = createEngine({checks: 'off'});
  const objects = newStaticCollection(engine, [object('a', 'x')]);
  // Another query always has a user, so that the collection keeps its queries.
  newSingleton(engine, ctx => ({all: fetch(ctx, objects).length}));
  const inputs = newStaticCollection<string>(engine, ['one']);
  const found = newCollection(inputs, (ctx, key) => ({key, n: fetch(ctx, objects, filter()).length}));
  expect(found.getKey('one')?.n).toBe(1);
  inputs.deleteObject('one');
  objects.updateObject(object('b', 'x'));
  objects.deleteObject('n/a');
  inputs.updateObject('two');
  expect(found.getKey('two')?.n).toBe(1);
  objects.updateObject(object('c', 'x'));
  expect(found.getKey('two')?.n).toBe(2);
});

test('[F6] a filter that throws for a new version runs its input again, though the part that it takes is equal', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection(engine, [{key: 'a', n: 1, bad: false}]);
  const rows = newSingleton(
    engine,
    ctx => {
      const good = filterGeneric((item: {bad: boolean}) => {
        if (item.bad) throw new Error('bad');
        return true;
      });
      return partialFetch(ctx, source, item => item.n, null, good);
    },
    {name: 'rows'},
  );
  source.updateObject({key: 'a', n: 1, bad: true});
  expect(rows.rowState('static')).toMatchObject({outcome: 'failed', error: 'bad', stale: true});
});

test('[C1] a merge that throws while a formula waits for it breaks neither the formula’s run nor its trace', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection(engine, [{key: 'a', n: 1}], {name: 'source', synced: false});
  const late = newStaticCollection(engine, [{key: 'a', n: 1}], {name: 'late'});
  const traces: {collection: string; outcome: string; fetches: number}[] = [];
  engine.onTrace(trace => {
    for (const {collection, outcome, fetches} of trace.runs)
      traces.push({collection, outcome, fetches: fetches.length});
  });
  engine.batch(() => {
    const merged = joinWithMergeCollection(
      [late],
      () => {
        throw new Error('no');
      },
      {name: 'merged'},
    );
    newSingleton(engine, ctx => ({n: fetch(ctx, late).length + fetch(ctx, merged).length}), {name: 'reader'});
  });
  expect(traces).toContainEqual({collection: 'merged', outcome: 'failed', fetches: 0});
  expect(traces).toContainEqual({collection: 'reader', outcome: 'added', fetches: 2});
  expect(source.hasSynced()).toBe(false);
});

test.each([
  ['a namespace', [filterNamespace('n')]],
  ['all namespaces', []],
])('[LK2] labels that nobody asks for any more are not filed, in %s', (_, where) => {
  const engine = createEngine({checks: 'off'});
  const labels = Object.fromEntries(Array.from({length: 50}, (_, i) => [`l${i}`, 'x']));
  const objects = newStaticCollection(engine, [{metadata: {name: 'a', namespace: 'n', labels}}]);
  const inputs = newStaticCollection(engine, [{key: 'asks', by: 0}]);
  const found = newCollection(inputs, (ctx, {key, by}) => ({
    key,
    n: fetch(ctx, objects, filterLabel({[`l${by}`]: 'x', [`l${by + 1}`]: 'x'}), ...where).length,
  }));
  const {buckets} = engineStats(engine);
  for (let by = 0; by < 49; by++) {
    inputs.updateObject({key: 'asks', by});
    expect(found.getKey('asks')?.n).toBe(1);
  }
  expect(engineStats(engine).buckets).toBe(buckets);
  inputs.reset([]);
  expect(engineStats(engine).buckets).toBe(0);
});
