import type {Incident} from '@krtscope/shared/incidents.ts';
import {expect, test} from 'vitest';
import {concernsNamespace, stableIncidentOrder} from './incident-order.ts';

const incident = (id: string, more: Partial<Incident> = {}) =>
  ({id, symptoms: [], ...more}) as unknown as Incident;

test('what is shown keeps its place when a worse one opens: the new one comes last', () => {
  const first = stableIncidentOrder([], [incident('a'), incident('b')]);
  expect(first).toEqual(['a', 'b']);
  expect(stableIncidentOrder(first, [incident('worse'), incident('a'), incident('b')])).toEqual([
    'a',
    'b',
    'worse',
  ]);
});

test('one that ends stays where it is; one that had ended before is not shown; one that is forgotten goes', () => {
  const after = [incident('b'), incident('a', {ended: 9}), incident('old', {ended: 2})];
  expect(stableIncidentOrder(['a', 'b'], after)).toEqual(['a', 'b']);
  expect(stableIncidentOrder(['a', 'b'], [incident('b')])).toEqual(['b']);
});

test('a namespace has the incidents of its items and of whole collections', () => {
  const of = (...keys: string[]) => incident('x', {symptoms: [{keys}] as unknown as Incident['symptoms']});
  expect([of('shop/a'), of('web/a'), of(), of('node-a')].map(one => concernsNamespace(one, 'shop'))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(concernsNamespace(of('web/a'), null)).toBe(true);
});
