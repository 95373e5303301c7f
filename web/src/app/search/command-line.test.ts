import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {expect, test} from 'vitest';
import {type CommandContext, completeCommand} from './command-line.ts';

const collection = (name: string) => ({name, kind: 'source', size: 3}) as unknown as CollectionNode;
const context: CommandContext = {
  collections: ['Pods', 'Services', 'WorkloadServices', 'Namespaces', 'NetworkPolicies'].map(collection),
  namespaces: ['data', 'shop'],
  sessions: ['demo', 'kind-prod'],
  selected: {collection: 'Pods', key: 'shop/cart-1'},
  hits: [{collection: 'Workloads', key: 'shop/cart-1', where: 'key'}],
};
const first = (text: string) => completeCommand(text, context)[0]?.command;

test('a kind by its plural, singular or short name opens its rows', () => {
  for (const text of ['pods', 'pod', 'po', 'Pods'])
    expect([text, first(text)]).toEqual([text, {run: 'open', collection: 'Pods'}]);
  expect(first('netpol')).toEqual({run: 'open', collection: 'NetworkPolicies'});
  expect(first('svc')).toEqual({run: 'open', collection: 'Services'});
  expect(first('ns')).toEqual({run: 'open', collection: 'Namespaces'});
});

test('a second word is a namespace if there is one of that name, else a filter', () => {
  expect(first('svc shop')).toEqual({run: 'open', collection: 'Services', namespace: 'shop'});
  expect(first('svc app=xyz')).toEqual({run: 'open', collection: 'Services', filter: 'app=xyz'});
});

test('ctx, ns and why', () => {
  expect(first('ctx')).toEqual({run: 'session', name: 'demo'});
  expect(first('ctx prod')).toEqual({run: 'session', name: 'kind-prod'});
  expect(first('ns sh')).toEqual({run: 'namespace', name: 'shop'});
  expect(first('ns all')).toEqual({run: 'namespace', name: null});
  expect(first('why')).toEqual({run: 'why', item: {collection: 'Pods', key: 'shop/cart-1'}});
  expect(first('why cart')).toEqual({run: 'why', item: {collection: 'Workloads', key: 'shop/cart-1'}});
  expect(first('nosuchkind')).toBeUndefined();
});
