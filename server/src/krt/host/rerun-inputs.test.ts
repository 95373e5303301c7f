import {expect, test} from 'vitest';
import {fetch, newCollection, newStaticCollection, rerunInputs, runningInputKey} from '../index.ts';
import {rig} from '../testing/objects.ts';

interface Item {
  key: string;
  n: number;
}

test('inputs run again for the causes that the host gives, and keep their rows while a run discards', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<Item>(
    engine,
    [
      {key: 'a', n: 1},
      {key: 'b', n: 1},
    ],
    {name: 'source'},
  );
  const other = newStaticCollection<Item>(engine, [{key: 'x', n: 1}], {name: 'other'});
  const results = new Map<string, number>();
  const rows = newCollection(
    source,
    (ctx, {key}) => {
      const input = runningInputKey(ctx) as string;
      const n = results.get(input);
      if (n === undefined) {
        ctx.discardResult();
        return undefined;
      }
      results.delete(input);
      fetch(ctx, other);
      return {key, n};
    },
    {name: 'rows'},
  );
  expect([rows.list(), rows.hasSynced()]).toEqual([[], true]);
  traces();
  results.set('a', 7);
  const cause = {kind: 'input', collection: 'source', key: 'a', event: 'add'} as const;
  rerunInputs(
    rows,
    new Map([
      ['a', [cause]],
      ['gone', [cause]],
    ]),
  );
  expect(rows.list()).toEqual([{key: 'a', n: 7}]);
  expect(traces()[0]?.runs.map(({input, outcome, causes}) => [input, outcome, causes])).toEqual([
    ['a', 'added', [cause]],
  ]);
  // What the run fetched wakes it; without a new result the row stays.
  other.updateObject({key: 'x', n: 2});
  expect(rows.list()).toEqual([{key: 'a', n: 7}]);
  expect(traces()[0]?.runs.map(({input, outcome}) => [input, outcome])).toEqual([['a', 'discarded']]);
  results.set('a', 8);
  rerunInputs(rows, new Map([['a', []]]));
  expect(rows.list()).toEqual([{key: 'a', n: 8}]);
  expect(traces()[0]?.runs[0]?.causes).toEqual([{kind: 'formula'}]);
  // The fetch still counts after a result that followed a discarded run.
  other.updateObject({key: 'x', n: 3});
  expect(traces()[0]?.runs).toHaveLength(1);
  expect(() => rerunInputs(source, new Map())).toThrow('has no runs');
});
