import {shippedSources} from '@krtscope/shared/sources.ts';
import {expect, test} from 'vitest';
import {findByWord, nearestNames, shippedCollections} from './kubectl-names.ts';

test('the shipped kinds are those of the protocol', () => {
  expect(Object.fromEntries(shippedCollections.map(({name, resource}) => [name, resource]))).toEqual(
    shippedSources,
  );
});

const collections = [
  ...shippedCollections,
  {name: 'Workloads', fields: []},
  {name: 'ServiceInfos', fields: []},
  {
    name: 'Gateways.gateway.networking.k8s.io',
    resource: {
      group: 'gateway.networking.k8s.io',
      version: 'v1',
      resource: 'gateways',
      kind: 'Gateway',
      namespaced: true,
    },
    fields: [],
  },
];

test.each([
  ['pods', 'Pods'],
  ['po', 'Pods'],
  ['Pod', 'Pods'],
  ['pod', 'Pods'],
  ['PODS', 'Pods'],
  ['netpol', 'NetworkPolicies'],
  ['networkpolicy', 'NetworkPolicies'],
  ['deploy', 'Deployments'],
  ['deployments.apps', 'Deployments'],
  ['deployment.v1.apps', 'Deployments'],
  ['workloads', 'Workloads'],
  ['workload', 'Workloads'],
  ['serviceinfo', 'ServiceInfos'],
  ['gtw', 'Gateways.gateway.networking.k8s.io'],
  ['gateways.gateway.networking.k8s.io', 'Gateways.gateway.networking.k8s.io'],
])('%s is %s', (word, name) => {
  expect(findByWord(collections, word)?.name).toBe(name);
});

test('an unknown word names no collection, and a mistyped one has near names', () => {
  expect(findByWord(collections, 'constructor')).toBeUndefined();
  expect(
    nearestNames(
      collections.map(one => one.name),
      'wrkloads',
    ),
  ).toEqual(['Workloads']);
});
