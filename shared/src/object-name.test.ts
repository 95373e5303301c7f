import {expect, test} from 'vitest';
import {objectName, singularOf} from './object-name.ts';

test.each([
  ['Pods', 'Pod'],
  ['NetworkPolicies', 'NetworkPolicy'],
  ['Ingresses', 'Ingress'],
  ['StorageClasses', 'StorageClass'],
  ['Gateways', 'Gateway'],
  ['ComponentStatuses', 'ComponentStatus'],
  ['Leases', 'Lease'],
  ['ClusterSummary', 'ClusterSummary'],
  ['Status', 'Status'],
  ['Analysis', 'Analysis'],
  ['WorkloadsByNode', 'WorkloadsByNode'],
  ['Boxes', 'Box'],
  ['Databases', 'Database'],
])('one of %s is a %s', (collection, kind) => {
  expect(singularOf(collection)).toBe(kind);
});

test('an object is named as kubectl names it, the row of a singleton by its collection', () => {
  expect(objectName({collection: 'Pods', key: 'shop/cart-x'})).toBe('Pod shop/cart-x');
  expect(objectName({collection: 'ClusterSummary', key: ''})).toBe('ClusterSummary');
});
