import {describe, expect, test} from 'vitest';
import {createEngine, newCollection, newStaticCollection} from '../index.ts';
import type {Derived} from '../kinds/derived.ts';

describe('[K1] the rows of a derived collection', () => {
  test('are found through the inputs, and by key once one lies under another key than its input', () => {
    const engine = createEngine();
    const list = newStaticCollection<{id: string; key: string}>(engine, [{id: 'a', key: 'a'}], {
      key: item => item.id,
    });
    const made = newCollection(list, (_, item) => ({...item}), {key: item => item.key});
    const {rows} = made as unknown as Derived;
    expect(rows.own).toBe(true);
    expect(rows.size).toBe(1);
    expect(rows.get('a')?.value).toEqual({id: 'a', key: 'a'});
    expect([...rows.values()].map(row => row.key)).toEqual(['a']);
    list.updateObject({id: 'b', key: 'x'});
    expect(rows.own).toBe(false);
    expect(rows.get('b')).toBeUndefined();
    expect(made.list().map(row => row.key)).toEqual(['a', 'x']);
    list.deleteObject('a');
    list.deleteObject('b');
    expect(rows.size).toBe(0);
  });

  test('that few of many inputs yield are listed without asking every input', () => {
    const inputs = Array.from({length: 40}, (_, i) => ({id: `k${i}`}));
    const list = newStaticCollection(createEngine(), inputs, {key: item => item.id});
    const made = newCollection(list, (_, {id}) => (id === 'k7' ? {id} : undefined), {key: item => item.id});
    const {rows} = made as unknown as Derived;
    expect([rows.own, made.list(), rows.own]).toEqual([true, [{id: 'k7'}], false]);
    list.deleteObject('k7');
    expect(made.list()).toEqual([]);
  });

  test('stay readable when the collection is stopped', () => {
    const list = newStaticCollection(createEngine(), [{id: 'a'}], {key: item => item.id});
    const made = newCollection(list, (_, item) => ({...item}), {key: item => item.id});
    made.stop();
    list.deleteObject('a');
    expect(made.list()).toEqual([{id: 'a'}]);
    expect(made.getKey('a')).toEqual({id: 'a'});
  });

  test('an input that goes and another that takes its key in one batch are one update', () => {
    const engine = createEngine();
    const list = newStaticCollection<{id: string; key: string}>(
      engine,
      [
        {id: 'a', key: 'a'},
        {id: 'b', key: 'b'},
      ],
      {key: item => item.id},
    );
    const made = newCollection(list, (_, item) => ({...item}), {key: item => item.key});
    const told: string[] = [];
    made.register(change => void told.push(`${change.event} ${change.key}`));
    told.length = 0;
    engine.batch(() => {
      list.updateObject({id: 'b', key: 'a'});
      list.deleteObject('a');
    });
    expect(told.sort()).toEqual(['delete b', 'update a']);
    expect(made.list()).toEqual([{id: 'b', key: 'a'}]);
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
