import type {Graph} from '@krtscope/shared/graph.ts';
import {expect, test} from 'vitest';
import {fixEdit} from './fix-edit.ts';

const resource = {version: 'v1', namespaced: true};
const graph = {
  collections: [
    {name: 'Workloads'},
    {name: 'Pods', resource: {...resource, group: '', kind: 'Pod', resource: 'pods'}},
    {name: 'Services', resource: {...resource, group: '', kind: 'Service', resource: 'services'}},
    {
      name: 'Deployments',
      resource: {...resource, group: 'apps', kind: 'Deployment', resource: 'deployments'},
    },
    {name: 'Nodes', resource: {...resource, group: '', kind: 'Node', resource: 'nodes', namespaced: false}},
  ],
} as unknown as Graph;

test.each([
  [
    'kubectl -n shop label pod cart-1 app=cart --overwrite',
    {collection: 'Pods', key: 'shop/cart-1', body: {metadata: {labels: {app: 'cart'}}}, type: 'merge'},
  ],
  [
    'kubectl annotate node n1 example.com/x-',
    {collection: 'Nodes', key: 'n1', body: {metadata: {annotations: {'example.com/x': null}}}, type: 'merge'},
  ],
  [
    String.raw`kubectl -n shop patch service cart --type=merge -p '{"spec":{"selector":{"app":"it'\''s"}}}'`,
    {collection: 'Services', key: 'shop/cart', body: {spec: {selector: {app: "it's"}}}, type: 'merge'},
  ],
  [
    `kubectl -n shop patch deployments.apps cart --type=json -p '[{"op":"remove","path":"/spec/paused"}]'`,
    {collection: 'Deployments', key: 'shop/cart', body: [{op: 'remove', path: '/spec/paused'}], type: 'json'},
  ],
])('%s is a patch', (command, patch) => {
  expect(fixEdit(command, graph)).toEqual({patch});
});

test.each([
  'kubectl -n shop logs cart-1 --previous',
  'kubectl -n shop label gateway a x=y',
  'helm rollback shop',
])('%s is not an edit of a source', command => {
  expect(fixEdit(command, graph)).toBeUndefined();
});
