// The controller on an API server of its own: no cluster, no network, a second.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';
import {type ApiServer, startApiServer} from 'krtscope/cluster';
import {
  ConfigMap,
  createManager,
  Deployment,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  silentLogger,
} from 'krtscope/runtime';
import {addWebsiteController} from '../src/controller.ts';
import {Website, websites} from '../src/website.ts';

let server: ApiServer;
let manager: Manager;
let running: Promise<void>;
const end = new AbortController();

before(async () => {
  server = await startApiServer({definitions: [websites]});
  manager = await createManager({
    transport: server.transport,
    metrics: {bindAddress: '0'},
    report: false,
    log: silentLogger,
  });
  addWebsiteController(manager);
  running = manager.start(end.signal);
  await manager.elected;
});

after(async () => {
  end.abort();
  await running;
  await server.stop();
});

/** Until it holds; the test runner's own limit ends what never does. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

const key = {namespace: 'default', name: 'home'};
const read = () => manager.apiReader.get(Website, key);

test('a Website gets its page and its Deployment, and says when it is ready', async () => {
  await manager.client.create<Website>({
    apiVersion: 'example.com/v1alpha1',
    kind: 'Website',
    metadata: key,
    spec: {html: '<h1>Hello</h1>', replicas: 2},
  });
  await until(async () => (await read()).status?.phase === 'Ready');
  assert.equal((await read()).status?.readyReplicas, 2);
  const page = await manager.apiReader.get(ConfigMap, key);
  assert.deepEqual(page.data, {'index.html': '<h1>Hello</h1>'});
  assert.equal(page.metadata.ownerReferences?.[0]?.kind, 'Website');
});

test('a change goes through, and what somebody deletes comes back', async () => {
  const website = await read();
  const base = structuredClone(website);
  website.spec.replicas = 3;
  await manager.client.patch(website, mergeFrom(base));
  await until(async () => (await read()).status?.readyReplicas === 3);
  await manager.client.delete(await manager.apiReader.get(ConfigMap, key));
  await until(async () => (await ignoreNotFound(manager.apiReader.get(ConfigMap, key))) !== undefined);
});

test('with the Website goes what it owned', async () => {
  await manager.client.delete(await read());
  await until(async () => (await ignoreNotFound(manager.apiReader.get(Deployment, key))) === undefined);
});
