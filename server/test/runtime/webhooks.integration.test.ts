// The webhooks of a manager on the embedded server: defaults, refusals, warnings, dry run, certificates.

import {X509Certificate} from 'node:crypto';
import {afterEach, expect, test} from 'vitest';
import {z} from 'zod';
import {type ApiServer, startApiServer} from '../../src/cluster/api-server.ts';
import {
  ConfigMap,
  createManager,
  defineResource,
  type Manager,
  Secret,
  silentLogger,
} from '../../src/runtime/index.ts';
import {
  AdmissionDeniedError,
  type AdmissionWebhook,
  defaulting,
  validating,
} from '../../src/runtime/webhook/admission-webhook.ts';
import {type ServeWebhooksOptions, serveWebhooks} from '../../src/runtime/webhook/serve-webhooks.ts';

const sites = defineResource({
  group: 'example.com',
  kind: 'Site',
  versions: {v1: {spec: z.object({html: z.string().optional(), replicas: z.int().optional()})}},
});
const Site = sites.kinds.v1;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startServer(): Promise<ApiServer> {
  const server = await startApiServer({definitions: [sites], controllers: false});
  ends.push(() => server.stop());
  return server;
}

async function startManager(
  server: ApiServer,
  webhooks: AdmissionWebhook[],
  more: Partial<ServeWebhooksOptions> = {},
  transport = server.transport,
): Promise<Manager> {
  const manager = await createManager({
    transport,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    report: false,
    webhookServer: {port: 0, host: '127.0.0.1'},
  });
  const address = () => ({url: `https://127.0.0.1:${manager.ports.webhooks}`});
  const {ready} = serveWebhooks(manager, {name: 'sites', webhooks, address, ...more});
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  ends.push(async () => {
    stop.abort();
    await running;
  });
  await ready;
  return manager;
}

const site = (name: string, spec: object, labels?: Record<string, string>) => ({
  apiVersion: 'example.com/v1' as const,
  kind: 'Site' as const,
  metadata: {namespace: 'default', name, ...(labels && {labels})},
  spec,
});

test('completes, refuses and warns on create, update and delete', async () => {
  const server = await startServer();
  const dryRuns: boolean[] = [];
  const {client} = await startManager(server, [
    defaulting(Site, object => {
      object.spec.replicas ??= 2;
      return undefined;
    }),
    validating(Site, {
      create: (object, {dryRun, warn}) => {
        dryRuns.push(dryRun);
        if (!object.spec.html) warn('an empty page');
        return (object.spec.replicas ?? 0) > 5 ? 'at most 5 replicas' : undefined;
      },
      update: (object, old) =>
        (object.spec.replicas ?? 0) < (old.spec.replicas ?? 0) ? 'replicas may not shrink' : undefined,
      delete: old => {
        if (old.metadata.labels?.keep)
          throw new AdmissionDeniedError('it is kept', {code: 409, reason: 'Conflict'});
        return undefined;
      },
    }),
  ]);
  const made = await client.create(site('one', {html: 'x'}, {keep: 'yes'}));
  expect(made.spec).toEqual({html: 'x', replicas: 2});
  await expect(client.create(site('two', {replicas: 9}))).rejects.toMatchObject({
    code: 403,
    message: expect.stringContaining('denied the request: at most 5 replicas'),
  });
  await client.create(site('dry', {html: 'x'}), {dryRun: true});
  expect(dryRuns).toEqual([false, false, true]);
  await expect(client.update({...made, spec: {replicas: 1}})).rejects.toThrow('replicas may not shrink');
  await expect(client.delete(made)).rejects.toMatchObject({code: 409});
  const {warnings} = await server.transport.request({
    method: 'POST',
    path: '/apis/example.com/v1/namespaces/default/sites',
    body: site('bare', {}),
  });
  expect(warnings).toEqual(['an empty page']);
});

test('a built-in kind, selectors and conditions; an error of the handler refuses the write', async () => {
  const server = await startServer();
  const {client} = await startManager(server, [
    validating(
      ConfigMap,
      {
        create: () => {
          throw new TypeError('a mistake');
        },
      },
      {
        objectSelector: {matchLabels: {checked: 'yes'}},
        matchConditions: [{name: 'data', expression: 'has(object.data) && "a" in object.data'}],
        timeoutSeconds: 5,
      },
    ),
  ]);
  const map = (name: string, labels: Record<string, string>, data: Record<string, string>) => ({
    apiVersion: 'v1' as const,
    kind: 'ConfigMap' as const,
    metadata: {namespace: 'default', name, labels},
    data,
  });
  await client.create(map('other', {}, {a: '1'}));
  await client.create(map('without', {checked: 'yes'}, {b: '1'}));
  await expect(client.create(map('both', {checked: 'yes'}, {a: '1'}))).rejects.toMatchObject({
    code: 500,
    message: expect.stringContaining('the webhook failed: a mistake'),
  });
});

test('replicas share one certificate in a Secret, and a certificate that ends soon is replaced', async () => {
  const server = await startServer();
  const secret = {namespace: 'default', name: 'certificate'};
  const allow = () => [validating(Site, {create: () => undefined})];
  const first = await startManager(server, allow(), {secret});
  const read = async () =>
    Buffer.from((await first.apiReader.get(Secret, secret)).data?.['tls.crt'] ?? '', 'base64').toString();
  const before = await read();
  await startManager(server, allow(), {secret});
  expect(await read()).toBe(before);
  const year = 366 * 86_400_000;
  const {client} = await startManager(server, allow(), {secret, renewBefore: year});
  const after = await read();
  expect(new X509Certificate(after).serialNumber).not.toBe(new X509Certificate(before).serialNumber);
  await client.create(site('served', {}));
});

test('without the right to the Secret and the configurations it says what to do', async () => {
  const server = await startServer();
  const lines: string[] = [];
  const manager = await createManager({
    transport: server.transportAs(server.userToken),
    log: {
      ...silentLogger,
      warn: text => void lines.push(text),
      error: text => void lines.push(text),
    },
    metrics: {bindAddress: '0'},
    report: false,
    webhookServer: {port: 0, host: '127.0.0.1'},
  });
  const {ready} = serveWebhooks(manager, {
    name: 'sites',
    webhooks: [validating(ConfigMap, {create: () => undefined})],
    secret: {namespace: 'default', name: 'certificate'},
    address: () => ({url: `https://127.0.0.1:${manager.ports.webhooks}`}),
  });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await ready;
  stop.abort();
  await running;
  expect(lines).toEqual([
    expect.stringContaining('give the rights get, create and update on the Secret'),
    expect.stringContaining('give the manager the rights create and patch'),
  ]);
});

test('a webhook without handlers and a second certificate are refused', async () => {
  expect(() => validating(Site, {})).toThrow('give it create, update or delete');
  const server = await startServer();
  const manager = await createManager({
    transport: server.transport,
    log: silentLogger,
    report: false,
    metrics: {bindAddress: '0'},
    webhookServer: {certDir: '/nowhere'},
  });
  expect(() => serveWebhooks(manager, {name: 'sites', address: {url: 'https://localhost'}})).toThrow(
    'nothing to serve',
  );
  const webhooks = [validating(Site, {create: () => undefined})];
  expect(() =>
    serveWebhooks(manager, {name: 'sites', webhooks, address: {url: 'https://localhost'}}),
  ).toThrow('remove tls and certDir');
});
