// The dependencies of an input after several runs that were not accepted.
import {expect, test} from 'vitest';
import {
  createEngine,
  dependenciesOf,
  engineStats,
  fetch,
  filterKey,
  newCollection,
  newStaticCollection,
} from '../index.ts';

interface Item {
  key: string;
  mode: 'ok' | 'fail' | 'discard';
}

test('[R7] after a failed run let go of it, a discarded one depends again on what the last accepted run read', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [{key: 'a', mode: 'ok'}]);
  const first = newStaticCollection<string>(engine, ['x'], {name: 'first'});
  const second = newStaticCollection<string>(engine, ['y'], {name: 'second'});
  const runs: string[] = [];
  const rows = newCollection(source, (ctx, {key, mode}) => {
    runs.push(mode);
    if (mode === 'ok') return {key, n: fetch(ctx, first, filterKey('x')).length};
    fetch(ctx, second);
    if (mode === 'fail') throw new Error('fails');
    ctx.discardResult();
    return {key, n: -1};
  });
  source.updateObject({key: 'a', mode: 'fail'});
  expect(dependenciesOf(rows, 'a').map(d => d.collection)).toEqual(['second']);
  source.updateObject({key: 'a', mode: 'discard'});
  expect(dependenciesOf(rows, 'a').map(d => d.collection)).toEqual(['second', 'first']);
  runs.length = 0;
  first.deleteObject('x');
  expect(runs).toEqual(['discard']);
  expect(rows.getKey('a')).toEqual({key: 'a', n: 1});
  // Also after one more discarded run.
  expect(dependenciesOf(rows, 'a').map(d => d.collection)).toEqual(['second', 'first']);
  first.updateObject('x');
  expect(runs).toEqual(['discard', 'discard']);
  first.deleteObject('x');
  source.updateObject({key: 'a', mode: 'ok'});
  expect(rows.getKey('a')).toEqual({key: 'a', n: 0});
  source.deleteObject('a');
  expect(engineStats(engine)).toMatchObject({dependencies: 0, queries: 0});
});
