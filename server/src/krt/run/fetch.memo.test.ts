import {expect, test} from 'vitest';
import {engineStats} from '../host/inspect.ts';
import {
  createEngine,
  fetch,
  filterLabel,
  filterNamespace,
  filterSelects,
  newCollection,
  newStaticCollection,
  newSyncLatch,
} from '../index.ts';

interface Thing {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const options = (name: string) => ({
  name,
  key: (t: Thing) => t.name,
  namespace: () => 'n',
  labels: (t: Thing) => t.labels,
});

for (const filters of [1, 2]) {
  test(`[F2] labels in an object that the formula uses again are read anew, with ${filters} filters`, () => {
    const engine = createEngine({checks: 'off'});
    const x = {name: 'x', labels: {app: 'x'}};
    const y = {name: 'y', labels: {app: 'y'}};
    const source = newStaticCollection<Thing>(engine, [x, y], options('source'));
    const inputs = newStaticCollection<Thing>(engine, [{name: 'i', labels: {app: 'x'}}], options('inputs'));
    const wanted: Record<string, string> = {};
    const rows = newCollection(
      inputs,
      (ctx, item): Thing => {
        wanted.app = item.labels.app ?? '';
        const label = filterLabel(wanted);
        const found =
          filters === 1 ? fetch(ctx, source, label) : fetch(ctx, source, filterNamespace('n'), label);
        return {name: item.name, labels: {found: found.map(t => t.name).join()}};
      },
      options('rows'),
    );
    expect(rows.getKey('i')?.labels.found).toBe('x');
    inputs.updateObject({name: 'i', labels: {app: 'x'}});
    inputs.updateObject({name: 'i', labels: {app: 'y'}});
    expect(rows.getKey('i')?.labels.found).toBe('y');
    source.updateObject({name: 'y2', labels: {app: 'y'}});
    expect(rows.getKey('i')?.labels.found).toBe('y,y2');
  });
}

test('[F2] the same labels in another order, and the same filters in another order, are the same fetch', () => {
  const engine = createEngine({checks: 'off'});
  const others = newStaticCollection(engine, [
    {metadata: {name: 'o', namespace: 'n'}, spec: {selector: {a: '1', b: '2'}}},
  ]);
  const list = newStaticCollection(engine, [{id: 'x', turn: 0}], {key: item => item.id});
  const rows = newCollection(
    list,
    (ctx, {id, turn}) => {
      const labels = filterSelects(turn === 1 ? {b: '2', a: '1'} : {a: '1', b: turn === 3 ? '3' : '2'});
      const namespace = filterNamespace('n');
      const found =
        turn === 2 ? fetch(ctx, others, labels, namespace) : fetch(ctx, others, namespace, labels);
      return {id, found: found.length};
    },
    {key: row => row.id},
  );
  for (const [turn, found] of [1, 1, 1, 0].entries()) {
    list.updateObject({id: 'x', turn});
    expect(rows.getKey('x')).toEqual({id: 'x', found});
    expect(engineStats(engine)).toMatchObject({dependencies: 1, queries: 1});
  }
});

test('[F2] a first fetch that settles another collection, whose formula fetches too, keeps its own filters', () => {
  const engine = createEngine({checks: 'off'});
  const latch = newSyncLatch(engine);
  const inputs = newStaticCollection<Thing>(engine, [{name: 'i', labels: {}}], {
    ...options('inputs'),
    synced: latch,
  });
  const none = newStaticCollection<Thing>(engine, [], options('none'));
  const pair = () => [filterNamespace('n'), filterLabel({})] as const;
  const first = newCollection(
    inputs,
    (ctx, {name}): Thing => ({
      name,
      labels: {found: String(fetch(ctx, none, filterNamespace('m'), filterLabel({z: ''})).length)},
    }),
    options('first'),
  );
  const second = newCollection(
    inputs,
    (ctx, {name}): Thing => ({name, labels: {found: String(fetch(ctx, first, ...pair()).length)}}),
    options('second'),
  );
  latch.markSynced();
  expect(second.getKey('i')?.labels.found).toBe('1');
});

test('[F2] every filter counts, however many there are', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Thing>(engine, [{name: 'x', labels: {}}], options('source'));
  const inputs = newStaticCollection<Thing>(engine, [{name: 'i', labels: {}}], options('inputs'));
  const same = Array.from({length: 9}, () => filterNamespace('n'));
  const rows = newCollection(
    inputs,
    (ctx, {name}): Thing => ({
      name,
      labels: {found: fetch(ctx, source, ...same, filterNamespace('m')).join()},
    }),
    options('rows'),
  );
  expect(rows.getKey('i')?.labels.found).toBe('');
});

test('[F2] labels that say something else each time they are read mix up no other query', () => {
  const engine = createEngine({checks: 'off'});
  const things = ['x', 'y'].map(app => ({name: app, labels: {app}}));
  const source = newStaticCollection<Thing>(engine, things, options('source'));
  const inputs = newStaticCollection<Thing>(
    engine,
    ['fickle', 'x', 'y'].map(name => ({name, labels: {}})),
    options('inputs'),
  );
  let reads = 0;
  const fickle = {
    get app() {
      return reads++ % 2 === 0 ? 'x' : 'y';
    },
  };
  const rows = newCollection(
    inputs,
    (ctx, {name}): Thing => {
      const label = filterLabel(name === 'fickle' ? fickle : {app: name});
      return {
        name,
        labels: {
          found: fetch(ctx, source, label)
            .map(t => t.name)
            .join(),
        },
      };
    },
    options('rows'),
  );
  expect(rows.getKey('x')?.labels.found).toBe('x');
  expect(rows.getKey('y')?.labels.found).toBe('y');
});
