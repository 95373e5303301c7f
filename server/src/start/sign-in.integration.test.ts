// Sign-in by a cluster and by a proxy, hosts, TLS and the access log, on a running krtscope. The API server of these tests
// answers reviews and refuses everything else, so that every request that leaves is seen.
import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, request, type Server} from 'node:http';
import {request as secureRequest} from 'node:https';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {TestInstance} from './testing-instance.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-sign-in-'));
const kubeconfig = join(folder, 'kubeconfig');
/** `METHOD path` of all requests, with the path's first query left out. */
const seen: string[] = [];
let api: Server;

async function bodyOf(req: IncomingMessage): Promise<Record<string, Record<string, unknown>>> {
  let text = '';
  for await (const piece of req) text += piece;
  return JSON.parse(text || '{}');
}

beforeAll(async () => {
  api = createServer(async (req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    seen.push(`${req.method} ${path}`);
    const {spec = {}} = await bodyOf(req);
    const send = (code: number, body: unknown) =>
      res.writeHead(code, {'content-type': 'application/json'}).end(JSON.stringify(body));
    if (path.endsWith('/tokenreviews')) {
      const user = {'token-of-jane': 'jane', 'token-of-joe': 'joe'}[String(spec.token)];
      return send(201, {
        status: user === undefined ? {authenticated: false} : {authenticated: true, user: {username: user}},
      });
    }
    if (path.endsWith('/subjectaccessreviews')) {
      const groups = (spec.groups ?? []) as string[];
      const {path: right, verb} = spec.nonResourceAttributes as {path: string; verb: string};
      const allowed =
        right === '/krtscope' && verb === 'get' && (spec.user === 'jane' || groups.includes('ops'));
      return send(201, {status: {allowed}});
    }
    send(403, {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Forbidden',
      message: 'forbidden',
      code: 403,
    });
  });
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
      clusters: [{name: 'c', cluster: {server}}],
      users: [{name: 'u', user: {token: 'own'}}],
    }),
  );
});
afterAll(() => {
  api.close();
  api.closeAllConnections();
  rmSync(folder, {recursive: true});
});

const start = async (...args: string[]) => {
  const instance = new TestInstance(['--kubeconfig', kubeconfig, '--port', '0', '--no-open', ...args]);
  await expect.poll(() => instance.stdout.split('\n').length, {timeout: 60_000}).toBeGreaterThan(3);
  const [, url = ''] = /krtscope is at (\S+)/.exec(instance.stdout) ?? [];
  return {instance, url: new URL(url)};
};

/** A request with any headers; fetch refuses to set some. */
function ask(
  url: URL,
  path: string,
  headers: Record<string, string> = {},
): Promise<{status: number; text: string}> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : request;
    const req = send(new URL(path, url), {headers, rejectUnauthorized: false} as object, async res => {
      let text = '';
      for await (const piece of res) text += piece;
      resolve({status: res.statusCode ?? 0, text});
    });
    req.on('error', reject).end();
  });
}

test('--auth kubernetes lets in whom the cluster lets in, and tells others nothing', async () => {
  const {instance, url} = await start('--auth', 'kubernetes');
  try {
    expect(url.searchParams.has('token')).toBe(false);
    const sessions = (token?: string) =>
      ask(url, '/api/v1/sessions', token === undefined ? {} : {authorization: `Bearer ${token}`});
    expect((await sessions('token-of-jane')).status).toBe(200);
    const joe = await sessions('token-of-joe');
    expect(joe).toMatchObject({status: 403, text: expect.stringContaining('joe may not use this krtscope')});
    const others = [joe, await sessions('wrong'), await sessions()];
    expect(others.map(one => one.status)).toEqual([403, 401, 401]);
    for (const {text} of others) expect(text).not.toMatch(/"sessions"|"c"|127\.0\.0\.1/);
    // The token that krtscope made for itself and a token in a link open nothing.
    expect((await ask(url, '/api/v1/sessions?token=token-of-jane')).status).toBe(401);
    const reviews = seen.filter(line => line.endsWith('/tokenreviews')).length;
    for (let n = 0; n < 5; n++) await sessions('token-of-jane');
    expect(seen.filter(line => line.endsWith('/tokenreviews'))).toHaveLength(reviews);
    const opened = await new Promise(resolve => {
      const socket = new WebSocket(new URL('/api/v1/stream', url.href.replace('http', 'ws')), {
        headers: {authorization: 'Bearer token-of-joe'},
      });
      socket.on('open', () => resolve('open')).on('unexpected-response', (_, res) => resolve(res.statusCode));
      socket.on('error', () => {});
    });
    expect(opened).toBe(403);
    expect((await ask(url, '/')).text).toContain('<meta name="krtscope-auth" content="kubernetes">');
    expect(instance.stderr).toMatch(/access 127\.0\.0\.1 "jane" GET \/api\/v1\/sessions 200 \d+ms/);
    expect(instance.stderr).toMatch(/access 127\.0\.0\.1 "-" GET \/api\/v1\/sessions 403/);
    expect(instance.stderr + instance.stdout).not.toMatch(/token-of-/);
  } finally {
    await instance.stop();
  }
});

test('--auth proxy believes the headers of trusted networks only', async () => {
  const headers = {'x-forwarded-user': 'ann', 'x-forwarded-groups': 'dev, ops'};
  const near = await start('--auth', 'proxy', '--trusted-proxy', '127.0.0.0/8');
  try {
    expect((await ask(near.url, '/api/v1/sessions', headers)).status).toBe(200);
    expect((await ask(near.url, '/api/v1/sessions', {'x-forwarded-user': 'ann'})).status).toBe(403);
    expect((await ask(near.url, '/api/v1/sessions')).status).toBe(401);
    expect(near.instance.stderr).toContain('"ann" GET /api/v1/sessions 200');
  } finally {
    await near.instance.stop();
  }
  const far = await start('--auth', 'proxy', '--trusted-proxy', '10.0.0.0/8');
  try {
    expect((await ask(far.url, '/api/v1/sessions', headers)).status).toBe(401);
  } finally {
    await far.instance.stop();
  }
});

test('no request but GET and the two reviews has left', () => {
  const others = seen.filter(line => !line.startsWith('GET '));
  expect(new Set(others)).toEqual(
    new Set([
      'POST /apis/authentication.k8s.io/v1/tokenreviews',
      'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
    ]),
  );
});

test('hosts, the public address, TLS that is read again, and a kind that is left out', async () => {
  const certificate = (name: string) => {
    const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    const subject = ['-subj', `/CN=${name}`, '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
    execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], {stdio: 'ignore'});
    return {cert, key};
  };
  const [one, two] = [certificate('one'), certificate('two')];
  const {instance} = await start(
    ...['--host', '0.0.0.0', '--allowed-host', 'krtscope.ops.svc', '--public-url', 'https://krt.example.com'],
    ...['--tls-cert', one.cert, '--tls-key', one.key, '--without', 'secret'],
  );
  try {
    expect(instance.stdout).toMatch(/^krtscope is at https:\/\/krt\.example\.com\/\?token=/);
    expect(instance.stderr).not.toContain('warning');
    const token = /token=(\S+)/.exec(instance.stdout)?.[1] ?? '';
    const {port} = await portOf(instance);
    const url = new URL(`https://127.0.0.1:${port}`);
    const get = (host: string, more = {}) =>
      ask(url, '/api/v1/graph', {host, authorization: `Bearer ${token}`, ...more});
    expect((await get('krtscope.ops.svc')).status).toBe(200);
    expect((await get('krt.example.com', {origin: 'https://krt.example.com'})).status).toBe(200);
    expect((await get('evil.example.com')).text).toContain('--allowed-host NAME');
    const {collections} = JSON.parse((await get('localhost')).text);
    expect(collections.find(({name}: {name: string}) => name === 'Secrets')).toMatchObject({
      state: 'left out',
      synced: true,
      size: 0,
      reason: expect.stringContaining('--without secrets'),
    });
    copyFileSync(two.key, one.key);
    copyFileSync(two.cert, one.cert);
    await expect.poll(() => subjectOf(url), {timeout: 30_000}).toBe('two');
  } finally {
    await instance.stop();
  }
});

test('--host beyond loopback warns, and prints an address that others can use', async () => {
  const {instance, url} = await start('--host', '0.0.0.0');
  try {
    expect(instance.stderr).toMatch(/warning: --host 0\.0\.0\.0 lets other machines in over plain http/);
    expect((await ask(url, '/healthz')).status).toBe(200);
  } finally {
    await instance.stop();
  }
});

test('with the access token on loopback each access is a line, without the token', async () => {
  const {instance, url} = await start();
  try {
    const token = url.searchParams.get('token') ?? '';
    const authorization = `Bearer ${token}`;
    expect((await ask(url, '/api/v1/graph?at=0', {authorization})).status).not.toBe(401);
    expect((await ask(url, `/api/v1/sessions?token=${token}`)).status).toBe(200);
    expect((await ask(url, '/api/v1/sessions', {authorization: 'Bearer wrong'})).status).toBe(401);
    const lines = () => instance.stderr.match(/access .*ms/g)?.map(line => line.replace(/\d+ms$/, '')) ?? [];
    await expect.poll(() => lines().length, {timeout: 20_000}).toBe(3);
    expect(lines()).toEqual([
      expect.stringMatching(/^access 127\.0\.0\.1 "token" GET \/api\/v1\/graph \d+ $/),
      'access 127.0.0.1 "token" GET /api/v1/sessions 200 ',
      'access 127.0.0.1 "-" GET /api/v1/sessions 401 ',
    ]);
    expect(instance.stderr).not.toContain(token);
  } finally {
    await instance.stop();
  }
});

test.each([
  [['--auth', 'ldap'], /--auth is "ldap"; give token, kubernetes, proxy/],
  [['--auth', 'proxy'], /--trusted-proxy/],
  [['--trusted-proxy', '10.0.0.0/8'], /goes with --auth proxy/],
  [['--trusted-proxy', 'ten', '--auth', 'proxy'], /give an address or a network/],
  [['--tls-cert', 'a.crt'], /--tls-cert and --tls-key go together/],
  [['--tls-cert', '/none.crt', '--tls-key', '/none.key'], /none\.crt/],
  [['--without', 'widgets'], /give one of namespaces, nodes/],
  [['--public-url', 'krt.example.com'], /--public-url/],
  [['--allowed-host', 'http://a'], /--allowed-host/],
  [['--demo', '--auth', 'kubernetes'], /--demo has no users/],
])('%j is refused in one line', async (args, words) => {
  const ended = await new TestInstance([...args, '--port', '0', '--no-open']).ended;
  expect(ended).toMatchObject({code: 2, stderr: expect.stringMatching(words)});
});

async function portOf(instance: TestInstance): Promise<{port: number}> {
  const {readdirSync} = await import('node:fs');
  const [file = ''] = readdirSync(join(instance.home, '.local/state/krtscope/instances'));
  return {port: Number.parseInt(file, 10)};
}

async function subjectOf(url: URL): Promise<string> {
  const {connect} = await import('node:tls');
  return new Promise((resolve, reject) => {
    const socket = connect({port: Number(url.port), host: '127.0.0.1', rejectUnauthorized: false}, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
