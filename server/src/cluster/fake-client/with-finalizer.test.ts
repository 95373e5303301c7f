// The finalizer helper on the semantics of the server.
import {expect, test} from 'vitest';
import {ConfigMap, ignoreNotFound, isConflict, withFinalizer} from '../../runtime/index.ts';
import {fakeClient} from './fake-client.ts';

const key = {namespace: 'shop', name: 'a'};
const name = 'example.com/account';
const settings = {apiVersion: 'v1', kind: 'ConfigMap', metadata: key};

test('the finalizer is written first, kept until the cleanup is done, and then removed', async () => {
  const client = await fakeClient([settings]);
  const read = () => client.get(ConfigMap, key);
  let clean = false;
  const run = async () => withFinalizer(client, await read(), name, () => clean);
  expect(await run()).toBe('active');
  expect((await read()).metadata.finalizers).toEqual([name]);
  expect(await run()).toBe('active');
  await client.delete(await read());
  expect(await run()).toBe('deleting');
  clean = true;
  expect(await run()).toBe('deleted');
  expect(await ignoreNotFound(read())).toBeUndefined();
});

test('a finalizer that another program added meanwhile is not lost', async () => {
  const client = await fakeClient([settings]);
  const stale = await client.get(ConfigMap, key);
  const other = await client.get(ConfigMap, key);
  other.metadata.finalizers = ['example.com/other'];
  await client.update(other);
  const refused = await withFinalizer(client, stale, name, () => {}).catch(error => error);
  expect(isConflict(refused)).toBe(true);
  expect((await client.get(ConfigMap, key)).metadata.finalizers).toEqual(['example.com/other']);
});
