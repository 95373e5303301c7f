// A manager's HTTP servers, over real sockets.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {request as secureRequest} from 'node:https';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {generate} from 'selfsigned';
import {afterEach, expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {silentLogger} from '../log/logger.ts';
import {TestWire} from '../testing-wire.ts';
import {createManager} from './create-manager.ts';
import {ping} from './health-checks.ts';
import type {Manager} from './manager.ts';
import type {ManagerOptions} from './manager-options.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function started(
  options: ManagerOptions,
  before: (manager: Manager) => void = () => {},
): Promise<Manager> {
  const manager = await createManager({
    transport: new TestWire(),
    log: silentLogger,
    metrics: {bindAddress: '0'},
    report: false,
    ...options,
  });
  before(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  ends.push(() => {
    stop.abort();
    return running;
  });
  return manager;
}

const get = async (port: number, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return {code: answer.status, text: await answer.text(), headers: answer.headers};
};

const address = '127.0.0.1:0';
const failing = () => {
  throw new Error('the database is away');
};

test('[14] an endpoint without a check is not there', async () => {
  const manager = await started({healthProbeBindAddress: address}, one => one.addReadyzCheck('ping', ping));
  await manager.elected;
  expect((await get(manager.ports.probes, '/healthz')).code).toBe(404);
  expect(await get(manager.ports.probes, '/readyz')).toMatchObject({code: 200, text: 'ok'});
});

test('[15] [17] checks are listed by name, one alone can be asked, and reasons stay inside', async () => {
  const manager = await started({healthProbeBindAddress: address}, one => {
    one.addHealthzCheck('b', failing);
    one.addHealthzCheck('a', ping);
    one.addReadyzCheck('a', ping);
    one.addReadyzCheck('c', ping);
  });
  await manager.elected;
  const ask = (path: string) => get(manager.ports.probes, path);
  const all = await ask('/healthz');
  expect(all).toMatchObject({
    code: 500,
    text: '[+]a ok\n[-]b failed: reason withheld\nhealthz check failed\n',
  });
  expect(all.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(all.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await ask('/healthz?exclude=b')).toMatchObject({code: 200, text: 'ok'});
  expect(await ask('/healthz?exclude=b&exclude=z&verbose')).toMatchObject({
    code: 200,
    text:
      '[+]a ok\n[+]b excluded: ok\nwarn: some health checks cannot be excluded: no matches for "z"\n' +
      'healthz check passed\n',
  });
  expect(await ask('/readyz?verbose')).toMatchObject({text: '[+]a ok\n[+]c ok\nhealthz check passed\n'});
  expect(await ask('/readyz/a')).toMatchObject({code: 200, text: 'ok'});
  expect(await ask('/healthz/b')).toMatchObject({
    code: 500,
    text: expect.stringContaining('the database is away'),
  });
  expect((await ask('/readyz/unknown')).code).toBe(404);
  expect(() => manager.addHealthzCheck('late', ping)).toThrow(/before the manager starts/);
});

test('[18] an address that is taken fails before the manager is made', async () => {
  const taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise(resolve => taken.close(resolve)));
  const {port} = taken.address() as AddressInfo;
  const made = createManager({transport: new TestWire(), healthProbeBindAddress: `127.0.0.1:${port}`});
  await expect(made).rejects.toThrow(/health probe address .* cannot be bound/);
  await expect(
    createManager({transport: new TestWire(), healthProbeBindAddress: 'nonsense'}),
  ).rejects.toThrow(/is not host:port/);
});

test('[2] probes answer while a first list hangs, and no controller has begun', async () => {
  const hanging = new TestWire();
  hanging.stream = ({signal}) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), {once: true}));
  const {controllerFor} = await import('../controller/controller-builder.ts');
  const {Pod} = await import('../scheme/built-in-kinds.ts');
  let runs = 0;
  const manager = await started(
    {transport: hanging, cache: {streaming: true}, healthProbeBindAddress: address},
    one => {
      one.addHealthzCheck('ping', ping);
      controllerFor(one)
        .for(Pod)
        .complete(() => void runs++);
    },
  );
  await expect.poll(() => manager.ports.probes).toBeGreaterThan(0);
  expect(await get(manager.ports.probes, '/healthz')).toMatchObject({code: 200, text: 'ok'});
  expect(runs).toBe(0);
});

test('metrics are served with what was put beside them', async () => {
  const manager = await started(
    {
      metrics: {bindAddress: address, handlers: {'/more': (_, response) => response.end('more')}},
    },
    one => expect(() => one.addMetricsHandler('/metrics', () => {})).toThrow(/cannot be overridden/),
  );
  await manager.elected;
  const {port} = {port: manager.ports.metrics};
  const scraped = await get(port, '/metrics');
  expect(scraped.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(scraped.text).toContain('# TYPE controller_runtime_reconcile_total counter');
  expect(scraped.text).toContain('# TYPE workqueue_unfinished_work_seconds gauge');
  expect(await get(port, '/more')).toMatchObject({text: 'more'});
  expect((await get(port, '/other')).code).toBe(404);
  expect(() => manager.addMetricsHandler('/late', () => {})).toThrow(/before the manager starts/);
});

test('a metrics address that is taken ends the manager with that error', async () => {
  const taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise(resolve => taken.close(resolve)));
  const {port} = taken.address() as AddressInfo;
  const manager = await createManager({
    transport: new TestWire(),
    log: silentLogger,
    metrics: {bindAddress: `127.0.0.1:${port}`},
  });
  await expect(manager.start(new AbortController().signal)).rejects.toThrow(
    /metrics address .* cannot be bound/,
  );
});

test('webhooks are served over TLS, with a certificate that is renewed on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-webhook-'));
  ends.push(() => rmSync(folder, {recursive: true}));
  const write = async (name: string) => {
    const pair = await generate([{name: 'commonName', value: name}], {keyType: 'ec'});
    writeFileSync(join(folder, 'tls.crt'), pair.cert);
    writeFileSync(join(folder, 'tls.key'), pair.private);
  };
  await write('first');
  const clock = new ManualClock();
  const manager = await started({clock, webhookServer: {port: 0, host: '127.0.0.1', certDir: folder}}, one =>
    one.webhookServer.register('/hook', (_, response) => response.end('hooked')),
  );
  await manager.webhookServer.ready();
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = secureRequest(
        {host: '127.0.0.1', port: manager.ports.webhooks, path, rejectUnauthorized: false, agent: false},
        answer => {
          const {subject} = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate();
          let text = `${subject.CN} ${answer.statusCode} `;
          answer.on('data', chunk => {
            text += chunk;
          });
          answer.on('end', () => resolve(text));
        },
      );
      asked.on('error', reject);
      asked.end();
    });
  expect(await ask('/hook')).toBe('first 200 hooked');
  expect(await ask('/none')).toBe('first 404 404 page not found\n');
  await write('second');
  clock.advance(10_000);
  expect(await ask('/hook')).toBe('second 200 hooked');
  expect(() => manager.webhookServer.register('/hook', () => {})).toThrow(/already/);
  const text = await manager.metrics.registry.metrics();
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="/hook",code="200"} 2');
  expect(text).toContain('certwatcher_read_certificate_total 2');
});
