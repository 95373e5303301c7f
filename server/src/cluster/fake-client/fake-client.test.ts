// The fake client answers as the embedded server does, because it is its storage.
import {expect, test} from 'vitest';
import {
  ConfigMap,
  copy,
  Deployment,
  defineResource,
  isConflict,
  isInvalid,
  isNotFound,
  mergeFrom,
  type types,
  z,
} from '../../runtime/index.ts';
import {fakeClient} from './fake-client.ts';

const key = {namespace: 'shop', name: 'a'};
const settings: types.ConfigMap = {apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: {x: '1'}};
const databases = defineResource({
  group: 'example.com',
  kind: 'Database',
  versions: {
    v1: {
      spec: z.object({replicas: z.int().min(1).default(1)}),
      status: z.object({ready: z.boolean().optional()}),
    },
  },
});
const Database = databases.kinds.v1;

test('a stale resourceVersion is a conflict, and a write moves it', async () => {
  const client = await fakeClient([settings]);
  const first = await client.get(ConfigMap, key);
  const second = copy(first);
  first.data = {x: '2'};
  await client.update(first);
  second.data = {x: '3'};
  const refused = await client.update(second).catch(error => error);
  expect(isConflict(refused)).toBe(true);
  expect((await client.get(ConfigMap, key)).data).toEqual({x: '2'});
  expect(isNotFound(await client.get(ConfigMap, {...key, name: 'b'}).catch(error => error))).toBe(true);
});

test('generation counts changes of the spec, and status is written apart', async () => {
  const object = {apiVersion: 'example.com/v1', kind: 'Database', metadata: key, spec: {}} as const;
  const client = await fakeClient([{...object, status: {ready: true}}], {definitions: [databases]});
  const database = await client.get(Database, key);
  expect(database).toMatchObject({
    metadata: {generation: 1},
    spec: {replicas: 1},
    status: {ready: true},
  });
  const base = copy(database);
  database.spec.replicas = 3;
  database.status = {ready: false};
  await client.patch(database, mergeFrom(base));
  expect(database).toMatchObject({metadata: {generation: 2}, status: {ready: true}});
  await client.status().update({...database, status: {ready: false}});
  expect(await client.get(Database, key)).toMatchObject({
    metadata: {generation: 2},
    status: {ready: false},
  });
  const current = await client.get(Database, key);
  const refused = await client.update({...current, spec: {replicas: 0}}).catch(error => error);
  expect(isInvalid(refused)).toBe(true);
});

test('an object with a finalizer stays until the finalizer is removed', async () => {
  const metadata = {...key, finalizers: ['example.com/a'], deletionTimestamp: '2026-01-01T00:00:00Z'};
  const client = await fakeClient([{...settings, metadata}]);
  const object = await client.get(ConfigMap, key);
  expect(object.metadata.deletionTimestamp).toBeDefined();
  object.metadata.finalizers = [];
  await client.update(object);
  expect(isNotFound(await client.get(ConfigMap, key).catch(error => error))).toBe(true);
  await expect(
    fakeClient([{...settings, metadata: {...key, deletionTimestamp: '2026-01-01T00:00:00Z'}}]),
  ).rejects.toThrow('has a deletionTimestamp and no finalizer');
});

test('server-side apply owns fields, and a seed repeats generated names', async () => {
  const names = await Promise.all(
    [1, 2].map(async () => {
      const client = await fakeClient([], {seed: 7});
      const made = await client.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {namespace: 'default', generateName: 'a-'},
      });
      return made.metadata.name;
    }),
  );
  expect(names[0]).toBe(names[1]);
  const client = await fakeClient([settings]);
  const applied = {...settings, data: {x: '2'}};
  const refused = await client.apply(copy(applied), {fieldOwner: 'other'}).catch(error => error);
  expect(isConflict(refused)).toBe(true);
  expect(await client.apply(copy(applied), {fieldOwner: 'other', force: true})).toMatchObject({
    data: {x: '2'},
  });
});

test('interceptors fail, count and change calls, also those of subresources', async () => {
  let gets = 0;
  const client = await fakeClient([settings], {
    interceptors: {
      get: (below, kind, at) => {
        gets++;
        return below.get(kind, at);
      },
      create: async () => {
        throw new Error('the quota is used up');
      },
      subResource: async (name, verb) => {
        throw new Error(`${verb} of ${name} is down`);
      },
    },
  });
  await client.get(ConfigMap, key);
  await client.with({dryRun: true}).get(ConfigMap, key);
  expect(gets).toBe(2);
  await expect(client.create({...settings, metadata: {...key, name: 'b'}})).rejects.toThrow('quota');
  const object = await client.get(ConfigMap, key);
  await expect(client.status().update(object)).rejects.toThrow('update of status is down');
  expect(await client.list(Deployment)).toMatchObject({items: []});
});
