import {expect, test} from 'vitest';
import {
  engineStats,
  fetch,
  fetchOne,
  fetchOrList,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelectsNonEmpty,
  type HandlerContext,
  mapCollection,
  newCollection,
  newIndex,
  newSingleton,
  newStaticCollection,
  partialFetch,
  resourceExists,
  tracked,
} from '../index.ts';
import {keyOf, reader, rig, type Thing, thing, violated} from '../testing/objects.ts';

test('[F2] F-01 a fetch of all follows every change', () => {
  const {source, found, runs} = reader((ctx, all) => fetch(ctx, all));
  source.updateObject(thing('a'));
  source.updateObject(thing('b'));
  source.deleteObject('a');
  expect(found()).toEqual(['b']);
  expect(runs()).toEqual([
    'rows i changed <- source a add (all, new, scan)',
    'rows i changed <- source b add (all, new, scan)',
    'rows i changed <- source a delete (all, old, scan)',
  ]);
});

test('[F2] F-03 an object that goes from one fetch to another runs the input, without a change', () => {
  const {source, rows, runs} = reader((ctx, all) => [
    ...fetch(ctx, all, filterLabel({app: 'x'})),
    ...fetch(ctx, all, filterLabel({app: 'y'})),
  ]);
  source.updateObject(thing('a', 0, {app: 'x'}));
  const tracker = tracked(rows);
  runs();
  source.updateObject(thing('a', 0, {app: 'y'}));
  expect(runs()).toEqual([
    'rows i equal <- source a update (labels app=x, old, labels), source a update (labels app=y, new, labels)',
  ]);
  expect(tracker.taken()).toEqual([]);
});

test('[F2] F-04 F-05 fetched keys run the input when they come, change and go', () => {
  const {source, runs, found} = reader((ctx, all) => [
    ...fetch(ctx, all, filterKey('a')),
    ...fetch(ctx, all, filterKey('b')),
  ]);
  for (const key of ['b', 'a', 'c']) source.updateObject(thing(key, 1));
  expect(found()).toEqual(['a', 'b']);
  source.updateObject(thing('a', 2));
  source.deleteObject('b');
  expect(runs().length).toBe(4);
  expect(found()).toEqual(['a']);
});

test('[F2] F-06 a fetch by key does not hide a fetch of all', () => {
  const {source, found} = reader((ctx, all) => {
    fetch(ctx, all, filterKey('a'));
    return fetch(ctx, all);
  });
  source.updateObject(thing('other'));
  expect(found()).toEqual(['other']);
});

test('[F2] F-07 keys and an index on one source each run the input', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [], {name: 'source'});
  const byV = newIndex(source, 'byV', t => [String(t.v)]);
  const single = newSingleton(all.engine, ctx => {
    const found = [...fetch(ctx, source, filterKeys('a', 'b')), ...byV.fetch(ctx, 'x')];
    return {found: found.map(keyOf).sort()};
  });
  source.updateObject(thing('b', 1));
  source.updateObject(thing('c', 'x'));
  source.updateObject(thing('d', 'y'));
  expect(single.get()).toEqual({found: ['b', 'c']});
});

test('[F1] F-09 filters are joined by and; namespaces go with all of them', () => {
  const {source, found} = reader((ctx, all) =>
    fetch(ctx, all, filterKeys('n/a', 'm/a'), filterLabel({app: 'x'}), filterNamespace('n')),
  );
  source.updateObject(thing('n/a', 0, {app: 'x'}));
  source.updateObject(thing('m/a', 0, {app: 'x'}));
  expect(found()).toEqual(['n/a']);
  source.updateObject(thing('n/a', 0, {app: 'y'}));
  expect(found()).toEqual([]);
});

test('[F1] F-10 of two filters of one kind the last counts', () => {
  const {source, found} = reader((ctx, all) => fetch(ctx, all, filterKey('a'), filterKey('b')));
  source.updateObject(thing('a'));
  source.updateObject(thing('b'));
  expect(found()).toEqual(['b']);
});

test('[F1] F-11 a key with an index throws', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, []);
  const byV = newIndex(source, 'byV', () => []);
  newSingleton(all.engine, ctx => fetch(ctx, source, filterKey('a'), filterIndex(byV, 'x'))[0]);
  expect(all.traces().at(-1)?.runs[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/key.*index/),
  });
});

test('[F2] F-15 a generic filter over the input works for old and new versions', () => {
  const {source, inputs, found, runs} = reader((ctx, all, item) =>
    fetch(
      ctx,
      all,
      filterGeneric((t: Thing) => t.v === item.v),
    ),
  );
  source.updateObject(thing('a', 'k1'));
  expect(found()).toEqual(['a']);
  source.updateObject(thing('a', 'k2'));
  expect(found()).toEqual([]);
  runs();
  source.updateObject(thing('a', 'k3'));
  expect(runs()).toEqual([]);
  inputs.updateObject(thing('i', 'k3'));
  expect(found()).toEqual(['a']);
});

test('[F5] F-16 fetchOne: none, one, more than one', () => {
  const {source, traces, found} = reader((ctx, all) => {
    const one = fetchOne(ctx, all, filterLabel({app: 'x'}));
    return one === undefined ? [] : [one];
  });
  expect(found()).toEqual([]);
  source.updateObject(thing('a', 0, {app: 'x'}));
  expect(found()).toEqual(['a']);
  traces();
  source.updateObject(thing('b', 0, {app: 'x'}));
  expect(traces()[0]?.runs[0]).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(/found 2 items/),
  });
});

test('[F5] F-17 without a context fetchOrList lists and fetch throws; a kept context throws too', () => {
  let kept: HandlerContext | undefined;
  const {engine, source} = reader((ctx, all) => {
    kept = ctx;
    return fetch(ctx, all, filterKey('zzz'));
  });
  source.updateObject(thing('n/a', 0, {app: 'x'}));
  expect(fetchOrList(undefined, source, filterNamespace('n'), filterLabel({app: 'x'})).length).toBe(1);
  expect(engineStats(engine).dependencies).toBe(1);
  expect(() => fetch(undefined as never, source)).toThrow(/context/);
  expect(() => fetch(kept as HandlerContext, source)).toThrow(/after it had returned/);
});

test('[F5] what is no context is refused in words, by whichever call', () => {
  const {source} = reader(() => []);
  const calls: ((ctx: HandlerContext) => unknown)[] = [
    ctx => fetch(ctx, source),
    ctx => fetchOne(ctx, source),
    ctx => fetchOrList(ctx, source),
    ctx => partialFetch(ctx, source, item => item.v),
    ctx => resourceExists(ctx, source, 'a'),
  ];
  for (const call of calls) {
    for (const none of [{}, source, 'ctx', 0, () => undefined]) {
      expect(() => call(none as never)).toThrow(
        expect.objectContaining({
          code: 'fetch-without-context',
          message: expect.stringMatching(/needs the context/),
        }),
      );
    }
  }
});

test('[F2] F-18 an input that fetches another key forgets the first', () => {
  const {engine, source, inputs, runs} = reader((ctx, all, item) =>
    fetch(ctx, all, filterKey(String(item.v))),
  );
  inputs.updateObject(thing('i', 'k2'));
  runs();
  source.updateObject(thing('k1'));
  expect(runs()).toEqual([]);
  source.updateObject(thing('k2'));
  expect(runs()).toEqual(['rows i changed <- source k2 add (key k2, new, key)']);
  expect(engineStats(engine)).toMatchObject({dependencies: 1, queries: 1});
  inputs.deleteObject('i');
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0, buckets: 0});
});

test('[F2] F-19 a fetch that the last run did not make runs nothing', () => {
  const {source, inputs, runs} = reader((ctx, all, item) => (item.v === 'k1' ? fetch(ctx, all) : []));
  inputs.updateObject(thing('i', 'no'));
  runs();
  source.updateObject(thing('a'));
  expect(runs()).toEqual([]);
});

test('[B2] F-24 two changes that concern one input: one run in one batch, two in two', () => {
  const {engine, source, runs} = reader((ctx, all) => fetch(ctx, all));
  engine.batch(() => {
    source.updateObject(thing('a'));
    source.updateObject(thing('b'));
  });
  expect(runs().length).toBe(1);
  source.updateObject(thing('a'));
  source.updateObject(thing('b'));
  expect(runs().length).toBe(2);
});

test('[F2] F-25 F-34 one change runs exactly the inputs that match, over one subscription', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [], {name: 'source'});
  const inputs = newStaticCollection<Thing>(
    all.engine,
    Array.from({length: 100}, (_, i) => thing(`i${i}`, i < 3 ? 'x' : `y${i}`)),
  );
  const rows = newCollection(
    inputs,
    (ctx, item) => ({key: keyOf(item), n: fetch(ctx, source, filterLabel({app: String(item.v)})).length}),
    {key: row => row.key, name: 'rows'},
  );
  const calls: number[] = [];
  rows.registerBatch(changes => void calls.push(changes.length), false);
  all.runs();
  source.updateObject(thing('s', 0, {app: 'x'}));
  expect(all.runs().length).toBe(3);
  expect(calls).toEqual([3]);
  expect(all.engine.collections().find(c => c.name === 'rows')?.inputs[1]).toMatchObject({fetches: 100});
  expect(engineStats(all.engine).subscriptions).toBe(2);
});

const mode = (t: Thing) => String(t.v);

test('[F6] F-27 a partial fetch ignores equal parts, but not an object that leaves the filter', () => {
  const {source, rows, runs, inputs} = reader((ctx, all) =>
    partialFetch(ctx, all, mode, (a, b) => a === b, filterLabel({app: 'x'})).map(v => thing(v)),
  );
  source.updateObject(thing('a', 'on', {app: 'x'}));
  runs();
  source.updateObject(thing('a', 'on', {app: 'x', note: 'z'}));
  expect(runs()).toEqual([]);
  source.updateObject(thing('a', 'on', {app: 'y'}));
  expect(runs()).toEqual(['rows i changed <- source a update (labels app=x, old, labels)']);
  expect([rows.getKey('i')?.found, inputs.list().length]).toEqual([[], 1]);
});

test('[B2] F-28 a reset that replaces one object by another is one run under a partial fetch', () => {
  const {source, runs} = reader((ctx, all) => partialFetch(ctx, all, mode).map(v => thing(v)));
  source.updateObject(thing('n1', 'v'));
  runs();
  source.reset([thing('n2', 'w')]);
  expect(runs().length).toBe(1);
});

test('[F7] F-29 filters see the augmented view, at fetch and at change time', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [thing('a', 'x')], {
    name: 'source',
    augment: t => ({getLabelSelector: () => ({app: String(t.v)})}),
  });
  const single = newSingleton(all.engine, ctx => ({
    n: fetch(ctx, source, filterSelectsNonEmpty({app: 'x'})).length,
  }));
  expect(single.get()).toEqual({n: 1});
  source.updateObject(thing('a', 'y'));
  expect(single.get()).toEqual({n: 0});
  source.updateObject(thing('b', 'x'));
  expect(single.get()).toEqual({n: 1});
});

test('[F2] F-30 an object that moves from one bucket to another runs the inputs of both', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [thing('s', 'x')], {name: 'source'});
  const byV = newIndex(source, 'byV', t => [String(t.v)]);
  const inputs = newStaticCollection(all.engine, ['x', 'y', 'z']);
  newCollection(inputs, (ctx, v) => ({v, n: byV.fetch(ctx, v).length}), {key: row => row.v, name: 'rows'});
  all.runs();
  source.updateObject(thing('s', 'y'));
  expect(all.runs().sort()).toEqual([
    'rows x changed <- source s update (index byV = x, old, byV)',
    'rows y changed <- source s update (index byV = y, new, byV)',
  ]);
});

test('[F2] F-33 a fetch from a view depends on the view', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [], {name: 'source'});
  const view = mapCollection(source, t => ({...t, v: `${t.v}!`}), {name: 'view'});
  newSingleton(all.engine, ctx => ({v: fetchOne(ctx, view, filterKey('a'))?.v}), {name: 'single'});
  all.runs();
  source.updateObject(thing('a', 1));
  expect(all.runs()).toEqual(['single  changed <- view a add (key a, new, key)']);
});

test('[V3] F-35 lookup, list and getKey in a formula record nothing and are violations', () => {
  const all = rig();
  const source = newStaticCollection<Thing>(all.engine, [thing('a')], {name: 'source'});
  const byV = newIndex(source, 'byV', () => ['x']);
  const inputs = newStaticCollection(all.engine, ['l', 'k', 'i', 'ok']);
  newCollection(
    inputs,
    (ctx, how) => {
      if (how === 'l') source.list();
      if (how === 'k') source.getKey('a');
      if (how === 'i') byV.lookup('x');
      if (how === 'ok') fetch(ctx, source);
      return how;
    },
    {name: 'rows'},
  );
  expect(violated(all.engine).sort()).toEqual(['i', 'k', 'l'].map(k => `untracked-read rows ${k}`));
  all.runs();
  source.updateObject(thing('b'));
  expect(all.runs()).toEqual(['rows ok equal <- source b add (all, new, scan)']);
});

test('[F6] F-36 resourceExists runs the input when the object comes or goes, not when it changes', () => {
  const {source, runs, found} = reader((ctx, all) => (resourceExists(ctx, all, 'a') ? [thing('yes')] : []));
  source.updateObject(thing('a', 1));
  runs();
  source.updateObject(thing('a', 2));
  expect(runs()).toEqual([]);
  source.deleteObject('a');
  expect([runs().length, found()]).toEqual([1, []]);
});

test('[F3] what a fetch returns is shared, frozen, and stays as it was', () => {
  const results: (readonly Thing[])[] = [];
  const {source, inputs} = reader((ctx, all) => {
    const result = fetch(ctx, all, filterNamespace('n'));
    results.push(result);
    return result;
  });
  inputs.updateObject(thing('j'));
  expect(results[0]).toBe(results[1]);
  expect(Object.isFrozen(results[0])).toBe(true);
  source.updateObject(thing('n/a'));
  expect([results[0]?.length, results.at(-1)?.length]).toEqual([0, 1]);
  const sorting = reader((ctx, all) => (fetch(ctx, all) as Thing[]).sort());
  sorting.engine.batch(() => {
    sorting.source.updateObject(thing('b'));
    sorting.source.updateObject(thing('a'));
  });
  expect(sorting.traces().at(-1)?.runs[0]?.outcome).toBe('failed');
});

test('[F6] resourceExists ignores all updates, also of what the item itself calls its key', () => {
  const {engine} = rig();
  const items = newStaticCollection(engine, [{id: 'a', key: 'x'}], {key: ({id}) => id});
  let runs = 0;
  newSingleton(engine, ctx => ({is: resourceExists(ctx, items, 'a'), run: ++runs}));
  items.updateObject({id: 'a', key: 'y'});
  expect(runs).toBe(1);
});
