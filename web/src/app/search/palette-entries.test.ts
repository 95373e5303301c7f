import type {Hit} from '@krtscope/shared/items.ts';
import {expect, test} from 'vitest';
import {groupHits, splitAtMatch} from './hit-groups.ts';
import {matchEntries, matchScore, type PaletteEntry} from './palette-entries.ts';

const names = ['Workloads', 'WorkloadServices', 'WorkloadsByNode', 'Services', 'ServiceInfos', 'Pods'];
const entries: PaletteEntry[] = names.map(label => ({id: label, group: 'Collections', label, run: () => {}}));
const found = (query: string) => matchEntries(entries, query).map(one => one.label);

test('a few letters in order are enough, the start of a name is best', () => {
  expect(found('wl')[0]).toBe('Workloads');
  expect(found('serv')[0]).toBe('Services');
  expect(found('ws')[0]).toBe('WorkloadServices');
  expect(found('xyz')).toEqual([]);
  expect(matchScore('', 'anything')).toBe(0);
});

test('hits come in groups and are numbered as they are drawn', () => {
  const hit = (collection: string, where = 'key'): Hit => ({collection, key: 'a', where});
  const kinds = [
    {name: 'Pods', kind: 'source'},
    {name: 'Workloads', kind: 'derived'},
  ] as Parameters<typeof groupHits>[1];
  const groups = groupHits([hit('Workloads'), hit('Pods'), hit('Workloads', 'collection')], kinds);
  expect(groups.map(group => [group.label, group.hits.map(one => one.at)])).toEqual([
    ['Collections', [0]],
    ['Sources', [1]],
    ['Derived', [2]],
  ]);
});

test('the match is cut out whatever its case', () => {
  expect(splitAtMatch('shop/Payments-1', 'payments')).toEqual(['shop/', 'Payments', '-1']);
  expect(splitAtMatch('a', 'b')).toBeNull();
});
