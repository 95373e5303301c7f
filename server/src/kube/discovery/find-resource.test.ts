import {expect, test} from 'vitest';
import type {DiscoveredResource} from './discovery.ts';
import {findResource, listableResources} from './find-resource.ts';
import {pathOf} from './printer-columns.ts';

function served(
  group: string,
  version: string,
  plural: string,
  kind: string,
  more: Partial<DiscoveredResource> = {},
): DiscoveredResource {
  return {
    group,
    version,
    plural,
    kind,
    namespaced: true,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: ['get', 'list', 'watch'],
    subresources: [],
    preferred: true,
    ...more,
  };
}

const resources = [
  served('', 'v1', 'pods', 'Pod', {shortNames: ['po']}),
  served('', 'v1', 'events', 'Event', {shortNames: ['ev']}),
  served('', 'v1', 'bindings', 'Binding', {verbs: ['create']}),
  served('apps', 'v1', 'deployments', 'Deployment', {shortNames: ['deploy']}),
  served('events.k8s.io', 'v1', 'events', 'Event', {shortNames: ['ev']}),
  served('gateway.networking.k8s.io', 'v1', 'gateways', 'Gateway', {shortNames: ['gtw']}),
  served('gateway.networking.k8s.io', 'v1beta1', 'gateways', 'Gateway', {preferred: false}),
  served('networking.istio.io', 'v1', 'gateways', 'Gateway', {shortNames: ['gw']}),
];

const found = (text: string) => {
  const one = findResource(resources, text);
  return one && `${one.plural}.${one.version}.${one.group}`;
};

test.each([
  ['pods', 'pods.v1.'],
  ['pod', 'pods.v1.'],
  ['po', 'pods.v1.'],
  ['Pod', 'pods.v1.'],
  ['deploy', 'deployments.v1.apps'],
  ['deployments.apps', 'deployments.v1.apps'],
  ['deployments.v1.apps', 'deployments.v1.apps'],
  ['events', 'events.v1.'],
  ['events.events.k8s.io', 'events.v1.events.k8s.io'],
  ['gateways', 'gateways.v1.gateway.networking.k8s.io'],
  ['gtw', 'gateways.v1.gateway.networking.k8s.io'],
  ['gw', 'gateways.v1.networking.istio.io'],
  ['gateways.networking', 'gateways.v1.networking.istio.io'],
  ['gateways.v1beta1.gateway.networking.k8s.io', 'gateways.v1beta1.gateway.networking.k8s.io'],
  ['bindings', undefined],
  ['nonsense', undefined],
  ['gateways.nowhere.io', undefined],
  ['', undefined],
])('%s is what kubectl takes it for', (text, wanted) => expect(found(text)).toBe(wanted));

test('of several versions the preferred one is listed, and nothing that cannot be', () => {
  const all = listableResources(resources).map(({plural, version, group}) => `${plural}.${version}.${group}`);
  expect(all).toHaveLength(6);
  expect(all).toContain('gateways.v1.gateway.networking.k8s.io');
});

test.each([
  ['.spec.gatewayClassName', 'spec.gatewayClassName'],
  ['{.spec.hostnames}', 'spec.hostnames'],
  ['.status.conditions[?(@.type=="Programmed")].status', 'status.conditions[type=Programmed].status'],
  ['.status.addresses[*].value', 'status.addresses[].value'],
  ['.spec.rules[0].name', 'spec.rules[0].name'],
  ['.metadata.labels.topology\\.kubernetes\\.io/zone', 'metadata.labels[topology.kubernetes.io/zone]'],
  [".metadata.annotations['a.b/c']", 'metadata.annotations[a.b/c]'],
  ['.status.conditions[?(@.age>1)].status', undefined],
  ['', undefined],
])('the column %s is the path %s', (jsonPath, path) => expect(pathOf(jsonPath)).toBe(path));
