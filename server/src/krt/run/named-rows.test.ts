import {describe, expect, test} from 'vitest';
import {Row} from '../graph/row.ts';
import {createEngine, newCollection, newStaticCollection} from '../index.ts';
import {NamedRows, namesOf} from './named-rows.ts';

const object = (name: string, namespace?: string | null) => ({metadata: {name, namespace}});

describe('[K1] the rows of a source', () => {
  test('are the same by names and by key, whichever is asked first', () => {
    const rows = new NamedRows();
    const a = rows.place({namespace: 'x', name: 'a'}, 'x/a') as Row;
    const b = rows.place({name: 'b', namespace: null}, 'b') as Row;
    expect(rows.place({namespace: 'x', name: 'a'}, 'x/a')).toBe(a);
    expect([...rows.values()]).toEqual([a, b]);
    expect(rows.size).toBe(2);
    expect(rows.get('x/a')).toBe(a);
    expect(rows.get('b')).toBe(b);
    expect(rows.get('/b')).toBeUndefined();
    expect(rows.get('x')).toBeUndefined();
    expect(rows.named({name: 'b'})).toBe(b);
    rows.remove(a, undefined);
    expect(rows.named({namespace: 'x', name: 'a'})).toBeUndefined();
    expect([...rows.values()]).toEqual([b]);
    rows.remove(b, object('changed by its owner', 'elsewhere'));
    expect(rows.named({name: 'b'})).toBeUndefined();
    expect(rows.size).toBe(0);
  });

  test('of other items make it ask by key', () => {
    const rows = new NamedRows();
    rows.set('x/a', new Row('x/a'));
    expect(rows.place({namespace: 'x', name: 'b'}, 'x/b')).toBeNull();
    expect(new NamedRows().place({namespace: 'x', name: 'b/c'}, 'x/b/c')).toBeNull();
    expect(namesOf({metadata: {name: 'a'}, resourceName: () => 'own'})).toBeNull();
    expect(namesOf({metadata: {name: 'a', namespace: 5}})).toBeNull();
  });

  test('have one key, however a slash divides it', () => {
    const list = newStaticCollection<unknown>(createEngine(), [object('b', 'a')]);
    list.updateObject(object('a/b'));
    expect(list.list()).toEqual([object('a/b')]);
    list.updateObject({resourceName: () => 'a/b'});
    list.updateObject(object('b', 'a'));
    expect(list.list()).toEqual([object('b', 'a')]);
    list.deleteObject('a/b');
    expect(list.list()).toEqual([]);
    list.updateObject(object('c', 'a/b'));
    list.updateObject(object('b/c', 'a'));
    expect(list.list()).toEqual([object('b/c', 'a')]);
  });

  test('under one key made of other names are one input of what is derived from them', () => {
    const engine = createEngine();
    const list = newStaticCollection<{metadata: {name: string; namespace?: string | null}}>(engine, [
      object('b', 'a'),
    ]);
    const names = newCollection(list, (_, item) => ({key: 'k', name: item.metadata.name}), {
      key: row => row.key,
    });
    const told: string[] = [];
    names.register(change => void told.push(change.event));
    list.updateObject(object('a/b'));
    expect(names.list()).toEqual([{key: 'k', name: 'a/b'}]);
    expect(told).toEqual(['add', 'update']);
    list.deleteObject('a/b');
    expect(names.list()).toEqual([]);
    expect(engine.violations()).toEqual([]);
  });

  test('that come and go within one batch leave nothing behind', () => {
    const engine = createEngine();
    const list = newStaticCollection<unknown>(engine, []);
    engine.batch(() => {
      list.updateObject(object('a', 'x/y'));
      list.deleteObject('x/y/a');
    });
    list.updateObject(object('a', 'x/y'));
    expect(list.list()).toEqual([object('a', 'x/y')]);
    expect(list.getKey('x/y/a')).toEqual(object('a', 'x/y'));
  });
});
