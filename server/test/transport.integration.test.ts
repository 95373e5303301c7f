// The transport against servers that answer badly, slowly, compressed, or with other credentials than before.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type RequestListener, type Server} from 'node:http';
import {type AddressInfo, createServer as createTcpServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {DynamicClient} from '../src/kube/client/dynamic-client.ts';
import {probeContext} from '../src/kube/credentials/contexts.ts';
import {type Credentials, credentialsOf, tokenCredentials} from '../src/kube/credentials/credentials.ts';
import {parseKubeconfig} from '../src/kube/credentials/kubeconfig.ts';
import {ApiError, ConnectionError, ReadOnlyError} from '../src/kube/error.ts';
import {resources} from '../src/kube/resource.ts';
import {Transport, type TransportOptions} from '../src/kube/transport/transport.ts';
import {statusBody} from './fault-proxy.ts';
import {eventually, ManualClock} from './manual-clock.ts';
import {startEmbedded} from './servers.ts';

let folder: string;
let server: Server;
let url: string;
let answer: RequestListener;
let seen: IncomingMessage[];
let connections: number;
const transports: Transport[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-transport-'));
  seen = [];
  connections = 0;
  answer = (_request, response) => response.end('{}');
  server = createServer((request, response) => {
    seen.push(request);
    response.setHeader('content-type', 'application/json');
    answer(request, response);
  });
  server.on('connection', () => connections++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  rmSync(folder, {recursive: true, force: true});
});

function transport(
  options: TransportOptions = {},
  credentials: Credentials = tokenCredentials(url, 'secret'),
): Transport {
  const made = new Transport(credentials, options);
  transports.push(made);
  return made;
}

function userOf(user: object, cluster: object = {server: url}): Credentials {
  const text = JSON.stringify({
    clusters: [{name: 'c', cluster}],
    users: [{name: 'u', user}],
    contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
  });
  return credentialsOf(parseKubeconfig(text, join(folder, 'kubeconfig')), 'c');
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('requests', () => {
  test('carry our user agent and token, and share connections', async () => {
    const one = transport();
    for (let at = 0; at < 10; at++)
      await one.request({path: '/x', query: {a: 'b c', none: undefined, list: ['1', '2']}});
    expect(seen[0]?.url).toBe('/x?a=b+c&list=1&list=2');
    expect(seen[0]?.headers).toMatchObject({authorization: 'Bearer secret'});
    expect(seen[0]?.headers['user-agent']).toMatch(/^krtscope\//);
    expect(connections).toBeLessThanOrEqual(2);
  });

  test('other than GET never leave while read-only, which is the default', async () => {
    const client = new DynamicClient(transport());
    const object = {metadata: {name: 'a', namespace: 'n'}};
    const ref = {namespace: 'n', name: 'a'};
    const maps = resources.ConfigMaps;
    for (const attempt of [
      () => client.create(maps, object),
      () => client.update(maps, object),
      () => client.updateStatus(maps, object),
      () => client.patch(maps, ref, {}, {type: 'merge'}),
      () => client.apply(maps, object, {fieldManager: 'x'}),
      () => client.scale(maps, ref, 3),
      () => client.delete(maps, ref),
      () => client.deleteCollection(maps, {namespace: 'n'}),
    ])
      expect(await failureOf(attempt())).toBeInstanceOf(ReadOnlyError);
    expect(seen).toEqual([]);
  });

  test('that fail carry the Status: code, reason, details, retryAfter', async () => {
    answer = (_request, response) => {
      response.statusCode = 409;
      response.end(
        JSON.stringify(
          statusBody(409, 'Conflict', 'changed', {name: 'a', kind: 'pods', retryAfterSeconds: 3}),
        ),
      );
    };
    const error = await failureOf(transport().request({path: '/x'}));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'changed',
      details: {name: 'a'},
      retryAfter: 3,
    });
    answer = (_request, response) => {
      response.statusCode = 502;
      response.setHeader('content-type', 'text/html');
      response.end('<h1>Bad gateway</h1>');
    };
    expect(await failureOf(transport().request({path: '/x'}))).toMatchObject({code: 502, reason: 'Unknown'});
  });

  test('told 429 or 503 with Retry-After wait for it and go again, at most ten times', async () => {
    const clock = new ManualClock();
    let refusals = 2;
    answer = (_request, response) => {
      if (refusals-- > 0) response.writeHead(seen.length % 2 ? 429 : 503, {'retry-after': '7'});
      response.end('{}');
    };
    const one = transport({clock});
    const done = one.request({path: '/x'});
    for (let at = 0; at < 2; at++) {
      await eventually('a wait of 7 s', () => clock.waits().includes(7000));
      clock.advance(7000);
    }
    expect((await done).code).toBe(200);
    expect(seen).toHaveLength(3);
    refusals = 100;
    let ended = false;
    const failed = failureOf(one.request({path: '/y'})).finally(() => (ended = true));
    await eventually('the end', () => ended, {between: () => clock.advance(7000)});
    expect(await failed).toMatchObject({code: expect.any(Number), retryAfter: 7});
    expect(seen.filter(request => request.url === '/y')).toHaveLength(11);
  });

  test('without an answer end at their limit, and with the caller’s signal', async () => {
    answer = () => {};
    const clock = new ManualClock();
    const one = transport({clock});
    const late = failureOf(one.request({path: '/x', timeout: 5000}));
    await eventually('the request', () => seen.length === 1);
    clock.advance(5000);
    expect(await late).toMatchObject({
      failure: 'timeout',
      message: expect.stringContaining('no response for 5 s'),
    });
    const abort = new AbortController();
    const cancelled = failureOf(one.request({path: '/x', signal: abort.signal}));
    await eventually('the request', () => seen.length === 2);
    abort.abort();
    expect(await cancelled).toMatchObject({name: 'AbortError'});
  });

  test('[47] understand gzip, warnings, and say when an answer is not JSON', async () => {
    const items = Array.from({length: 5000}, (_, at) => ({metadata: {name: `pod-${at}`}}));
    answer = (_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.setHeader('warning', ['299 - "first \\"quoted\\""', '299 - "second"']);
      response.end(gzipSync(JSON.stringify({items})));
    };
    const warned: string[] = [];
    const result = await transport({onWarning: warning => warned.push(warning)}).request<{items: unknown[]}>({
      path: '/x',
    });
    expect(result.body.items).toHaveLength(5000);
    expect(warned).toEqual(['first "quoted"', 'second']);
    answer = (_request, response) => response.end('{"half":');
    expect(await failureOf(transport().request({path: '/x'}))).toMatchObject({stage: 'decode'});
  });

  test('go again once when a kept connection turns out to be dead', async () => {
    const one = transport();
    await one.request({path: '/x'});
    let first = true;
    answer = (request, response) => {
      if (first) request.socket.resetAndDestroy();
      else response.end('{}');
      first = false;
    };
    expect((await one.request({path: '/x'})).code).toBe(200);
    first = true;
    const write = transport({readOnly: false}).request({path: '/x', method: 'POST', body: {}});
    expect(await failureOf(write)).toMatchObject({failure: 'reset'});
  });

  test('after close are refused, and streams end', async () => {
    answer = (_request, response) => response.write('{}\n');
    const one = transport();
    const {body} = await one.stream({path: '/x'});
    body.on('error', () => {});
    await one.close();
    await eventually('the stream’s end', () => body.destroyed);
    expect(await failureOf(one.request({path: '/x'}))).toBeInstanceOf(ConnectionError);
  });
});

describe('credentials', () => {
  test('of every fixed kind are sent', async () => {
    const ask = async (user: object) => {
      await transport({}, userOf(user)).request({path: '/x'});
      return seen.at(-1)?.headers ?? {};
    };
    expect((await ask({token: 't'})).authorization).toBe('Bearer t');
    expect((await ask({username: 'u', password: 'p'})).authorization).toBe('Basic dTpw');
    expect((await ask({})).authorization).toBeUndefined();
    const someone = await ask({token: 't', as: 'someone', 'as-groups': ['a', 'b']});
    expect(someone['impersonate-user']).toBe('someone');
    expect(seen.at(-1)?.rawHeaders.filter(name => name.toLowerCase() === 'impersonate-group')).toHaveLength(
      2,
    );
  });

  test('from a token file are read again when the server refuses them', async () => {
    writeFileSync(join(folder, 'token'), 'old\n');
    answer = (request, response) => {
      if (request.headers.authorization !== 'Bearer new') response.statusCode = 401;
      response.end('{}');
    };
    const one = transport({}, userOf({tokenFile: 'token'}));
    expect(await failureOf(one.request({path: '/x'}))).toMatchObject({code: 401, reason: 'Unauthorized'});
    writeFileSync(join(folder, 'token'), 'new\n');
    expect((await one.request({path: '/x'})).code).toBe(200);
  });

  test('from an exec plugin are asked for again when refused, and its failure is told', async () => {
    const plugin = join(folder, 'plugin.mjs');
    const counter = join(folder, 'count');
    writeFileSync(counter, '0');
    writeFileSync(
      plugin,
      `import {readFileSync, writeFileSync} from 'node:fs';
       const n = Number(readFileSync(${JSON.stringify(counter)}, 'utf8')) + 1;
       writeFileSync(${JSON.stringify(counter)}, String(n));
       console.log(JSON.stringify({kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status: {token: 'plugin-' + n}}));`,
    );
    const exec = {apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [plugin]};
    answer = (request, response) => {
      if (request.headers.authorization === 'Bearer plugin-1' && seen.length > 1) response.statusCode = 401;
      response.end('{}');
    };
    const one = transport({}, userOf({exec}));
    await one.request({path: '/x'});
    await one.request({path: '/x'});
    expect(seen.map(request => request.headers.authorization)).toEqual([
      'Bearer plugin-1',
      'Bearer plugin-1',
      'Bearer plugin-2',
    ]);
    const broken = transport(
      {},
      userOf({exec: {...exec, args: ['-e', 'console.error("log in first"); process.exit(1)']}}),
    );
    expect(await failureOf(broken.request({path: '/x'}))).toMatchObject({
      message: expect.stringMatching(/exec plugin .* failed: log in first/),
    });
  });
});

describe('a context is probed', () => {
  const probe = (cluster: object) => {
    const text = JSON.stringify({
      clusters: [{name: 'c', cluster}],
      users: [{name: 'u', user: {token: 'secret', exec: {command: '/no/such/plugin'}}}],
      contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
    });
    return probeContext(parseKubeconfig(text, join(folder, 'kubeconfig')), 'c');
  };

  test('by GET /version without credentials; 401 and 403 mean that it is there', async () => {
    answer = (_request, response) => response.end('{"gitVersion":"v1.36.3"}');
    expect(await probe({server: url})).toMatchObject({reachable: true, version: 'v1.36.3'});
    expect(seen[0]).toMatchObject({method: 'GET', url: '/version'});
    expect(seen[0]?.headers.authorization).toBeUndefined();
    for (const code of [401, 403]) {
      answer = (_request, response) => response.writeHead(code).end('{}');
      expect(await probe({server: url})).toMatchObject({reachable: true});
    }
    answer = (_request, response) => response.writeHead(502).end();
    expect(await probe({server: url})).toMatchObject({
      reachable: false,
      reason: expect.stringContaining('502'),
    });
  });

  test('and tells refused, unknown names, wrong certificates and silence apart', async () => {
    expect(await probe({server: 'https://127.0.0.1:1'})).toMatchObject({reachable: false, error: 'refused'});
    expect(await probe({server: 'https://no-such-host.invalid'})).toMatchObject({
      reachable: false,
      error: 'dns',
    });
    expect(await probe({server: url.replace('http:', 'https:')})).toMatchObject({
      reachable: false,
      error: 'tls',
    });
    const embedded = await startEmbedded();
    expect(await probe({server: embedded.url})).toMatchObject({reachable: false, error: 'tls'});
    const ca = Buffer.from(embedded.ca).toString('base64');
    expect(await probe({server: embedded.url, 'certificate-authority-data': ca})).toMatchObject({
      reachable: true,
    });
    await embedded.stop();
    const silent = createTcpServer(() => {});
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
    const started = performance.now();
    const {port} = silent.address() as AddressInfo;
    expect(await probe({server: `http://127.0.0.1:${port}`})).toMatchObject({
      reachable: false,
      error: 'timeout',
    });
    expect(performance.now() - started).toBeLessThan(4500);
    silent.close();
  });
});
