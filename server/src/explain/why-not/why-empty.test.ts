import type {WhyNot} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {createCatalogShop} from '../../engine/host/query/testing-catalog.ts';
import {createTestGraphHost, type HostTestObject, pod} from '../../engine/host/query/testing-graph-host.ts';

test('names the field that differs from inputs with output', () => {
  const r = createCatalogShop();
  r.write({Pods: [pod('catalog-d', {app: 'catalog'}, {phase: 'Pending'})]});
  const answer = r.ask<WhyNot>({ask: 'why-empty', collection: 'Workloads', key: 'shop/catalog-d'});
  expect(answer.verdict).toBe('did-not-look');
  expect(answer.sentence).toMatch(
    /^Workload shop\/catalog-d has no output: its run in #\d+ returned nothing before it fetched anything\. Most likely because status\.phase is Pending: the 3 inputs with output that were compared have Running\.$/,
  );
  expect(() => r.ask({ask: 'why-empty', collection: 'Workloads', key: 'shop/catalog-a'})).toThrow(
    /not empty/,
  );
});

test('says when a fetch found nothing, and when it waits', () => {
  const r = createCatalogShop();
  const answer = r.ask<WhyNot>({ask: 'why-empty', collection: 'WorkloadServices', key: 'shop/catalog-c'});
  expect(answer.verdict).toBe('did-not-look');
  const waiting = createTestGraphHost();
  waiting.sync('Namespaces');
  waiting.write({Pods: [pod('web-1')]});
  expect(waiting.ask<WhyNot>({ask: 'why-empty', collection: 'Workloads', key: 'shop/web-1'}).verdict).toBe(
    'waiting',
  );
});

test('names the nearest miss of a fetch that found nothing, and an empty list that others have filled', () => {
  const r = createCatalogShop();
  const policy = (name: string, app: string): HostTestObject => ({
    metadata: {name, namespace: 'shop'},
    spec: {podSelector: {matchLabels: {app}}},
  });
  r.write({NetworkPolicies: [policy('p', 'catalog')]});
  r.write({NetworkPolicies: [policy('p', 'catalogs')]});
  const answer = r.ask<WhyNot>({ask: 'why-empty', collection: 'PolicyBindings', key: 'shop/p'});
  expect(answer.sentence).toMatch(
    / has no output: NetworkPolicy shop\/p selects no Pod: it selects app=catalogs, and Pod shop\/catalog-a has app=catalog\.$/,
  );
  expect(answer.evidence.clauses.find(c => c.matchesNew === false)).toMatchObject({clause: 'labels.app'});
  r.write({Pods: [pod('catalog-e', {app: 'catalog', tier: 'backend'})]});
  const row = r.ask<WhyNot>({ask: 'why-empty', collection: 'WorkloadServices', key: 'shop/catalog-c'});
  expect(row.sentence).toMatch(
    /returned nothing\. Most likely because services is \[\]: the 3 inputs with output that were compared have something there\.$/,
  );
  r.write({Pods: [pod('late', {}, {phase: 'Pending'})]});
  expect(() => r.ask({ask: 'why-empty', collection: 'WorkloadServices', key: 'shop/late'})).toThrow(
    expect.objectContaining({hint: expect.stringContaining('Workload shop/late is empty itself')}),
  );
});

test('a singleton is asked about by any key; an item is not taken for an input', () => {
  const r = createCatalogShop();
  expect(() => r.ask({ask: 'why-empty', collection: 'ClusterSummary', key: 'cluster'})).toThrow(
    /is not empty/,
  );
  expect(() => r.ask({ask: 'why', collection: 'Pods', key: 'shop/catalog-a', input: true})).toThrow(
    'Pods has an item "shop/catalog-a", and no input of that key',
  );
});
