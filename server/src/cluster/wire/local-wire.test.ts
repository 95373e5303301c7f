import {afterEach, beforeEach, expect, test} from 'vitest';
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {systemClock} from '../../kube/clock.ts';
import {Discovery} from '../../kube/discovery/discovery.ts';
import {ApiError} from '../../kube/error.ts';
import {Informer} from '../../kube/informer/informer.ts';
import {resources} from '../../kube/resource.ts';
import {Api} from '../api.ts';
import {seedEmpty} from '../shop/seed.ts';
import {LocalWire} from './local-wire.ts';
import {RbacAccess} from './rbac-access.ts';

let client: DynamicClient;

beforeEach(() => {
  const api = new Api();
  seedEmpty(api);
  const access = new RbacAccess(api, 'owner-token', 'user-token');
  client = new DynamicClient(new LocalWire(api, access, {token: 'owner-token', userAgent: 'tester/1'}));
});

afterEach(() => client.transport.close());

const map = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, namespace: 'default'},
  data,
});

test('writes and reads as over HTTP, under the user agent as field manager', async () => {
  const made = await client.create(resources.ConfigMaps, map('a', {x: '1'}));
  expect(made.metadata.managedFields?.[0]?.manager).toBe('tester');
  const patch = {data: {y: '2'}};
  await client.patch(resources.ConfigMaps, {namespace: 'default', name: 'a'}, patch, {type: 'merge'});
  const found = await client.get(resources.ConfigMaps, {namespace: 'default', name: 'a'});
  expect(found.data).toEqual({x: '1', y: '2'});
});

test('discovery finds every kind through it', async () => {
  const found = await new Discovery(client.transport).find({
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
  });
  expect(found).toMatchObject({plural: 'poddisruptionbudgets', namespaced: true});
});

test('a refusal is the same ApiError', async () => {
  await client.create(resources.ConfigMaps, map('a', {}));
  const again = await client.create(resources.ConfigMaps, map('a', {})).catch(error => error);
  expect(again).toBeInstanceOf(ApiError);
  expect(again).toMatchObject({code: 409, reason: 'AlreadyExists', message: 'configmaps "a" already exists'});
});

test('an informer follows through it, and a stopped one leaves nothing behind', async () => {
  await client.create(resources.ConfigMaps, map('a', {}));
  const informer = new Informer({client, resource: resources.ConfigMaps, clock: systemClock});
  const seen: string[] = [];
  const heard = Promise.withResolvers<void>();
  informer.addHandler({
    onChange({event, key}) {
      seen.push(`${event} ${key}`);
      if (key === 'default/b') heard.resolve();
    },
  });
  informer.start();
  await informer.waitForSync();
  await client.create(resources.ConfigMaps, map('b', {}));
  await heard.promise;
  expect(seen).toContain('add default/a');
  expect(seen.at(-1)).toBe('add default/b');
  await informer.stop();
});
