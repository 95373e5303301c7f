import {expect, test} from 'vitest';
import type {KubeObject} from '../object.ts';
import {type CacheEntry, ObjectCache} from './object-cache.ts';

function entry(name: string, nodes: string[]): CacheEntry {
  return {key: `n/${name}`, object: {metadata: {name, namespace: 'n'}, nodes}, writers: []};
}

const byNode = (object: KubeObject) => (object.nodes as string[] | undefined) ?? [];
const names = (objects: {metadata: {name?: string}}[]) => objects.map(object => object.metadata.name);

test('[63] an object is found under each value, and after an update only under the new ones', () => {
  const cache = new ObjectCache();
  cache.addIndexer('node', byNode);
  cache.set(entry('a', ['x', 'y']));
  cache.set(entry('b', ['y']));
  expect(names(cache.byIndex('node', 'x'))).toEqual(['a']);
  expect(names(cache.byIndex('node', 'y'))).toEqual(['a', 'b']);
  cache.set(entry('a', ['z']));
  expect(cache.byIndex('node', 'x')).toEqual([]);
  expect(names(cache.byIndex('node', 'y'))).toEqual(['b']);
  cache.delete('n/b');
  expect(cache.byIndex('node', 'y')).toEqual([]);
  expect(cache.size).toBe(1);
});

test('[60] an index made later covers what is there; one that is not there, or taken, is an error', () => {
  const cache = new ObjectCache();
  cache.set(entry('a', ['x']));
  expect(() => cache.byIndex('node', 'x')).toThrow(/index with name node does not exist/);
  cache.addIndexer('node', byNode);
  expect(names(cache.byIndex('node', 'x'))).toEqual(['a']);
  expect(() => cache.addIndexer('node', byNode)).toThrow(/already/);
});
