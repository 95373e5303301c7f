// Metrics behind TokenReview and SubjectAccessReview, and the metrics of the process and of requests.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {applyAll} from '../../../scripts/package/testing-manifests.ts';
import {type ApiServer, startApiServer} from '../../src/cluster/api-server.ts';
import {ConfigMap, createManager, type ManagerOptions, silentLogger} from '../../src/runtime/index.ts';

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

async function started(metrics: ManagerOptions['metrics']) {
  const manager = await createManager({
    transport: server.transport,
    metrics,
    report: false,
    log: silentLogger,
  });
  const end = new AbortController();
  const running = manager.start(end.signal);
  await manager.elected;
  await expect.poll(() => manager.ports.metrics).toBeGreaterThan(0);
  const ask = (path: string, token?: string) =>
    fetch(`http://127.0.0.1:${manager.ports.metrics}${path}`, {
      headers: token === undefined ? {} : {authorization: `Bearer ${token}`},
    });
  return {
    manager,
    ask,
    async stop() {
      end.abort();
      await running;
    },
  };
}

test('metrics with authentication: no token 401, a wrong one 401, without the right 403, with it 200', async () => {
  const handlers = {'/debug': (_: unknown, response: {end(text: string): void}) => response.end('open')};
  const {ask, stop} = await started({bindAddress: '127.0.0.1:0', authentication: true, handlers});
  try {
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', 'nonsense')).status).toBe(401);
    expect((await ask('/debug', server.userToken)).status).toBe(403);
    const rules = [{nonResourceURLs: ['/metrics'], verbs: ['get']}];
    const group = 'rbac.authorization.k8s.io';
    await applyAll(server.client, [
      {apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: {name: 'scrape'}, rules},
      {
        apiVersion: `${group}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: {name: 'scrape'},
        roleRef: {apiGroup: group, kind: 'ClusterRole', name: 'scrape'},
        subjects: [{kind: 'User', apiGroup: group, name: 'krtscope-user'}],
      },
    ]);
    const answer = await ask('/metrics', server.userToken);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('workqueue_depth')]);
    expect((await ask('/debug', server.userToken)).status).toBe(403);
  } finally {
    await stop();
  }
}, 30_000);

test('tokens do not cross a network in clear text', async () => {
  const metrics = {bindAddress: ':0', authentication: true};
  await expect(createManager({transport: server.transport, metrics, report: false})).rejects.toThrow(
    'metrics.authentication needs metrics.tls, or a bindAddress on this machine',
  );
});

test('the process and the requests are measured, also with a transport of one’s own', async () => {
  const {manager, ask, stop} = await started({bindAddress: '127.0.0.1:0'});
  try {
    await manager.client.list(ConfigMap);
    const text = await (await ask('/metrics')).text();
    const value = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(Math.abs(Date.now() / 1000 - process.uptime() - value('process_start_time_seconds'))).toBeLessThan(
      5,
    );
    expect(text).toMatch(/rest_client_requests_total\{code="200",method="GET",host="[^"]+"\} [1-9]/);
    expect(text).toMatch(/rest_client_request_duration_seconds_count\{.*verb="GET".*\} [1-9]/);
  } finally {
    await stop();
  }
}, 30_000);

test('with a connection of the manager, sizes and retries are counted', async () => {
  const {writeFileSync, mkdtempSync, rmSync} = await import('node:fs');
  const {tmpdir} = await import('node:os');
  const {join} = await import('node:path');
  const {kubeconfigOf} = await import('../../../scripts/package/testing-manifests.ts');
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-metrics-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigOf(server.url, server.ca, server.token));
  const manager = await createManager({
    kubeconfig,
    metrics: {bindAddress: '0'},
    report: false,
    log: silentLogger,
  });
  try {
    await manager.client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {namespace: 'default', name: 'sized'},
      data: {text: 'x'.repeat(5000)},
    });
    const text = await manager.metrics.registry.metrics();
    expect(text).toMatch(/rest_client_request_size_bytes_bucket\{.*le="4096".*\} 0/);
    expect(text).toMatch(/rest_client_request_size_bytes_bucket\{.*le="16384".*\} 1/);
    expect(text).toMatch(/rest_client_response_size_bytes_count\{.*verb="POST".*\} 1/);
  } finally {
    const end = AbortSignal.abort();
    await manager.start(end).catch(() => {});
    rmSync(folder, {recursive: true, force: true});
  }
}, 30_000);
