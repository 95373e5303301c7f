// Who gets in, tried on a running server: token, Host, Origin, sockets, limits.
import {request as httpRequest} from 'node:http';
import {connect} from 'node:net';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {descendants, survivors, TestInstance} from '../start/testing-instance.ts';

let instance: TestInstance;
let url: string;
let token: string;
beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0']);
  ({url, token} = await instance.address());
  await instance.ready();
});
afterAll(() => instance.stop());

/** A request with headers that fetch would refuse. */
function ask(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{status: number; body: string; headers: Record<string, unknown>}> {
  return new Promise((resolve, reject) => {
    const {hostname, port} = new URL(url);
    const req = httpRequest({hostname, port, path, headers, method}, res => {
      let body = '';
      res.on('data', chunk => {
        body += chunk;
      });
      res.on('end', () => resolve({status: res.statusCode ?? 0, body, headers: res.headers}));
    });
    req.on('error', reject);
    req.end();
  });
}

describe('the token', () => {
  test('is not needed for the page and its files, which hold no data; no answer sets a cookie', async () => {
    const page = await ask('/s/demo/sheet/Workloads?t=5', {accept: 'text/html'});
    expect(page.status).toBe(200);
    expect(page.body).toContain('<div id="root"');
    expect(page.body).not.toContain(token);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? '';
    expect((await ask(script, {})).status).toBe(200);
    for (const path of [`/?token=${token}`, `/api/v1/session?token=${token}`, script])
      expect((await ask(path, {accept: 'text/html'})).headers['set-cookie'], path).toBeUndefined();
  });

  test('in an old link: the page gets it as it is, and nothing of it stays in a cache', async () => {
    const page = await ask(`/s/demo/sheet/Workloads?token=${token}&q=ns:shop`, {accept: 'text/html'});
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.body).not.toContain(token);
    const api = await ask(`/api/v1/session?token=${token}&session=demo`, {});
    expect([api.status, api.headers['cache-control']]).toEqual([200, 'no-store']);
    expect((await ask(`/api/v1/sessions?token=${token}&session=demo`, {}, 'DELETE')).status).toBe(401);
  });

  test('as a cookie opens nothing', async () => {
    const cookie = `krtscope_${new URL(url).port}=${token}`;
    expect((await ask('/api/v1/graph', {cookie})).status).toBe(401);
    expect(await upgrade('/api/v1/stream', `Cookie: ${cookie}\r\n`)).toMatch(/^HTTP\/1.1 401 /);
  });

  test('as a subprotocol opens the stream, and the answer does not repeat it', async () => {
    const open = (protocols: string[]) =>
      new Promise<string | number>(resolve => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, protocols);
        socket.on('open', () => resolve(socket.protocol));
        socket.on('unexpected-response', (_req, res) => resolve(res.statusCode ?? 0));
        socket.on('error', () => {});
        socket.on('open', () => socket.close());
      });
    expect(await open(['krtscope', `krtscope.bearer.${token}`])).toBe('krtscope');
    expect(await open([`krtscope.bearer.${token}`])).toBe(`krtscope.bearer.${token}`);
    expect(await open(['krtscope', 'krtscope.bearer.wrong-token'])).toBe(401);
    expect(await open(['krtscope'])).toBe(401);
  });

  test('missing: everything with data is 401 in JSON, in whichever spelling, also for a browser', async () => {
    const script = await ask('/api/v1/graph', {accept: 'text/html'});
    expect(script.status).toBe(401);
    expect(JSON.parse(script.body)).toMatchObject({
      code: 'unauthorized',
      hint: expect.stringContaining('Bearer'),
    });
    for (const path of ['/metrics', '/debug/krtz', '/api/v1/sessions', '/api', '/API/v1/graph', '/Metrics'])
      expect((await ask(path, {})).status, path).toBe(401);
    for (const path of ['//api/v1/graph', '/%61pi/v1/graph', '/x/../api/v1/graph', '/api%2Fv1/graph'])
      expect((await ask(path, {})).body, path).not.toContain('collections');
  });

  test('is not needed for /healthz and /readyz', async () => {
    expect((await ask('/healthz', {})).status).toBe(200);
    expect((await ask('/readyz', {})).status).toBe(200);
  });
});

describe('another site', () => {
  const bearer = () => ({authorization: `Bearer ${token}`});
  test('its name pointed at this address (DNS rebinding) is refused, also for health', async () => {
    for (const path of ['/api/v1/graph', '/healthz', '/']) {
      const {status, body} = await ask(path, {...bearer(), host: 'evil.example'});
      expect([status, JSON.parse(body).code]).toEqual([403, 'foreign-origin']);
    }
  });

  test('its page is refused even with the token', async () => {
    const {status, body} = await ask(
      '/api/v1/sessions',
      {...bearer(), origin: 'https://evil.example'},
      'POST',
    );
    expect([status, JSON.parse(body).code]).toEqual([403, 'foreign-origin']);
  });

  test.each([
    ['without the token', {}, 401],
    ['from a foreign page', {origin: 'https://evil.example', withToken: '1'}, 403],
    ['to a foreign name', {host: 'evil.example', withToken: '1'}, 403],
  ])('a socket %s is refused', async (_, {withToken, ...headers}: Record<string, string>, status) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
      headers: {...headers, ...(withToken ? bearer() : {})},
    });
    const answered = await new Promise(resolve => {
      socket.on('unexpected-response', (_req, res) => resolve(res.statusCode));
      socket.on('open', () => resolve('open'));
      socket.on('error', () => {});
    });
    expect(answered).toBe(status);
    socket.terminate();
  });
});

test.each(['/', '/connect', '/s/demo/sheet/Workloads/shop%2Fcart?t=3'])(
  '%s is the page, also for a script that takes anything',
  async path => {
    const authorization = `Bearer ${token}`;
    const kinds: Record<string, string>[] = [{}, {accept: '*/*'}, {accept: 'text/html,*/*;q=0.8'}];
    for (const headers of kinds) {
      const {status, body} = await ask(path, {authorization, ...headers});
      expect([status, body.includes('<div id="root"')]).toEqual([200, true]);
    }
    expect((await ask(path, {authorization}, 'HEAD')).status).toBe(200);
    expect((await ask(path, {authorization, accept: 'application/json'})).status).toBe(404);
    expect((await ask(path, {authorization}, 'POST')).status).toBe(404);
  },
);

test.each(['/api/nothing', '/debug/nothing', '/metrics/nothing', '/healthz/nothing'])(
  '%s is the server’s: a browser is not given the page for it',
  async path => {
    const {status, body} = await ask(path, {accept: 'text/html', authorization: `Bearer ${token}`});
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({code: 'not-found'});
  },
);

/** Opens a socket over a bare connection. Hangs up at once, or reads the answer. */
function upgrade(path: string, headers: string, hangUp = false): Promise<string> {
  const {hostname, port, host} = new URL(url);
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname, () => {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      socket.write(head, () => {
        if (hangUp) socket.resetAndDestroy();
      });
    });
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

test('a socket is refused with the same code and hint as a request', async () => {
  expect(await upgrade('/api/v1/stream', '')).toMatch(/^HTTP\/1.1 401 [\s\S]*"code":"unauthorized"/);
  expect(await upgrade('/elsewhere', '')).toMatch(/^HTTP\/1.1 401 /);
  const known = `Authorization: Bearer ${token}\r\n`;
  expect(await upgrade('//', known)).toMatch(/^HTTP\/1.1 404 [\s\S]*"code":"not-found"/);
  const unknown = await upgrade('/api/v1/stream?session=nope', known);
  expect(unknown).toMatch(/^HTTP\/1.1 404 [\s\S]*"code":"unknown-session"/);
});

test('a client that offers HTTP/2 is answered in HTTP/1.1', async () => {
  const {status} = await ask('/healthz', {connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c'});
  expect(status).toBe(200);
});

test('strangers who hang up while they are refused do not end the server', async () => {
  for (let n = 0; n < 30; n++) await upgrade('/api/v1/stream', '', true);
  expect((await ask('/healthz', {})).status).toBe(200);
});

test('every field of an item is there, also where there is no value', async () => {
  const {items} = await instance.json<{items: {key: string}[]}>(
    '/api/v1/collections/Pods/items?q=status.phase!=Running',
  );
  const key = encodeURIComponent(items[0]?.key ?? '');
  expect(await instance.json(`/api/v1/collections/Workloads/items/${key}`)).toMatchObject({
    value: null,
    outputs: [],
    outcome: 'empty',
  });
});

test('pages run no inline script, cannot be framed and tell nobody where they are', async () => {
  const {headers} = await ask('/', {accept: 'text/html', authorization: `Bearer ${token}`});
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['strict-transport-security']).toBeUndefined();
});

test('errors say code, message and hint', async () => {
  const fails = async (path: string) => {
    const answer = await instance.get(path);
    const {code, message, hint} = (await answer.json()) as Record<string, string>;
    expect(message).toBeTruthy();
    expect(hint).toBeTruthy();
    return [answer.status, code];
  };
  expect(await fails('/api/v1/collections/Nope/items')).toEqual([404, 'unknown-collection']);
  expect(await fails('/api/v1/trace?collection=Nope')).toEqual([404, 'unknown-collection']);
  expect((await instance.get('/api/v1/trace?outcome=noop')).status).toBe(200);
  expect(await fails('/api/v1/collections/Pods/items/no%2Fpod')).toEqual([404, 'unknown-key']);
  expect(await fails('/api/v1/collections/Pods/items?limit=0')).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/collections/Pods/items?limit=1001')).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/collections/Pods/items?at=x')).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/collections/Pods/items/%E0%A4%A')).toEqual([400, 'bad-query']);
  for (const at of ['-1', '1.5', '1e1', '0x1', '%205', 'NaN', '99999999999999999999'])
    expect(await fails(`/api/v1/graph?at=${at}`), at).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/graph?at=1&at=2')).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/why/Pods/x?input=perhaps')).toEqual([400, 'bad-query']);
  const cursor = Buffer.from('["data/redis-0",1.5]').toString('base64url');
  expect(await fails(`/api/v1/collections/Pods/items?cursor=${cursor}`)).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/diff?from=1')).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/why-not/Workloads/x?expected=Pods')).toEqual([400, 'bad-query']);
  expect(await fails('/api/v1/why-not/Workloads/x?expected=Pods%2F')).toEqual([400, 'bad-query']);
  expect(await fails('/debug/krtz?session=a&session=b')).toEqual([400, 'bad-query']);
  // If it were ignored, the answer would fit another question.
  expect(await fails('/debug/krtz?at=3')).toEqual([400, 'bad-query']);
  for (const path of ['graph', 'sessions', 'contexts', 'kinds', 'formulas', 'nothing', 'why/Pods/x'])
    expect(await fails(`/api/v1/${path}?nonsense=1`), path).toEqual([400, 'bad-query']);
  expect(await fails('/readyz?session=nope')).toEqual([404, 'unknown-session']);
  expect(await fails('/api/v1/graph?session=nope')).toEqual([404, 'unknown-session']);
  expect(await fails('/api/v1/nothing')).toEqual([404, 'not-found']);
});

test('a session is opened by what the body is, whatever type a client names for it', async () => {
  const recording = new Uint8Array(await (await instance.get('/api/v1/recording')).arrayBuffer());
  const post = async (body: NonNullable<RequestInit['body']>, type?: string) => {
    const headers: Record<string, string> = type === undefined ? {} : {'content-type': type};
    const answer = await instance.get('/api/v1/sessions?name=a', {method: 'POST', body, headers});
    const {name, code} = (await answer.json()) as {name?: string; code?: string};
    return [answer.status, name ?? code];
  };
  expect(await post(recording)).toEqual([201, 'file:a']);
  expect(await post(recording, 'application/octet-stream')).toEqual([201, 'file:a#2']);
  expect(await post('{"demo": true}', 'application/x-www-form-urlencoded')).toEqual([201, 'demo']);
  expect(await post(new TextEncoder().encode('{"demo": true}'))).toEqual([201, 'demo']);
  for (const wrong of ['', '{', '[]', '{"context": 5}', 'neither'])
    expect(await post(new TextEncoder().encode(wrong)), wrong).toEqual([400, 'bad-query']);
  for (const name of ['file:a', 'file:a%232'])
    await instance.get(`/api/v1/sessions?session=${name}`, {method: 'DELETE'});
});

test.runIf(process.platform === 'linux')('a file whose uploader has left is not read on', async () => {
  const body = new Uint8Array(await (await instance.get('/api/v1/recording')).arrayBuffer());
  const below = () => descendants(instance.child.pid ?? 0);
  const before = new Set(below());
  const left = new AbortController();
  const path = '/api/v1/sessions?name=slow';
  const upload = instance
    .get(path, {method: 'POST', body, signal: left.signal})
    .catch((error: Error) => error);
  const its: number[] = [];
  for (let n = 0; n < 1000 && its.length === 0; n++) {
    its.push(...below().filter(pid => !before.has(pid)));
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  // As slow as possible.
  for (const pid of its) process.kill(pid, 'SIGSTOP');
  left.abort();
  expect(await upload).toMatchObject({name: 'AbortError'});
  expect(its).toHaveLength(1);
  expect(await survivors(its)).toEqual([]);
  // The list is read again, because its entry goes a moment after the process.
  await expect
    .poll(async () => (await instance.json<{opening?: unknown}>('/api/v1/sessions')).opening)
    .toBeUndefined();
});
