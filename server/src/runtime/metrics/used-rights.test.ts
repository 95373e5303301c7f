import {expect, test} from 'vitest';
import {rightOf} from './used-rights.ts';

test('a request names the right that it needs', () => {
  const text = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, query = {}) => {
    const right = rightOf({method, path, query});
    if (!right) return undefined;
    const {verb, group, resource, subresource, namespace} = right;
    return [verb, group, resource, subresource, namespace].join(' ');
  };
  expect(text('GET', '/api/v1/pods', {watch: true})).toBe('watch  pods  ');
  expect(text('GET', '/api/v1/namespaces/shop/pods')).toBe('list  pods  shop');
  expect(text('GET', '/api/v1/namespaces/shop')).toBe('get  namespaces  ');
  expect(text('PATCH', '/api/v1/namespaces/shop/status')).toBe('patch  namespaces status ');
  expect(text('PUT', '/apis/apps/v1/namespaces/shop/deployments/cart/scale')).toBe(
    'update apps deployments scale shop',
  );
  expect(text('DELETE', '/apis/apps/v1/namespaces/shop/deployments')).toBe(
    'deletecollection apps deployments  shop',
  );
  // Every user may discover, and ask about its own rights.
  expect(text('GET', '/apis/apps/v1')).toBeUndefined();
  expect(text('GET', '/openapi/v3')).toBeUndefined();
  expect(text('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews')).toBeUndefined();
});
