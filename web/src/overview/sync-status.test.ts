import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {expect, test} from 'vitest';
import {blockerChains, countByState, orderBySync} from './sync-status.ts';

const node = (name: string, more: Partial<CollectionNode> = {}): CollectionNode => ({
  name,
  uid: 1,
  kind: 'derived',
  size: 0,
  synced: true,
  runs: 0,
  failed: 0,
  rate: 0,
  equal: 0,
  spark: [],
  fields: [],
  ...more,
});
const edge = (from: string, to: string) => ({from, to, kind: 'input' as const, filters: []});
const graph: Graph = {
  sequence: 1,
  collections: [
    node('Routes', {synced: false, waitingFor: 'Certificates'}),
    node('Certificates', {synced: false, waitingFor: 'Secrets'}),
    node('Workloads'),
    node('Pods', {kind: 'source', state: 'synced'}),
    node('Secrets', {
      kind: 'source',
      synced: false,
      state: 'forbidden',
      hint: 'kubectl auth can-i list secrets',
    }),
    node('Gateways', {kind: 'source', synced: true, state: 'not installed'}),
  ],
  edges: [edge('Secrets', 'Certificates'), edge('Certificates', 'Routes'), edge('Pods', 'Workloads')],
};

test('sources first, then derived after what feeds them', () => {
  expect(orderBySync(graph).map(one => one.node.name)).toEqual([
    'Pods',
    'Secrets',
    'Gateways',
    'Certificates',
    'Workloads',
    'Routes',
  ]);
});

test('a cycle does not hang the ladder', () => {
  const round = {...graph, edges: [...graph.edges, edge('Routes', 'Certificates')]};
  expect(orderBySync(round)).toHaveLength(6);
});

test('the longest chain to each holder, by name', () => {
  expect(blockerChains(graph).map(chain => chain.map(one => one.name))).toEqual([
    ['Routes', 'Certificates', 'Secrets'],
  ]);
});

test('a missing kind counts as synced, a forbidden one does not', () => {
  expect(countByState(orderBySync(graph))).toEqual({
    synced: 3,
    stale: 0,
    waiting: 2,
    listing: 0,
    denied: 1,
    away: 0,
    absent: 1,
  });
});

test('a source that is not current is behind and not failed, and holds by its own name', () => {
  const silent = node('Pods', {
    kind: 'source',
    state: 'unreachable',
    current: false,
    behind: 'Pods',
    asOf: 5,
  });
  const fed = node('Workloads', {current: false, behind: 'Pods', asOf: 5});
  const stale: Graph = {sequence: 1, collections: [silent, fed], edges: [edge('Pods', 'Workloads')]};
  expect(countByState(orderBySync(stale))).toMatchObject({stale: 2, away: 0, synced: 0});
  expect(blockerChains(stale).map(chain => chain.map(one => one.name))).toEqual([['Pods']]);
});
