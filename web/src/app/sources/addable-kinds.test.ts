import type {KindAnswer} from '@krtscope/shared/sources.ts';
import {expect, test} from 'vitest';
import {matchingKinds} from './addable-kinds.ts';

const kind = (resource: string, group: string, name: string, more: Partial<KindAnswer> = {}): KindAnswer => ({
  resource,
  group,
  version: 'v1',
  kind: name.replace(/s$/, ''),
  namespaced: true,
  allowed: true,
  name,
  shortNames: [],
  ...more,
});
const kinds = [
  kind('pods', '', 'Pods', {source: 'Pods', shortNames: ['po']}),
  kind('jobs', 'batch', 'Jobs'),
  kind('leases', 'coordination.k8s.io', 'Leases', {allowed: false}),
  kind('gateways', 'gateway.networking.k8s.io', 'Gateways', {shortNames: ['gtw']}),
  kind('httproutes', 'gateway.networking.k8s.io', 'HTTPRoutes'),
];
const found = (text: string) => matchingKinds(kinds, text).map(({name}) => name);

test('without a word: what can be added, then what is a source, then what may not be listed', () => {
  expect(found('')).toEqual(['Gateways', 'HTTPRoutes', 'Jobs', 'Pods', 'Leases']);
});

test('names are in the order in which one looks for them, whatever is written in capitals', () => {
  const mixed = ['CronJobs', 'CSIDrivers', 'ClusterRoles'].map(name => kind(name.toLowerCase(), 'x', name));
  expect(matchingKinds(mixed, '').map(({name}) => name)).toEqual(['ClusterRoles', 'CronJobs', 'CSIDrivers']);
});

test('a short name, a kind, a plural and a group find theirs', () => {
  expect(found('gtw')).toEqual(['Gateways']);
  expect(found('po')).toEqual(['Pods']);
  expect(found('HTTPRoute')).toEqual(['HTTPRoutes']);
  expect(found('gateways.gateway')).toEqual(['Gateways']);
  expect(found('gateway.net')).toEqual(['Gateways', 'HTTPRoutes']);
  expect(found('nothing')).toEqual([]);
});
