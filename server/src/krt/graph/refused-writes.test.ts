// User functions that write where they may only read: each write is refused, and no input runs twice for it.
import {expect, test} from 'vitest';
import {
  createEngine,
  fetch,
  fetchOrList,
  filterGeneric,
  filterLabel,
  newCollection,
  newIndex,
  newSingleton,
  newStaticCollection,
  onTurn,
} from '../index.ts';
import {codes, type Item} from '../testing/objects.ts';

const good: Item = {key: 'good', n: 1};

test('[B7] a key, an attribute, an index, an equality or a filter that writes is refused; no input runs twice', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, [], {name: 'source'});
  const other = newStaticCollection<Item>(engine, []);
  let n = 0;
  const write = () => other.updateObject({key: 'w', n: ++n});
  const rows = newCollection(source, (_, item) => ({...item}), {
    name: 'rows',
    labels: () => {
      write();
      return {app: 'x'};
    },
    equals: () => {
      write();
      return false;
    },
  });
  newIndex(rows, 'writing', () => {
    write();
    return ['a'];
  });
  const read = newSingleton(engine, ctx => ({
    n: fetch(ctx, other).length + fetch(ctx, rows, filterLabel({app: 'x'})).length,
  }));
  const runs: string[] = [];
  engine.onTrace(trace => {
    for (const run of trace.runs) runs.push(`${trace.sequence} ${run.collection} ${run.input}`);
  });
  source.updateObject({...good});
  source.updateObject({key: 'good', n: 2});
  expect(other.list()).toEqual([]);
  expect(read.get()).toEqual({n: 0});
  expect(new Set(runs).size).toBe(runs.length);
  expect(codes(engine).sort()).toEqual(['attribute-failed', 'index-failed']);
  expect(rows.rowState('good')).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('must not write'),
  });
});

test('[B2] [B7] a listener of turns that writes is refused: a batch is being settled', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, []);
  const rows = newCollection(source, (_, item) => ({...item}));
  const heard: string[] = [];
  rows.registerBatch(changes => void heard.push(changes.map(({new: item}) => `${item?.n}`).join()), false);
  onTurn(engine, uid => {
    if (uid === rows.uid) source.updateObject({key: 'good', n: 2});
  });
  source.updateObject(good);
  expect(heard).toEqual(['1']);
  expect(codes(engine)).toEqual(['listener-failed']);
});

test('[B7] a filter that writes where nothing settles is refused, too: it would never see the end of the rows', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<Item>(engine, []);
  source.updateObject(good);
  let asked = 0;
  const writes = filterGeneric(() => {
    if (++asked > 100) throw new Error('no end');
    source.updateObject({key: `more${asked}`, n: 1});
    return true;
  });
  const before = source.list();
  expect(() => fetchOrList(null, source, writes)).toThrow('must not write');
  expect(source.list()).toEqual(before);
  expect(codes(engine)).toEqual([]);
});
