// Removed objects and stopped collections leave nothing behind.
import {describe, expect, test} from 'vitest';
import {engineStats} from '../host/inspect.ts';
import {
  type Collection,
  createEngine,
  fetch,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  type HandlerContext,
  joinCollection,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newFileCollection,
  newFileSingleton,
  newFolderWatch,
  newIndex,
  newManyCollection,
  newManyFromNothing,
  newRecomputeTrigger,
  newSingleton,
  newStaticCollection,
  newStatusManyCollection,
  newSyncLatch,
  partialFetch,
  resourceExists,
} from '../index.ts';
import {MemoryFolder} from '../testing/file-rigs.ts';
import {NOTHING_LEFT} from '../testing/objects.ts';

interface Thing {
  readonly key: string;
  readonly ns: string;
  readonly labels: Readonly<Record<string, string>>;
}

const options = (name: string) => ({
  name,
  key: (t: Thing) => t.key,
  namespace: (t: Thing) => t.ns,
  labels: (t: Thing) => t.labels,
  selector: (t: Thing) => t.labels,
});
const thing = (i: number): Thing => ({
  key: `k${i}`,
  ns: `n${i % 3}`,
  labels: {app: `a${i % 5}`, tier: `t${i % 2}`},
});

/** Two long-lived lists, and a formula that reads the second one in every possible way. */
function makeGraph() {
  const engine = createEngine();
  const left = newStaticCollection<Thing>(engine, [], options('left'));
  const right = newStaticCollection<Thing>(engine, [], options('right'));
  const byApp = newIndex(right, 'app', (t: Thing) => [t.labels.app ?? '']);
  const ask = (ctx: HandlerContext, t: Thing): Thing => {
    fetch(ctx, right, filterKey(t.key));
    fetch(ctx, right, filterKeys([t.key, 'k0']));
    fetch(ctx, right, filterNamespace(t.ns));
    fetch(ctx, right, filterLabel(t.labels));
    fetch(ctx, right, filterNamespace(t.ns), filterLabel(t.labels));
    fetch(ctx, right, filterSelects(t.labels));
    fetch(ctx, right, filterNamespace(t.ns), filterSelectsNonEmpty(t.labels));
    fetch(ctx, right, filterIndex(byApp, t.labels.app ?? ''));
    fetch(
      ctx,
      right,
      filterGeneric((other: Thing) => other.ns > t.ns),
    );
    partialFetch(
      ctx,
      right,
      (other: Thing) => other.ns,
      (a, b) => a === b,
      filterLabel({app: 'a1'}),
    );
    resourceExists(ctx, right, t.key);
    return {...t};
  };
  return {engine, left, right, ask};
}

describe('objects that went', () => {
  test('[LK1] deleting all objects leaves no dependency, no query and no bucket', () => {
    const {engine, left, right, ask} = makeGraph();
    const derived = newCollection(left, ask, options('derived'));
    for (let i = 0; i < 50; i++) {
      left.updateObject(thing(i));
      right.updateObject(thing(i));
    }
    expect(engineStats(engine).dependencies).toBeGreaterThan(400);
    for (let i = 0; i < 50; i++) left.deleteObject(`k${i}`);
    expect(derived.list()).toEqual([]);
    expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0});
    right.reset([]);
    expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0, buckets: 0});
  });

  test('[LK2] an input that changes what it fetches keeps nothing of what it fetched before', () => {
    const {engine, left, right} = makeGraph();
    right.reset(Array.from({length: 50}, (_, i) => thing(i)));
    let turn = 0;
    newCollection(
      left,
      (ctx, t) => ({...t, ns: String(fetch(ctx, right, filterKey(`k${turn}`)).length)}),
      options('d'),
    );
    left.updateObject(thing(0));
    const before = engineStats(engine);
    for (turn = 1; turn < 50; turn++) left.updateObject(thing(0));
    expect(engineStats(engine)).toEqual(before);
  });

  test('[LK3] objects that come and go a thousand times leave the counts as they were', () => {
    const {engine, left, right, ask} = makeGraph();
    newCollection(left, ask, options('derived'));
    left.updateObject(thing(1));
    const before = engineStats(engine);
    for (let i = 0; i < 1000; i++) {
      right.updateObject(thing(i));
      left.updateObject(thing(i + 2));
      right.deleteObject(`k${i}`);
      left.deleteObject(`k${i + 2}`);
    }
    expect(engineStats(engine)).toEqual(before);
  });
});

type TestGraph = ReturnType<typeof makeGraph>;
const first = (items: readonly Thing[]): Thing => items[0]!;

/** Everything that can be built over lists that outlive it. Each returns what it made, last first. */
const kinds: Readonly<Record<string, (w: TestGraph, n: number) => {stop(): void}[]>> = {
  derived: (w, n) => [newCollection(w.left, w.ask, options(`d${n}`))],
  many: (w, n) => [newManyCollection(w.left, (ctx, t) => [w.ask(ctx, t)], options(`m${n}`))],
  singleton: (w, n) => [newSingleton<Thing>(w.engine, ctx => w.ask(ctx, thing(1)), options(`s${n}`))],
  'many from nothing': (w, n) => [
    newManyFromNothing<Thing>(w.engine, ctx => [w.ask(ctx, thing(1))], options(`n${n}`)),
  ],
  status: (w, n) => {
    const formula = (ctx: HandlerContext, t: Thing): [{ok: boolean}, Thing[]] => [
      {ok: true},
      [w.ask(ctx, t)],
    ];
    const [status, outputs] = newStatusManyCollection(w.left, formula, options(`t${n}`));
    return [status, outputs];
  },
  map: (w, n) => [mapCollection(w.left, (t: Thing) => ({...t}), options(`p${n}`))],
  join: (w, n) => [joinCollection([w.left, w.right], options(`j${n}`))],
  'unchecked join': (w, n) => [joinCollection([w.left, w.right], {...options(`u${n}`), unchecked: true})],
  'merge join': (w, n) => [joinWithMergeCollection([w.left, w.right], first, options(`g${n}`))],
  'nested merge join': (w, n) => {
    const members = newStaticCollection<Collection<Thing>>(w.engine, [w.left, w.right], {
      name: `members${n}`,
    });
    return [nestedJoinWithMergeCollection(members, first, options(`x${n}`)), members];
  },
  'index as a collection': (w, n) => [newIndex(w.left, `i${n}`, (t: Thing) => [t.ns]).asCollection()],
  'a run that waits': (w, n) => {
    const late = newStaticCollection<Thing>(w.engine, [], {
      ...options(`late${n}`),
      synced: newSyncLatch(w.engine),
    });
    return [newCollection(w.left, (ctx, t) => fetch(ctx, late)[0] ?? t, options(`w${n}`)), late];
  },
  'a trigger': (w, n) => {
    const trigger = newRecomputeTrigger(w.engine, {name: `trigger${n}`});
    const formula = (ctx: HandlerContext, t: Thing): Thing => {
      trigger.markDependant(ctx);
      return {...t};
    };
    return [newCollection(w.left, formula, options(`r${n}`)), trigger];
  },
};

describe('collections that were stopped', () => {
  for (const [kind, build] of Object.entries(kinds)) {
    test(`[LK4] ${kind}: twenty made and stopped leave nothing on the lists that live on`, () => {
      const w = makeGraph();
      w.left.reset([thing(1), thing(2)]);
      w.right.reset([thing(2), thing(3)]);
      const before = {...engineStats(w.engine), buckets: 0};
      for (let n = 0; n < 20; n++) {
        const made = build(w, n);
        w.left.updateObject(thing(4));
        w.right.updateObject(thing(4));
        for (const part of made) part.stop();
        w.left.deleteObject('k4');
        w.right.deleteObject('k4');
      }
      expect({...engineStats(w.engine), buckets: 0}).toEqual(before);
      w.left.stop();
      w.right.stop();
      expect(engineStats(w.engine)).toEqual(NOTHING_LEFT);
    });
  }

  test('[LK5] handlers go with their collection, and by themselves when they unregister', () => {
    const {engine, left, right, ask} = makeGraph();
    const derived = newCollection(left, ask, options('derived'));
    const registrations = [left, right, derived].flatMap(c => [
      c.register(() => {}),
      c.registerBatch(() => {}, false),
    ]);
    expect(engineStats(engine).handlers).toBe(6);
    registrations[0]!.unregisterHandler();
    registrations[5]!.unregisterHandler();
    expect(engineStats(engine).handlers).toBe(4);
    for (const collection of [derived, left, right]) collection.stop();
    expect(engineStats(engine)).toEqual(NOTHING_LEFT);
  });

  test('[LK6] a collection that a run made is gone with its row', () => {
    const {engine, left, right} = makeGraph();
    const inner = newCollection(
      left,
      (_, t): Collection<Thing> =>
        newCollection(right, (_ctx, r) => ({...r, key: `${t.key}/${r.key}`}), options(`in ${t.key}`)),
      {name: 'outer'},
    );
    right.updateObject(thing(1));
    const before = engineStats(engine);
    left.updateObject(thing(2));
    left.updateObject(thing(3));
    expect(
      inner
        .list()
        .flatMap(c => c.list().map(r => r.key))
        .sort(),
    ).toEqual(['k2/k1', 'k3/k1']);
    left.reset([]);
    expect(engineStats(engine)).toEqual(before);
  });
});

describe('files that are no longer read', () => {
  test('[LK7] stopped watches and file singletons leave no watcher and no timer', () => {
    const folder = new MemoryFolder();
    folder.files.set('/root/a.yaml', '1');
    const engine = createEngine({reader: folder.reader, clock: folder.clock});
    const watch = newFolderWatch<string>(engine, '/root/', text => [text]);
    const files = newFileCollection(watch);
    const one = newFileSingleton(engine, '/root/a.yaml', text => text);
    folder.write('/root/a.yaml', '2');
    expect([folder.watchers, folder.timers]).toEqual([2, 2]);
    one.stop();
    files.stop();
    watch.stop();
    expect([folder.watchers, folder.timers]).toEqual([0, 0]);
    expect(engineStats(engine)).toEqual(NOTHING_LEFT);
  });
});
