// Labels and selectors are read once for each version, whatever the user's object does later.
import {expect, test} from 'vitest';
import {
  createEngine,
  engineStats,
  fetch,
  fetchOrList,
  filterLabel,
  filterSelects,
  newSingleton,
  newStaticCollection,
  tracked,
} from '../index.ts';

interface Item {
  key: string;
  broken?: boolean;
  labels?: Record<string, string>;
}

function byLabel(labels: (item: Item) => object) {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [], {labels: labels as never});
  const reader = newSingleton(engine, ctx => ({
    found: fetch(ctx, source, filterLabel({app: 'x'})).map(item => item.key),
  }));
  return {engine, source, reader, heard: tracked(source)};
}

const failing: [string, () => object][] = [
  [
    'whose getter throws',
    () => ({
      get app(): string {
        throw new Error('no');
      },
    }),
  ],
  [
    'that cannot be walked through',
    () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no');
          },
        },
      ),
  ],
];

test.each(failing)('[K4] labels %s are none, and are told; the other rows are announced', (_, broken) => {
  const {engine, source, reader, heard} = byLabel(item => (item.broken ? broken() : {app: 'x'}));
  engine.batch(() => {
    source.updateObject({key: 'bad', broken: true});
    source.updateObject({key: 'good'});
  });
  expect(heard.taken()).toEqual(['add/bad', 'add/good']);
  expect(reader.get()).toEqual({found: ['good']});
  expect(engine.violations().map(({code}) => code)).toEqual(['attribute-failed']);
});

test('[K4] a selector whose getter throws the second time is read once', () => {
  const engine = createEngine({checks: 'off'});
  let reads = 0;
  const moody = {
    get app(): string {
      if (reads++ > 0) throw new Error('no');
      return 'x';
    },
  };
  const source = newStaticCollection<Item>(engine, [], {selector: () => moody});
  const reader = newSingleton(engine, ctx => ({n: fetch(ctx, source, filterSelects({app: 'x'})).length}));
  source.updateObject({key: 'a'});
  expect(reader.get()).toEqual({n: 1});
  expect(engine.violations()).toEqual([]);
});

test('[K4] [LK1] a row whose labels were changed in place leaves the place where it was filed', () => {
  const {engine, source, reader} = byLabel(item => item.labels ?? {});
  const before = engineStats(engine);
  const item = {key: 'a', labels: {app: 'x'}};
  source.updateObject(item);
  item.labels.app = 'y';
  source.deleteObject('a');
  expect(reader.get()).toEqual({found: []});
  expect(engineStats(engine)).toEqual(before);
});

test('[K4] so does one whose selector was', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string; spec: {selector: Record<string, string>}}>(engine, []);
  const reader = newSingleton(engine, ctx => ({n: fetch(ctx, source, filterSelects({app: 'x'})).length}));
  const item = {key: 'a', spec: {selector: {app: 'x'}}};
  source.updateObject(item);
  item.spec.selector.app = 'y';
  source.deleteObject('a');
  expect(reader.get()).toEqual({n: 0});
});

test('[K4] [R11] a selector that comes later is none, and is told', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{key: 'a'}], {
    selector: (async () => ({app: 'x'})) as never,
  });
  const reader = newSingleton(engine, ctx => ({n: fetch(ctx, source, filterSelects({app: 'x'})).length}));
  expect(reader.get()).toEqual({n: 1});
  expect(engine.violations()).toMatchObject([
    {keys: ['a', 'selector'], message: expect.stringContaining('function for selector returned a promise')},
  ]);
});

test('[K4] a label may be called __proto__', () => {
  const engine = createEngine({checks: 'off'});
  const odd = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
  const source = newStaticCollection<Item>(
    engine,
    [
      {key: 'a', labels: odd},
      {key: 'b', labels: {app: 'x'}},
    ],
    {labels: item => item.labels},
  );
  const reader = newSingleton(engine, ctx => ({
    found: fetch(ctx, source, filterLabel(odd)).map(item => item.key),
  }));
  expect(reader.get()).toEqual({found: ['a']});
});

test('[V1] what is found outside a batch is of the last one', () => {
  const engine = createEngine({checks: 'off', firstSequence: 41});
  const throws = () => {
    throw new Error('no');
  };
  const source = newStaticCollection<Item>(engine, [{key: 'a'}], {labels: throws});
  fetchOrList(null, source, filterLabel({app: 'x'}));
  expect(engine.violations()).toMatchObject([{code: 'attribute-failed', sequence: 42}]);
});
