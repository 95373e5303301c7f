// The webhooks of a manager on a real Kubernetes, which calls them by their URL on this machine.
import {setTimeout as sleep} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {z} from 'zod';
import {startApiServer} from '../../src/cluster/api-server.ts';
import {
  AdmissionDeniedError,
  ConfigMap,
  createManager,
  defaulting,
  defineResource,
  type Manager,
  serveWebhooks,
  silentLogger,
  validating,
} from '../../src/runtime/index.ts';
import {realServers, startReal, type TestServer} from '../servers.ts';

const sites = defineResource({
  group: 'webhooks.example.com',
  kind: 'Site',
  versions: {
    v1alpha1: {spec: z.object({pages: z.int().optional()})},
    v1: {stored: true, spec: z.object({count: z.int().optional(), replicas: z.int().optional()})},
  },
  hub: 'v1',
  conversions: {
    v1alpha1: {
      toHub: ({spec}) => ({spec: {count: spec.pages}}),
      fromHub: ({spec}) => ({spec: {pages: spec.count}}),
    },
  },
});
const Site = sites.kinds.v1;
const site = (
  name: string,
  spec: {count?: number; replicas?: number},
  labels: Record<string, string> = {},
) => ({
  apiVersion: 'webhooks.example.com/v1' as const,
  kind: 'Site' as const,
  metadata: {namespace: 'default', name, labels},
  spec,
});

describe.runIf(realServers !== undefined)('on Kubernetes v1.36', () => {
  let server: TestServer;
  let manager: Manager;
  let running: Promise<void>;
  const end = new AbortController();
  const dryRuns: boolean[] = [];

  beforeAll(async () => {
    server = await startReal('v1.36');
    const {transport} = await startApiServer({
      existing: server.kubeconfig,
      definitions: [sites.yaml({conversion: 'None'})],
    });
    manager = await createManager({
      transport,
      log: silentLogger,
      metrics: {bindAddress: '0'},
      report: false,
      webhookServer: {port: 0, host: '127.0.0.1'},
    });
    const {ready} = serveWebhooks(manager, {
      name: 'sites',
      address: () => ({url: `https://127.0.0.1:${manager.ports.webhooks}`}),
      secret: {namespace: 'default', name: 'sites-certificate'},
      conversions: [sites],
      webhooks: [
        defaulting(Site, object => {
          object.spec.replicas ??= 2;
          return undefined;
        }),
        validating(Site, {
          create: (object, {dryRun, warn}) => {
            dryRuns.push(dryRun);
            if (object.spec.count === undefined) warn('no pages');
            return (object.spec.replicas ?? 0) > 5 ? 'at most 5 replicas' : undefined;
          },
          delete: old => {
            if (old.metadata.labels?.keep)
              throw new AdmissionDeniedError('it is kept', {code: 409, reason: 'Conflict'});
            return undefined;
          },
        }),
        validating(
          ConfigMap,
          {create: () => 'no such ConfigMap'},
          {
            objectSelector: {matchLabels: {checked: 'yes'}},
            matchConditions: [{name: 'data', expression: 'has(object.data) && "a" in object.data'}],
          },
        ),
      ],
    });
    running = manager.start(end.signal);
    await ready;
    // The server looks at changed configurations and CRDs after a moment.
    const refusal = () => manager.client.create(site('probe', {replicas: 9}), {dryRun: true}).catch(String);
    while (!String(await refusal()).includes('at most 5 replicas')) await sleep(50);
    dryRuns.length = 0;
  }, 150_000);

  afterAll(async () => {
    end.abort();
    await running;
    await server?.stop();
  });

  test('completes, refuses and warns, and knows a dry run', async () => {
    const {client} = manager;
    const made = await client.create(site('one', {count: 1}, {keep: 'yes'}));
    expect(made.spec).toEqual({count: 1, replicas: 2});
    await expect(client.create(site('two', {replicas: 9}))).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('denied the request: at most 5 replicas'),
    });
    await client.create(site('dry', {count: 1}), {dryRun: true});
    expect(dryRuns).toEqual([false, false, true]);
    await expect(client.delete(made)).rejects.toMatchObject({code: 409});
    const {warnings} = await server.client.transport.request({
      method: 'POST',
      path: '/apis/webhooks.example.com/v1/namespaces/default/sites',
      body: site('bare', {}),
    });
    expect(warnings).toEqual(['no pages']);
  });

  test('selectors and conditions choose the objects of a built-in kind', async () => {
    const map = (name: string, labels: Record<string, string>, data: Record<string, string>) => ({
      apiVersion: 'v1' as const,
      kind: 'ConfigMap' as const,
      metadata: {namespace: 'default', name, labels},
      data,
    });
    await manager.client.create(map('other', {}, {a: '1'}));
    await manager.client.create(map('without', {checked: 'yes'}, {b: '1'}));
    await expect(manager.client.create(map('both', {checked: 'yes'}, {a: '1'}))).rejects.toThrow(
      'no such ConfigMap',
    );
  });

  test('the conversion webhook is in the CRD and converts', async () => {
    await manager.client.create(site('converted', {count: 7}));
    const read = () =>
      manager.apiReader
        .get(sites.kinds.v1alpha1, {namespace: 'default', name: 'converted'})
        .then(({spec}) => spec.pages, String);
    await expect.poll(read, {timeout: 30_000}).toBe(7);
  });
});
