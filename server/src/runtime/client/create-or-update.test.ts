import {expect, test} from 'vitest';
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {ApiError} from '../../kube/error.ts';
import type {KubeObject} from '../../kube/object.ts';
import {Mapper} from '../scheme/mapper.ts';
import {TestWire} from '../testing-wire.ts';
import {createOrPatch, createOrUpdate} from './create-or-update.ts';
import {namespaced} from './namespaced-client.ts';
import {RuntimeClient} from './runtime-client.ts';

function rig(there?: KubeObject) {
  const wire = new TestWire();
  wire.answer = ({method, body}) => {
    if (method === undefined) return there ?? new ApiError(404, 'none');
    return typeof body === 'string' ? {...there} : body;
  };
  return {wire, client: new RuntimeClient({client: new DynamicClient(wire), mapper: new Mapper(wire)})};
}

const stored: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'm', namespace: 'a', resourceVersion: '3'},
  data: {k: 'v'},
  status: {n: 1},
};
const set = (fields: object) => (object: KubeObject) => void Object.assign(object, fields);
const wanted = (): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'm', namespace: 'a'},
});

test('[127] created, unchanged without a write, updated', async () => {
  const fresh = rig();
  expect(await createOrUpdate(fresh.client, wanted(), set({data: {k: 'v'}}))).toBe('created');
  expect(fresh.wire.log).toEqual([
    'GET /api/v1/namespaces/a/configmaps/m',
    'POST /api/v1/namespaces/a/configmaps',
  ]);
  const {wire, client} = rig(stored);
  expect(await createOrUpdate(client, wanted(), set({data: {k: 'v'}}))).toBe('unchanged');
  expect(await createOrUpdate(client, wanted(), set({data: {k: 'w'}}))).toBe('updated');
  expect(wire.log.filter(line => !line.startsWith('GET'))).toEqual(['PUT /api/v1/namespaces/a/configmaps/m']);
  expect(wire.sent).toMatchObject([{metadata: {resourceVersion: '3'}, data: {k: 'w'}}]);
});

test('[127] mutate must not rename', async () => {
  const {client} = rig(stored);
  await expect(createOrUpdate(client, wanted(), set({metadata: {name: 'x'}}))).rejects.toThrow(
    'must not change the name',
  );
});

test('body and status are patched apart, each only where it changed', async () => {
  const {wire, client} = rig(stored);
  expect(await createOrPatch(client, wanted(), set({status: {n: 2}}))).toBe('updatedStatusOnly');
  expect(await createOrPatch(client, wanted(), set({data: {k: 'w'}, status: {n: 2}}))).toBe('updatedStatus');
  expect(await createOrPatch(client, wanted(), set({data: {k: 'w'}}))).toBe('updated');
  expect(wire.sent).toEqual([{status: {n: 2}}, {data: {k: 'w'}}, {status: {n: 2}}, {data: {k: 'w'}}]);
});

test('a client at home in one namespace fills it in and refuses another', async () => {
  const {wire, client} = rig();
  const home = namespaced(client, 'a');
  await home.create({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'm'}});
  await home.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'n'}});
  expect(wire.log).toEqual(['POST /api/v1/namespaces/a/configmaps', 'POST /api/v1/namespaces']);
  await expect(home.update({...stored, metadata: {...stored.metadata, namespace: 'b'}})).rejects.toThrow(
    'does not match the namespace a on the client',
  );
  await home.with({dryRun: true}).update(stored);
  expect(wire.log.at(-1)).toBe('PUT /api/v1/namespaces/a/configmaps/m?dryRun=All');
});
