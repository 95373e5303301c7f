import {describe, expect, test} from 'vitest';
import {namespaceOf} from './item-namespace.ts';

describe('the namespace of an item', () => {
  test.each([
    ['a Kubernetes object', 'Pods', 'a/x', {metadata: {name: 'x', namespace: 'bank'}}, 'bank'],
    ['a field', 'Workloads', 'a', {name: 'x', namespace: 'bank'}, 'bank'],
    [
      "Go's name of a field",
      'ingress/ServiceWithPorts',
      'bank/pay',
      {Name: 'pay', Namespace: 'bank'},
      'bank',
    ],
    [
      'one object deep',
      'ambient/PodWorkloads',
      'Kubernetes//Pod/bank/x',
      {Workload: {namespace: 'bank'}},
      'bank',
    ],
    [
      'two deep',
      'serviceentry/outputs/Services',
      'k',
      {Service: {Attributes: {Namespace: 'bank'}}, Ports: [1]},
      'bank',
    ],
    ['a wrapped object', 'gateway/HTTPRoute/status', 'k', {Obj: {metadata: {namespace: 'bank'}}}, 'bank'],
    ['the nearest wins', 'Rows', 'k', {namespace: 'bank', target: {namespace: 'shop'}}, 'bank'],
    ['two on one level', 'Rows', 'shop/k', {from: {namespace: 'bank'}, to: {namespace: 'shop'}}, 'shop'],
    ['its key', 'Rows', 'bank/pay', {size: 1}, 'bank'],
    ['a namespace', 'Namespaces', 'bank', {metadata: {name: 'bank'}}, 'bank'],
    ["a program's namespace", 'informer/Namespaces', 'bank', {metadata: {name: 'bank'}}, 'bank'],
    [
      'a cluster-wide object',
      'Nodes',
      'node-1',
      {metadata: {name: 'node-1'}, spec: {ref: {namespace: 'bank'}}},
      '',
    ],
    ['no item', 'Workloads', 'bank/x', undefined, 'bank'],
  ])('%s', (_, collection, key, value, namespace) => {
    expect(namespaceOf(collection, key, value)).toBe(namespace);
  });
});
