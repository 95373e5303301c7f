import {expect, test} from 'vitest';
import type {StoredObject} from '../../object/stored-object.ts';
import {servicesOfPod} from './services-of-pod.ts';

function service(name: string, selector: Record<string, string>): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name, namespace: 'shop'},
    spec: {selector},
  } as StoredObject;
}

function pod(labels: Record<string, string>, {ip = '10.0.0.1', ready = 'True'} = {}): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'a', namespace: 'shop', uid: 'u', labels},
    spec: {nodeName: 'n1'},
    status: {phase: 'Running', podIP: ip, conditions: [{type: 'Ready', status: ready}]},
  } as unknown as StoredObject;
}

const services = [
  service('web', {app: 'web'}),
  service('cart', {app: 'cart'}),
  service('all', {tier: 'front'}),
];
const handler = servicesOfPod(async namespace => (namespace === 'shop' ? services : []));

async function woken(old: StoredObject, object: StoredObject): Promise<string[]> {
  const names: string[] = [];
  await handler.update?.({type: 'update', old, object} as never, ({name}) => void names.push(name));
  return names.sort();
}

test('a change of a Pod concerns the Services whose slices show it otherwise, and no others', async () => {
  const web = {app: 'web', tier: 'front'};
  expect(await woken(pod(web), pod({...web, note: '1'}))).toEqual([]);
  expect(await woken(pod(web), pod(web, {ready: 'False'}))).toEqual(['all', 'web']);
  expect(await woken(pod(web), pod(web, {ip: '10.0.0.2'}))).toEqual(['all', 'web']);
  expect(await woken(pod(web), pod({...web, app: 'cart'}))).toEqual(['cart', 'web']);
  expect(await woken(pod(web), pod({tier: 'front'}))).toEqual(['web']);
  expect(await woken(pod(web), pod({...web, app: 'cart'}, {ready: 'False'}))).toEqual(['all', 'cart', 'web']);
});

test('a Pod that comes or goes concerns all that select it', async () => {
  const names: string[] = [];
  const enqueue = ({name}: {name: string}) => void names.push(name);
  await handler.create?.({type: 'create', object: pod({app: 'web'})} as never, enqueue);
  await handler.delete?.({type: 'delete', object: pod({app: 'cart'})} as never, enqueue);
  expect(names).toEqual(['web', 'cart']);
});
