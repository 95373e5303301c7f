import {expect, test} from 'vitest';
import {shopGraph, testGraph, testNode} from '../testing-graph.ts';
import {parseSelector} from './collection-selector.ts';

const pick = (text: string, from = shopGraph()) => {
  const {matches} = parseSelector(text, from, 0);
  return from.collections.filter(matches).map(one => one.name);
};

test('an empty box selects nothing', () => expect(pick('  ')).toEqual([]));
test('a word is part of a name, whatever its case', () => expect(pick('workload')).toHaveLength(3));
test('kind and alternatives', () => expect(pick('kind:join|index')).toEqual(['Backends', 'WorkloadsByNode']));
test('2+X+1 takes hops from X', () =>
  expect(pick('1+WorkloadServices+1')).toEqual(['Workloads', 'WorkloadServices', 'Endpoints']));
test('numbers compare', () => {
  const busy = testGraph([testNode('A', 'derived', {rate: 6}), testNode('B', 'derived', {rate: 5})], []);
  expect(pick('hot>5', busy)).toEqual(['A']);
});
test('an unknown word says what is known', () => {
  expect(parseSelector('state:ok2', shopGraph(), 0).problem).toContain('one of idle, ok');
  expect(parseSelector('hat>5', shopGraph(), 0).problem).toContain('hot');
});
