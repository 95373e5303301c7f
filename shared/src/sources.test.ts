import {expect, test} from 'vitest';
import type {WireResource} from './graph.ts';
import {pluralOf, shippedSources, sourceName} from './sources.ts';

const resource = (group: string, plural: string, kind: string): WireResource => ({
  group,
  version: 'v1',
  resource: plural,
  kind,
  namespaced: true,
});

test('the plural keeps the kind’s capitals', () => {
  const plurals = [
    ['pods', 'Pod'],
    ['networkpolicies', 'NetworkPolicy'],
    ['ingresses', 'Ingress'],
    ['endpoints', 'Endpoints'],
    ['gateways', 'Gateway'],
    ['people', 'Person'],
    ['gas', 'Gas'],
  ].map(([plural = '', kind = '']) => pluralOf({resource: plural, kind}));
  expect(plurals).toEqual([
    'Pods',
    'NetworkPolicies',
    'Ingresses',
    'Endpoints',
    'Gateways',
    'Persons',
    'Gas',
  ]);
});

test('every shipped source has the name that its resource gives it', () => {
  for (const [name, one] of Object.entries(shippedSources)) expect(pluralOf(one)).toBe(name);
});

test('bare if one group serves the kind and nobody has the name', () => {
  const gateway = resource('gateway.networking.k8s.io', 'gateways', 'Gateway');
  const istio = resource('networking.istio.io', 'gateways', 'Gateway');
  const event = resource('', 'events', 'Event');
  const never = () => false;
  expect(sourceName(gateway, [gateway], never)).toBe('Gateways');
  expect(sourceName(gateway, [gateway, istio], never)).toBe('Gateways.gateway.networking.k8s.io');
  expect(sourceName(istio, [istio], name => name === 'Gateways')).toBe('Gateways.networking.istio.io');
  expect(sourceName(event, [event, resource('events.k8s.io', 'events', 'Event')], never)).toBe('Events.core');
});
