// Sources of any kind over the embedded API: found by any kubectl name, added, read, removed and added again.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../cluster/start.ts';
import {parseConfig} from '../config.ts';
import type {OpenSession} from '../engine/link/session.ts';
import {connect} from '../kube/client/connect.ts';
import type {DynamicClient} from '../kube/client/dynamic-client.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {type Resource, resources} from '../kube/resource.ts';
import {SessionList} from './session-list.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-sources-'));
let cluster: EmbeddedCluster;
let kubectl: DynamicClient;
let sessions: SessionList;
let session: OpenSession;

const gateways: Resource = {
  group: 'gateway.example.io',
  version: 'v1',
  plural: 'gateways',
  kind: 'Gateway',
  namespaced: true,
};

function definition(group: string, plural: string, kind: string, version = 'v1') {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      scope: 'Namespaced',
      names: {plural, kind, singular: kind.toLowerCase(), shortNames: plural === 'gateways' ? ['gtw'] : []},
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
          additionalPrinterColumns: [
            {name: 'Class', type: 'string', jsonPath: '.spec.gatewayClassName'},
            {name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status'},
            {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'},
          ],
        },
      ],
    },
  };
}

const gateway = (name: string) => ({
  apiVersion: 'gateway.example.io/v1',
  kind: 'Gateway',
  metadata: {namespace: 'default', name},
  spec: {gatewayClassName: 'istio', env: [{name: 'API_TOKEN', value: 'hunter2'}]},
});

beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0, dataDir});
  const file = cluster.kubeconfigFile ?? '';
  const config = readKubeconfig([file]);
  kubectl = connect({config, context: config.currentContext ?? '', readOnly: false});
  const args = ['--kubeconfig', file, '--data-dir', dataDir, '--source', 'jobs.batch', '--source', 'widgets'];
  sessions = new SessionList(parseConfig(args, {}).config, 'test');
  await sessions.chooseFirst({});
  session = sessions.first();
});

afterAll(async () => {
  await sessions.stop();
  await kubectl.transport.close();
  await cluster.stop();
  rmSync(dataDir, {recursive: true});
});

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let n = 0; n < 600; n++) {
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('it did not come about in time');
}

async function node(name: string): Promise<CollectionNode | undefined> {
  const {collections} = (await session.link.ask({ask: 'graph'})) as Graph;
  return collections.find(one => one.name === name);
}

const synced = (name: string) =>
  until(async () => {
    const found = await node(name);
    return found?.state === 'synced' ? found : undefined;
  });

async function keys(collection: string): Promise<string[]> {
  const {items} = (await session.link.ask({ask: 'items', collection, limit: 1000})) as Items;
  return items.map(({key}) => key);
}

test('--source adds kinds at the start, and what the cluster does not serve yet when it comes', async () => {
  expect(await synced('Jobs')).toMatchObject({kind: 'source', resource: {group: 'batch', resource: 'jobs'}});
  expect(await node('Widgets')).toBeUndefined();
  await kubectl.create(
    resources.CustomResourceDefinitions,
    definition('example.io', 'widgets', 'Widget') as never,
  );
  expect(await synced('Widgets')).toMatchObject({size: 0});
});

test('/kinds says what is served, what may be listed and what is a source', async () => {
  const {kinds} = await session.kinds();
  const named = (name: string) => kinds.find(one => one.name === name);
  expect(named('Pods')).toMatchObject({resource: 'pods', allowed: true, source: 'Pods'});
  expect(named('Leases')).toMatchObject({group: 'coordination.k8s.io', allowed: true});
  expect(named('Leases')?.source).toBeUndefined();
  expect(new Set(kinds.map(({group, resource}) => `${group}/${resource}`)).size).toBe(kinds.length);
});

test('a kind is added by its short name, read with redaction, and its columns are its printer columns', async () => {
  await expect(session.addSource('gtw')).rejects.toMatchObject({code: 'not-found'});
  await kubectl.create(
    resources.CustomResourceDefinitions,
    definition('gateway.example.io', 'gateways', 'Gateway') as never,
  );
  const added = await until(() => session.addSource('gtw'));
  expect(added).toEqual({
    name: 'Gateways',
    group: 'gateway.example.io',
    version: 'v1',
    resource: 'gateways',
    kind: 'Gateway',
    namespaced: true,
  });
  await expect(session.addSource('gateways.v1.gateway.example.io')).rejects.toMatchObject({code: 'taken'});
  await kubectl.create(gateways, gateway('edge') as never);
  await until(async () => ((await keys('Gateways')).includes('default/edge') ? true : undefined));
  const {items} = (await session.link.ask({ask: 'items', collection: 'Gateways', limit: 10})) as Items;
  expect(JSON.stringify(items)).not.toContain('hunter2');
  const fields = await until(async () => {
    const found = (await node('Gateways'))?.fields;
    return found?.[0] === 'spec.gatewayClassName' ? found : undefined;
  });
  expect(fields).toContain('status.conditions[type=Ready].status');
  expect(fields).not.toContain('metadata.creationTimestamp');
});

test('a kind that a second group serves is named with its group; the first keeps its name', async () => {
  await kubectl.create(
    resources.CustomResourceDefinitions,
    definition('networking.example.io', 'gateways', 'Gateway') as never,
  );
  const added = await until(() => session.addSource('gateways.networking.example.io'));
  expect(added.name).toBe('Gateways.networking.example.io');
  expect(await node('Gateways')).toBeDefined();
});

test('a CRD that goes leaves its source “not installed”, and one that comes back, in another version even, fills it', async () => {
  await kubectl.delete(resources.CustomResourceDefinitions, {name: 'gateways.gateway.example.io'});
  await until(async () => ((await node('Gateways'))?.state === 'not installed' ? true : undefined));
  expect(await keys('Gateways')).toEqual([]);
  await until(async () => {
    await kubectl.create(
      resources.CustomResourceDefinitions,
      definition('gateway.example.io', 'gateways', 'Gateway', 'v2') as never,
    );
    return true;
  });
  const v2 = {...gateways, version: 'v2'};
  await until(async () => {
    await kubectl.create(v2, {...gateway('again'), apiVersion: 'gateway.example.io/v2'} as never);
    return true;
  });
  await until(async () => ((await keys('Gateways')).includes('default/again') ? true : undefined));
});

test('shipped sources stay, others go and can come again', async () => {
  await expect(session.dropSource('Services')).rejects.toMatchObject({
    code: 'in-use',
    readers: expect.arrayContaining(['ServiceInfos']),
  });
  await expect(session.dropSource('Nope')).rejects.toMatchObject({code: 'unknown-collection'});
  await session.dropSource('Jobs');
  expect(await node('Jobs')).toBeUndefined();
  expect((await session.addSource('job')).name).toBe('Jobs');
  await synced('Jobs');
});

test('a source that is dropped twice at once is gone, and can come again', async () => {
  const dropped = await Promise.allSettled([session.dropSource('Jobs'), session.dropSource('Jobs')]);
  expect(dropped).toMatchObject([
    {status: 'fulfilled'},
    {status: 'rejected', reason: {code: 'unknown-collection'}},
  ]);
  expect(await node('Jobs')).toBeUndefined();
  expect((await session.addSource('job')).name).toBe('Jobs');
  await synced('Jobs');
});
