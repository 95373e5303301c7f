import {expect, test} from 'vitest';
import {graph, node, shop} from './graph-rig.ts';
import {parseSelector} from './selector.ts';

const pick = (text: string, from = shop()) => {
  const {matches} = parseSelector(text, from, 0);
  return from.collections.filter(matches).map(one => one.name);
};

test('an empty box selects nothing', () => expect(pick('  ')).toEqual([]));
test('a word is part of a name, whatever its case', () => expect(pick('workload')).toHaveLength(3));
test('kind and alternatives', () => expect(pick('kind:join|index')).toEqual(['Backends', 'WorkloadsByNode']));
test('2+X+1 takes hops from X', () =>
  expect(pick('1+WorkloadServices+1')).toEqual(['Workloads', 'WorkloadServices', 'Endpoints']));
test('numbers compare', () => {
  const busy = graph([node('A', 'derived', {rate: 6}), node('B', 'derived', {rate: 5})], []);
  expect(pick('hot>5', busy)).toEqual(['A']);
});
test('an unknown word says what is known', () => {
  expect(parseSelector('state:ok2', shop(), 0).problem).toContain('one of idle, ok');
  expect(parseSelector('hat>5', shop(), 0).problem).toContain('hot');
});
