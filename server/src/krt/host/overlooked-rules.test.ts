// Rules that no test covered when `npm run mutants` broke them on purpose.
import {expect, test} from 'vitest';
import {
  createEngine,
  EngineError,
  equal,
  fetch,
  fetchOrList,
  filterGeneric,
  filterIndex,
  filterLabel,
  filterNamespace,
  formulaText,
  holdRows,
  joinWithMergeCollection,
  mapCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
  newStaticCollection,
  newStatusCollection,
  probe,
  repeat,
} from '../index.ts';
import type {Item} from '../testing/objects.ts';

const engineOff = () => createEngine({checks: 'off'});
const pod = (name: string, namespace: string, app: string) => ({metadata: {name, namespace, labels: {app}}});

test('[F9] queries by label in one namespace and in all of them keep apart, as rows come and go', () => {
  const engine = engineOff();
  const pods = newStaticCollection(engine, [pod('a', 'n', 'x')]);
  const counts = newSingleton(engine, ctx => [
    fetch(ctx, pods, filterLabel({app: 'x'})).length,
    fetch(ctx, pods, filterLabel({app: 'x'}), filterNamespace('n')).length,
    fetch(ctx, pods, filterLabel({app: 'x'}), filterNamespace('m')).length,
    fetch(ctx, pods, filterLabel({})).length,
  ]);
  expect(counts.get()).toEqual([1, 1, 0, 1]);
  pods.updateObject(pod('b', 'm', 'x'));
  expect(counts.get()).toEqual([2, 1, 1, 2]);
  pods.updateObject(pod('a', 'n', 'y'));
  expect(counts.get()).toEqual([1, 0, 1, 2]);
  pods.deleteObject('m/b');
  expect(counts.get()).toEqual([0, 0, 0, 1]);
});

test('[V3] a full scan is reported as long as some input makes it, with growing numbers', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const other = newStaticCollection<Item>(engine, [{key: 'o', n: 1}], {name: 'other'});
  newCollection(source, (ctx, item) => ({
    key: item.key,
    n: fetch(
      ctx,
      other,
      filterGeneric(() => true),
    ).length,
  }));
  for (const key of ['a', 'b', 'c', 'd']) source.updateObject({key, n: 1});
  expect(engine.violations()).toMatchObject([
    {code: 'full-scan', message: expect.stringContaining('for 4 inputs')},
  ]);
  for (const key of ['a', 'b', 'c']) source.deleteObject(key);
  expect(engine.violations()).toHaveLength(1);
  source.deleteObject('d');
  expect(engine.violations()).toEqual([]);
  source.updateObject({key: 'e', n: 1});
  expect(engine.violations()).toMatchObject([{message: expect.stringContaining('for 1 inputs')}]);
});

test('[S1] an equal object takes the old one’s place in the answers of fetches by index, too', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const byN = newIndex(source, 'n', item => [String(item.n)]);
  const seen: unknown[] = [];
  const inputs = newStaticCollection<string>(engine, ['x']);
  newCollection(inputs, (ctx, key) => {
    seen.push(fetch(ctx, source, filterIndex(byN, '1'))[0]);
    return key;
  });
  const again = {key: 'a', n: 1};
  source.conditionalUpdateObject(again);
  inputs.updateObject('y');
  expect(seen[1]).toBe(again);
});

test('[Z1] a stopped source takes no write of any kind', () => {
  const source = newStaticCollection<Item>(engineOff(), [{key: 'a', n: 1}]);
  source.stop();
  source.updateObject({key: 'b', n: 1});
  source.conditionalUpdateObject({key: 'b', n: 1});
  source.reset([]);
  source.deleteObjects(() => true);
  source.deleteObject('a');
  expect(source.list()).toEqual([{key: 'a', n: 1}]);
});

test('[H6] handlers are called in the order of levels, then of making', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, []);
  const heard: string[] = [];
  const deep = newCollection(
    newCollection(source, (_, item) => ({...item})),
    (_, item) => ({...item}),
  );
  const late = newStaticCollection<Item>(engine, []);
  deep.register(() => void heard.push('deep'));
  late.register(() => void heard.push('late'));
  source.register(() => void heard.push('source'));
  engine.batch(() => {
    late.updateObject({key: 'a', n: 1});
    source.updateObject({key: 'a', n: 1});
  });
  expect(heard).toEqual(['source', 'late', 'deep']);
});

test('[T4] a status row’s state is its input’s; without a status there is none', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, [
    {key: 'a', n: 1},
    {key: 'b', n: 0},
  ]);
  const [statuses, outputs] = newStatusCollection(source, (_, item) =>
    item.n === 0 ? null : [{n: item.n}, {key: item.key}],
  );
  expect(statuses.rowState('a')).toMatchObject({key: 'a', input: 'a', outcome: 'added'});
  expect(statuses.rowState('b')).toBeUndefined();
  expect(statuses.rowState('c')).toBeUndefined();
  expect(outputs.list()).toEqual([{key: 'a'}]);
  expect(statuses.hasSynced()).toBe(true);
  const late = newStaticCollection<Item>(engine, [], {synced: false});
  expect(newStatusCollection(late, () => null)[0].hasSynced()).toBe(false);
});

test('[C6] [C7] probes and repeats tell of errors, waits and discards', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, [{key: 'a', n: 1}]);
  const late = newStaticCollection<Item>(engine, [], {name: 'late', synced: false});
  let mode = 'fail';
  const rows = newCollection(source, (ctx, item) => {
    if (mode === 'fail') throw new Error('fails');
    if (mode === 'wait') fetch(ctx, late);
    if (mode === 'discard') ctx.discardResult();
    return item;
  });
  const same = (item: unknown) => item;
  expect(probe(rows, 'a', same)).toEqual({discarded: false, error: 'fails'});
  mode = 'wait';
  expect(probe(rows, 'a', same)).toEqual({discarded: false, waitingFor: 'late'});
  mode = 'discard';
  expect(probe(rows, 'a', same)).toMatchObject({discarded: true});
  expect(repeat(rows, {key: 'a', n: 1}, () => [])).toMatchObject({discarded: true});
  const many = newManyCollection(source, () => [undefined, null, {key: 'x'}] as never);
  expect(repeat(many, {key: 'a', n: 1}, () => [])?.items).toEqual([{key: 'x', item: {key: 'x'}}]);
  const merged = joinWithMergeCollection([source], ([first]) => first);
  expect(formulaText(merged)).toBe('([first]) => first');
});

test('[R1] rows that are held are those that were given, one or many', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const one = newCollection(source, (_, item) => ({...item, n: -1}));
  const release = holdRows(one, new Map([['a', [{key: 'a', n: 7}]]]));
  source.updateObject({key: 'a', n: 1});
  expect(one.list()).toEqual([{key: 'a', n: 7}]);
  release();
  expect(one.list()).toEqual([{key: 'a', n: -1}]);
});

test('[K4] the item’s own getNamespace and getLabels count; what is no object has neither', () => {
  const engine = engineOff();
  const own = {key: 'a', getNamespace: () => 'n', getLabels: () => ({app: 'x'})};
  const items = newStaticCollection<unknown>(engine, [own, 'text'], {name: 'items'});
  expect(fetchOrList(null, items, filterNamespace('n'))).toEqual([own]);
  expect(fetchOrList(null, items, filterLabel({app: 'x'}))).toEqual([own]);
  expect(fetchOrList(null, items, filterNamespace(''))).toEqual(['text']);
});

test('[K2] a list and a list of another class differ; a function that one side alone has is a difference', () => {
  class Own extends Array<number> {}
  expect(equal([1], Own.of(1))).toBe(false);
  expect(equal({f: () => 1}, {})).toBe(false);
  expect(equal({}, {f: () => 1})).toBe(false);
  expect(new EngineError('wiring', 'w').name).toBe('EngineError');
});

test('[B7] [CO22] a map or a merge that writes is refused, and one that reads another collection is reported', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, []);
  const other = newStaticCollection<Item>(engine, [], {name: 'other'});
  const mapped = mapCollection(source, item => {
    other.updateObject(item);
    return item;
  });
  const merged = joinWithMergeCollection([source], ([item]) => {
    other.list();
    return item;
  });
  source.updateObject({key: 'a', n: 1});
  expect(mapped.rowState('a')).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('must not write'),
  });
  expect(merged.list()).toHaveLength(1);
  expect(
    engine
      .violations()
      .map(({code}) => code)
      .sort(),
  ).toEqual(['map-failed', 'untracked-read']);
  expect(other.list()).toEqual([]);
});

test('[H3] a handler that goes in the middle of a batch hears nothing more of it', () => {
  const engine = engineOff();
  const source = newStaticCollection<Item>(engine, []);
  const heard: string[] = [];
  const registration = source.register(change => {
    heard.push(change.key);
    registration.unregisterHandler();
  });
  engine.batch(() => {
    source.updateObject({key: 'a', n: 1});
    source.updateObject({key: 'b', n: 1});
  });
  expect(heard).toEqual(['a']);
});
