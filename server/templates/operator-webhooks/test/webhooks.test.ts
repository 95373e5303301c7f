// The webhooks on an API server of its own, over HTTPS with a certificate that the manager makes.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {type ApiServer, startApiServer} from 'krtscope/cluster';
import {createManager, type Manager, silentLogger} from 'krtscope/runtime';
import {addWebsiteWebhooks} from '../src/webhooks.ts';
import {type Website, websites} from '../src/website.ts';

let server: ApiServer;
let manager: Manager;
let running: Promise<void>;
const end = new AbortController();

before(async () => {
  server = await startApiServer({definitions: [websites], controllers: false});
  manager = await createManager({
    transport: server.transport,
    metrics: {bindAddress: '0'},
    report: false,
    log: silentLogger,
    webhookServer: {port: 0, host: '127.0.0.1'},
  });
  const {ready} = addWebsiteWebhooks(manager, () => ({url: `https://127.0.0.1:${manager.ports.webhooks}`}));
  running = manager.start(end.signal);
  await ready;
});

after(async () => {
  end.abort();
  await running;
  await server.stop();
});

const website = (name: string, html: string): Website => ({
  apiVersion: 'example.com/v1alpha1',
  kind: 'Website',
  metadata: {namespace: 'default', name},
  spec: {html, replicas: 2},
});

test('a Website is completed', async () => {
  const made = await manager.client.create(website('home', '<h1>Hello</h1>'));
  assert.equal(made.metadata.labels?.['app.kubernetes.io/managed-by'], 'website-operator');
});

test('a page with a script is refused', async () => {
  await assert.rejects(manager.client.create(website('bad', '<script>')), /may not have scripts/);
});
