import {describe, expect, test} from 'vitest';
import {GrowingRows} from './growing-rows.ts';
import {createEngine, newCollection, newStaticCollection} from './index.ts';
import {Row} from './row.ts';

describe('[K1] the rows of a derived collection', () => {
  test('are listed while they only come, and filed by key when one is asked for', () => {
    const rows = new GrowingRows();
    const a = new Row('a');
    rows.append(a);
    expect(rows.growing).toBe(true);
    expect(rows.size).toBe(1);
    expect([...rows.values()]).toEqual([a]);
    expect(rows.get('a')).toBe(a);
    expect(rows.growing).toBe(false);
    expect(rows.delete('a')).toBe(true);
    expect(rows.size).toBe(0);
  });

  test('have one row per key when an input yields the key of another one', () => {
    const engine = createEngine();
    const list = newStaticCollection<{id: string; key: string}>(
      engine,
      [
        {id: 'a', key: 'a'},
        {id: 'b', key: 'a'},
        {id: 'c', key: 'c'},
      ],
      {key: item => item.id},
    );
    const rows = newCollection(list, (_, item) => ({...item}), {key: item => item.key});
    expect(rows.list().length).toBe(2);
    expect(rows.getKey('a')?.id).toBe('a');
    list.deleteObject('a');
    expect(rows.getKey('a')?.id).toBe('b');
    list.updateObject({id: 'a', key: 'a'});
    expect(rows.getKey('a')?.id).toBe('a');
    expect(rows.list().length).toBe(2);
  });

  test('go and come back under the same key within one batch as one row', () => {
    const engine = createEngine();
    const list = newStaticCollection<{id: string; n: number}>(engine, [{id: 'a', n: 1}], {
      key: item => item.id,
    });
    const rows = newCollection(list, (_, item) => (item.n === 0 ? undefined : {...item}), {
      key: item => item.id,
    });
    list.updateObject({id: 'a', n: 0});
    expect(rows.list()).toEqual([]);
    list.updateObject({id: 'a', n: 2});
    engine.batch(() => {
      list.deleteObject('a');
      list.updateObject({id: 'a', n: 3});
    });
    expect(rows.list()).toEqual([{id: 'a', n: 3}]);
  });
});
