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

test('a row of an informer of another program goes by its kind', () => {
  expect(objectName({collection: 'informer/Namespaces', key: 'shop'})).toBe('Namespace shop');
  expect(objectName({collection: 'ambient/informer/ServiceEntries', key: 'bank/cards'})).toBe(
    'ServiceEntry bank/cards',
  );
  expect(objectName({collection: 'ambient/ServicesInfo', key: 'a'})).toBe('ambient/ServicesInfo a');
});
