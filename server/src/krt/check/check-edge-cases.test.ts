// Edge cases of repeats, probes and guards, beside the violations that they find.
import {expect, test} from 'vitest';
import {
  canHoldRows,
  createEngine,
  fetch,
  filterIndex,
  filterLabel,
  formulaText,
  holdRows,
  mapCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newStaticCollection,
  newStatusCollection,
  probe,
  repeat,
  repeatView,
} from '../index.ts';
import {type Item, item, violated} from '../testing/objects.ts';
import {guardWrites} from './write-guard.ts';

let names = 0;

test('[V3] the view of an object that nobody has seen before shows every field, and notices each', () => {
  // Accessors are shared by name: only a new name makes new ones.
  const name = `field ${++names} ${Math.random()}`;
  const paths: string[] = [];
  const frozen = Object.freeze([Object.freeze({port: 1})]);
  const target = {[name]: 1, list: Object.seal([{port: 1}]), when: new Date(0), nothing: null, frozen};
  const {view, done} = guardWrites(target, path => paths.push(path));
  const seen = view as Record<string, unknown> & typeof target;
  expect({...seen}[name]).toBe(1);
  expect([seen.when, seen.nothing, seen.frozen[0]?.port]).toEqual([target.when, null, 1]);
  (seen as Record<string, unknown>)[name] = 2;
  seen.list[0]!.port = 2;
  done();
  expect(paths).toEqual([name, 'list.0.port']);
  expect(target.list).toEqual([{port: 1}]);
});

test('[V3] a formula that looks at dates is watched like any other', () => {
  const engine = createEngine({checks: 'all'});
  const source = newStaticCollection(engine, [{key: 'a', when: new Date(0), n: 1}]);
  newCollection(
    source,
    (_, row) => {
      if (row.when.getTime() === 0) row.n = 2;
      return {key: row.key};
    },
    {name: 'writes'},
  );
  expect(violated(engine)).toEqual(['mutated-input writes a']);
});

test('[V3] inputs that claim one row are not taken for moody', () => {
  const engine = createEngine({checks: 'all'});
  const source = newStaticCollection<Item>(engine, [item('a', 1), item('b', 2)]);
  newCollection(source, (_, {n}) => ({key: 'same', n}), {name: 'claims'});
  source.updateObject(item('a', 3));
  source.updateObject(item('b', 4));
  expect(violated(engine)).toEqual(['duplicate-across-inputs claims same']);
});

test('[C5] a probe leaves the engine as it was: one can write after it', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, (_, row) => ({...row}));
  expect(probe(rows, 'a', value => value)).toMatchObject({value: item('a'), discarded: false});
  expect(() => probe(rows, 'b', value => value)).toThrow('has no input "b" to probe');
  source.updateObject(item('b'));
  expect(rows.list()).toHaveLength(2);
});

test('[C5] a formula that asks which input it runs for hears the same in a probe and in a repeat', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, ctx => ({key: String(ctx)}), {name: 'rows'});
  expect(rows.list()).toEqual([{key: 'rows{a}'}]);
  expect(probe(rows, 'a', value => value)).toMatchObject({value: {key: 'rows{a}'}});
  expect(repeat(rows, item('a'), () => [], {key: 'a'})?.items).toMatchObject([{key: 'rows{a}'}]);
});

test('[C5] a repeat that writes is refused by name, and so is nothing after it', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const rows = newCollection(source, (_, row) => row, {name: 'rows'});
  const writing = () => source.updateObject(item('b'));
  const again = repeat(rows, item('a'), () => [], {formula: writing});
  expect(again).toMatchObject({
    items: [],
    error: 'rows{repeated}: a formula must not write; return the value, or write from a handler',
  });
  source.updateObject(item('c'));
  expect(rows.list()).toHaveLength(2);
});

test('[C5] an asked fetch is judged by index, and what cannot be read of an item is nobody’s violation', () => {
  const engine = createEngine({checks: 'off'});
  const labels = ({n}: Item): Record<string, string> => {
    if (n < 0) throw new Error('no labels');
    return {n: String(n)};
  };
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source', labels});
  const byN = newIndex(source, 'n', ({n}) => [String(n)]);
  const rows = newCollection(source, (ctx, row) => ({
    key: row.key,
    found: [fetch(ctx, source, filterIndex(byN, '1')), fetch(ctx, source, filterLabel({n: '1'}))],
  }));
  const judged: boolean[][] = [];
  repeat(rows, item('a'), asked => {
    judged.push([item('x', 1), item('y', 2), item('z', -1)].map(one => asked.matches(one.key, one)));
    return [];
  });
  expect(judged).toEqual([
    [true, false, false],
    [true, false, false],
  ]);
  expect(engine.violations()).toEqual([]);
});

test('[C5] sources have nothing to repeat, to hold or to show the text of; maps have', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  const doubled = mapCollection(source, ({key, n}) => ({key, n: n * 2}));
  const rows = newManyCollection(source, (_, row) => [row]);
  const [, outputs] = newStatusCollection(source, (_, row) => ['ok', row]);
  expect([repeatView(source, [item('a')]), repeat(source, item('a'), () => [])]).toEqual([
    undefined,
    undefined,
  ]);
  expect(repeatView(doubled, [item('a')])).toEqual({item: item('a', 2)});
  expect([formulaText(source), formulaText(doubled)]).toEqual([undefined, expect.stringContaining('n * 2')]);
  expect([source, doubled, rows, outputs].map(canHoldRows)).toEqual([false, false, true, false]);
  for (const one of [source, outputs]) expect(() => holdRows(one, new Map())).toThrow('rows could be held');
});

test('[V3] what is read past a fetch twice in one run is one violation, counted once', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  newCollection(source, (_, row) => ({key: row.key, n: source.list().length + source.list().length}), {
    name: 'careless',
  });
  expect(engine.violations()).toMatchObject([{code: 'untracked-read', count: 1}]);
});

test('[V2] a stopped engine holds no violation and tells nobody of any', async () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const heard: string[] = [];
  let reject = (_: Error) => {};
  engine.onViolation(violation => void heard.push(violation.code));
  engine.onTrace(() => {
    throw new Error('at once');
  });
  engine.onTrace(
    () =>
      new Promise<never>((_, no) => {
        reject = no;
      }),
  );
  source.updateObject(item('a'));
  expect(heard).toEqual(['listener-failed']);
  engine.stop();
  expect(engine.violations()).toEqual([]);
  reject(new Error('later'));
  await new Promise(resolve => setImmediate(resolve));
  expect(heard).toEqual(['listener-failed']);
});

test('[V3] a formula that counts in its input is told to write to it, and nothing else', () => {
  const engine = createEngine({checks: 'all'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  newCollection(
    source,
    (_, row) => {
      row.n += 1;
      return item(row.key, row.n);
    },
    {name: 'counts'},
  );
  expect(violated(engine)).toEqual(['mutated-input counts a']);
});

test('[V2] what a map could not make goes with the map', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [item('a')]);
  const mapped = mapCollection(
    source,
    (): Item => {
      throw new Error('no');
    },
    {name: 'mapped'},
  );
  expect(violated(engine)).toEqual(['map-failed mapped a']);
  mapped.stop();
  expect(engine.violations()).toEqual([]);
});
