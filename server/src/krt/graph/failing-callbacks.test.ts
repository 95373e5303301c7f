// User functions that throw or return a promise: the affected part fails with a message, the batch settles, and nothing
// else changes. refused-writes.test.ts has functions that write, clock.test.ts has clocks.
import {expect, test} from 'vitest';
import {
  batchedEventFilter,
  type Collection,
  createEngine,
  fetch,
  filterGeneric,
  filterLabel,
  inputs,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newManyCollection,
  newRecomputeProtected,
  newSingleton,
  newStaticCollection,
  newStatusCollection,
  type Options,
  partialFetch,
  tracked,
} from '../index.ts';
import {codes, type Item} from '../testing/objects.ts';

const good: Item = {key: 'good', n: 1};
const bad: Item = {key: 'bad', n: 13};

function rig(options: Options<Item> = {}) {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const rows = newCollection(source, (_, item: Item) => ({...item}), {name: 'rows', ...options});
  const tracker = tracked(rows);
  const both = () =>
    engine.batch(() => {
      source.updateObject({...bad});
      source.updateObject({...good});
    });
  return {engine, source, rows, tracker, both};
}

const unlucky = (item: Item) => {
  if (item.n === 13) throw new Error('unlucky');
};

const hostile: Record<string, unknown> = {
  'an error': new Error('unlucky'),
  nothing: undefined,
  null: null,
  'a symbol': Symbol('s'),
  'what has no text': Object.create(null),
  'what throws when it is shown': {
    toString() {
      throw new Error('no');
    },
  },
  'an error whose message throws': Object.defineProperty(new Error(''), 'message', {
    get() {
      throw new Error('no');
    },
  }),
  'an error whose message is no text': Object.assign(new Error(''), {message: {}}),
};

test.each(Object.keys(hostile))(
  '[R5] a formula, map, merge and handler that throw %s fail alone and are told',
  what => {
    const engine = createEngine({checks: 'off'});
    const source = newStaticCollection<Item>(engine, []);
    const maybe = (item: Item) => {
      if (item.n === 13) throw hostile[what];
      return {...item};
    };
    const all: Collection<Item>[] = [
      newCollection(source, (_, item) => maybe(item)),
      newManyCollection(source, function* (_, item) {
        yield maybe(item);
      }),
      mapCollection(source, maybe),
      joinWithMergeCollection([source], ([item]) => maybe(item as Item)),
    ];
    const traces: unknown[] = [];
    engine.onTrace(trace => void traces.push(trace));
    const trackers = all.map(tracked);
    source.register(change => {
      if (change.new?.n === 13) throw hostile[what];
    });
    engine.batch(() => {
      source.updateObject({...bad});
      source.updateObject({...good});
    });
    for (const tracker of trackers) expect(tracker.taken()).toEqual(['add/good']);
    for (const collection of all)
      expect(collection.rowState('bad')).toMatchObject({outcome: 'failed', error: expect.any(String)});
    expect(codes(engine).sort()).toEqual(['handler-failed', 'map-failed', 'map-failed']);
    expect(() => JSON.stringify(traces)).not.toThrow();
    source.updateObject({key: 'bad', n: 2});
    for (const collection of all) expect(collection.getKey('bad')).toEqual({key: 'bad', n: 2});
    expect(codes(engine)).toEqual([]);
  },
);

test('[K4] labels that throw, or are no map, or come later, are reported, and the other rows are found', () => {
  for (const [labels, words] of [
    [() => 'abc', 'map of texts'],
    [() => ['a'], 'map of texts'],
    [async () => ({app: 'x'}), 'promise'],
  ] as const) {
    const {engine, rows, both} = rig({
      labels: item => (item.n === 13 ? (labels() as never) : {app: 'x'}),
    });
    const reader = newSingleton(engine, ctx => ({
      found: fetch(ctx, rows, filterLabel({app: 'x'})).map(r => r.key),
    }));
    both();
    expect(reader.get()).toEqual({found: ['good']});
    expect(engine.violations()).toMatchObject([
      {code: 'attribute-failed', keys: ['bad', 'labels'], message: expect.stringContaining(words)},
    ]);
  }
});

test('[V1] what one of two handlers without a name heals is not the other’s', () => {
  const {engine, source} = rig();
  let first = true;
  let second = true;
  source.register(() => {
    if (first) throw new Error('first');
  });
  source.register(() => {
    if (second) throw new Error('second');
  });
  source.updateObject({...good});
  expect(codes(engine)).toEqual(['handler-failed', 'handler-failed']);
  first = false;
  source.updateObject({...good});
  expect(engine.violations()).toMatchObject([{message: expect.stringContaining('second')}]);
  second = false;
  source.updateObject({...good});
  expect(codes(engine)).toEqual([]);
});

test('[R11] a promise is no answer: of a map, a merge, a status, an equality, a filter, a projection', async () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{...good}]);
  const mapped = mapCollection(source, (async (item: Item) => item) as never);
  const merged = joinWithMergeCollection([source], (async () => good) as never);
  const [, outputs] = newStatusCollection(source, (_, item) => [Promise.resolve(1), item] as never);
  const compared = newCollection(source, (_, item) => ({...item}), {equals: (async () => true) as never});
  const filtered = newCollection(source, ctx =>
    String(fetch(ctx, source, filterGeneric((async () => true) as never)).length),
  );
  source.updateObject({key: 'good', n: 2});
  expect([mapped.list(), merged.list(), outputs.list(), filtered.list()]).toEqual([[], [], [], []]);
  expect(mapped.rowState('good')?.error).toContain('promise');
  expect(merged.rowState('good')?.error).toContain('promise');
  expect(inputs(outputs)[0]?.error).toContain('promise');
  expect(inputs(compared)[0]).toMatchObject({outcome: 'failed', error: expect.stringContaining('promise')});
  expect(inputs(filtered)[0]).toMatchObject({outcome: 'failed', error: expect.stringContaining('promise')});
  const halves = newCollection(source, ctx =>
    String(partialFetch(ctx, source, i => i.n, (async () => true) as never).length),
  );
  source.updateObject({key: 'good', n: 3});
  expect(halves.list()).toEqual(['1']);
  expect(() => source.deleteObjects((async () => true) as never)).toThrow('promise');
  expect(source.list()).toHaveLength(1);
});

test('[S1] an equality, a key or a test that throws leaves a source as it was', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{...good}], {
    key: item => {
      if (item.n === 14) throw new Error('no key');
      return item.key;
    },
    equals: (_, now) => {
      unlucky(now);
      return false;
    },
  });
  const tracker = tracked(source);
  expect(() => source.conditionalUpdateObject({key: 'good', n: 13})).toThrow('unlucky');
  expect(() =>
    source.reset([
      {key: 'a', n: 1},
      {key: 'good', n: 13},
    ]),
  ).toThrow('unlucky');
  expect(() =>
    source.reset([
      {key: 'a', n: 1},
      {key: 'b', n: 14},
    ]),
  ).toThrow('no key');
  expect(() =>
    source.deleteObjects(() => {
      throw new Error('no test');
    }),
  ).toThrow('no test');
  expect(source.list()).toEqual([good]);
  expect(tracker.taken()).toEqual([]);
});

test('[J3] an equality that throws fails the row of a merge, in words, and the row stays', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{...good}]);
  const merged = joinWithMergeCollection([source], ([item]) => ({...(item as Item)}), {
    equals: (_, now) => {
      unlucky(now);
      return false;
    },
  });
  source.updateObject({key: 'good', n: 13});
  expect(merged.list()).toEqual([good]);
  expect(merged.rowState('good')).toMatchObject({outcome: 'failed', error: 'unlucky', stale: true});
  expect(codes(engine)).toEqual(['map-failed']);
  source.updateObject({key: 'good', n: 2});
  expect(merged.list()).toEqual([{key: 'good', n: 2}]);
  expect(codes(engine)).toEqual([]);
});

test('[T3] a modification that throws runs the readers again all the same: the value may have changed', () => {
  const engine = createEngine({checks: 'off'});
  const held = newRecomputeProtected(engine, {n: 1});
  const reader = newSingleton(engine, ctx => ({n: held.get(ctx).n}));
  expect(() =>
    held.modify(value => {
      value.n = 2;
      throw new Error('after it');
    }),
  ).toThrow('after it');
  expect(reader.get()).toEqual({n: 2});
  expect(() => held.modify(async () => ({n: 3}))).toThrow('promise');
  expect(held.accessUnprotected()).toEqual({n: 2});
});

test('[A2] a projection that throws drops no change of the batch', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{...good}, {key: 'bad', n: 1}]);
  const heard: string[] = [];
  source.registerBatch(
    batchedEventFilter(
      (item: Item) => {
        unlucky(item);
        return item.n;
      },
      changes => {
        heard.push(changes.map(c => c.key).join());
      },
    ),
    false,
  );
  engine.batch(() => {
    source.updateObject({...bad});
    source.updateObject({key: 'good', n: 5});
  });
  expect(heard).toEqual(['bad,good']);
});

test('[V2] an item that cannot be looked at costs no batch, whatever the checks do', () => {
  const engine = createEngine({checks: 'all'});
  let closed = false;
  const item = new Proxy(
    {key: 'p', n: 1},
    {
      ownKeys: target => {
        if (closed) throw new Error('closed');
        return Reflect.ownKeys(target);
      },
    },
  );
  const source = newStaticCollection<Item>(engine, []);
  const rows = newCollection(source, (_, read) => ({key: read.key, n: read.n}));
  const tracker = tracked(rows);
  closed = true;
  engine.batch(() => {
    source.updateObject(item);
    source.updateObject({...good});
  });
  expect(tracker.taken().sort()).toEqual(['add/good', 'add/p']);
});

test('[C5] a listener that another one sends away is not told any more', () => {
  const {engine, source} = rig();
  const heard: string[] = [];
  const leave: (() => void)[] = [];
  engine.onTrace(() => {
    heard.push('first');
    leave[0]?.();
  });
  leave.push(engine.onTrace(() => void heard.push('second')));
  source.updateObject({...good});
  expect(heard).toEqual(['first']);
});
