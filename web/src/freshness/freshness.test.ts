import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {expect, test} from 'vitest';
import {collectionsBehind, freshnessOf, listNames, staleSources} from './freshness.ts';

const node = (name: string, facts: Partial<CollectionNode>) =>
  ({name, synced: true, kind: 'source', ...facts}) as CollectionNode;
const at = new Date(2026, 10, 16, 15, 4, 12).getTime();
const pods = node('Pods', {asOf: at, current: false});
const services = node('Services', {asOf: at + 9000, current: false});
const workloads = node('Workloads', {kind: 'derived', asOf: at, current: false, behind: 'Pods'});
const nodes = node('Nodes', {asOf: at + 72_000, current: true});
const secrets = node('Secrets', {synced: false, current: false, state: 'forbidden'});
const graph = {collections: [services, workloads, pods, nodes, secrets]} as unknown as Graph;

test('sources that are not current come oldest first, what reads them is behind; the forbidden are neither', () => {
  expect(staleSources(graph).map(one => one.name)).toEqual(['Pods', 'Services']);
  expect(collectionsBehind(graph).map(one => one.name)).toEqual(['Workloads']);
});

test('a source says as of when, what reads it whom it is behind, a current one when it was heard', () => {
  expect(freshnessOf(pods, at + 74_000)).toEqual({
    stale: true,
    words: 'as of 15:04:12',
    since: 'no news for 1 min',
  });
  expect(freshnessOf(workloads, at)).toEqual({stale: true, words: 'behind Pods'});
  expect(freshnessOf(nodes, at + 74_000)).toEqual({stale: false, words: 'confirmed 2 s ago'});
  expect(freshnessOf(secrets, at)).toBeUndefined();
});

test('one, two and many by name', () => {
  expect([listNames([pods]), listNames([pods, services]), listNames([pods, services, nodes])]).toEqual([
    'Pods',
    'Pods and Services',
    'Pods and 2 more',
  ]);
});
