// Another process that runs krt and a manager and reports to krtscope: connected, cut off, stopped, killed, restarted,
// flooded, and sending false data.
import {type ChildProcess, fork} from 'node:child_process';
import type {Controllers, RequestAnswer} from '@krtscope/shared/controllers.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ItemDetail, Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {until} from '../../engine/testing-engine.ts';
import type {FromTestProgram, ToTestProgram} from '../../program/testing-program.ts';
import {TestInstance} from '../../start/testing-instance.ts';

let instance: TestInstance;
let url = '';
let token = '';
beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0']);
  await instance.ready();
  ({url, token} = await instance.address());
});
afterAll(() => instance.stop());

class TestProgram {
  readonly child: ChildProcess;
  readonly words: FromTestProgram[] = [];

  constructor(env: Record<string, string> = {}) {
    this.child = fork(new URL('../../program/testing-program.ts', import.meta.url), {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: instance.home,
        KRTSCOPE_URL: `${url}/?token=${token}`,
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child.on('message', word => this.words.push(word as FromTestProgram));
  }

  say(message: ToTestProgram): void {
    this.child.send(message);
  }

  get session(): string | undefined {
    return this.words.at(-1)?.session;
  }

  heard(): Promise<string> {
    return until(async () => this.session);
  }

  async kill(): Promise<void> {
    const gone = new Promise(resolve => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

const programs: TestProgram[] = [];
function start(env?: Record<string, string>): TestProgram {
  const program = new TestProgram(env);
  programs.push(program);
  return program;
}
afterEach(async () => {
  for (const program of programs.splice(0))
    if (program.child.exitCode === null && program.child.signalCode === null) await program.kill();
  for (const {name} of (await instance.json<{sessions: SessionAnswer[]}>('/api/v1/sessions')).sessions)
    if (name.startsWith('program:'))
      await instance.get(`/api/v1/sessions?session=${encodeURIComponent(name)}`, {method: 'DELETE'});
});

const ask = <T>(session: string, path: string) =>
  instance.json<T>(`/api/v1${path}${path.includes('?') ? '&' : '?'}session=${encodeURIComponent(session)}`);

test('graph, sheet, why, origin, time and controllers of another process; what is not told is observed', async () => {
  const kubeconfig = (await ask<SessionAnswer>('demo', '/session')).cluster.kubeconfig ?? '';
  const program = start({KUBECONFIG: kubeconfig});
  const session = await program.heard();
  expect(session).toBe('program:shop');
  const graph = await until(async () => {
    const answer = await ask<Graph>(session, '/graph');
    return answer.collections.some(({name, size}) => name === 'Zones' && size === 1) ? answer : undefined;
  });
  expect(graph.collections.map(({name, kind, size}) => [name, kind, size])).toEqual([
    ['Pods', 'static', 1],
    ['Nodes', 'static', 1],
    ['Zones', 'derived', 1],
  ]);
  expect(graph.edges.map(({from, to, kind}) => [from, to, kind])).toEqual([
    ['Pods', 'Zones', 'input'],
    ['Nodes', 'Zones', 'fetch'],
  ]);
  // It existed before the connection, so the reason is unknown.
  const before = await ask<ItemDetail>(session, '/collections/Zones/items/p1');
  expect(before).toMatchObject({value: {key: 'p1', zone: 'a'}, inputs: ['p1'], outcome: 'observed'});
  expect(before.dependencies).toMatchObject([{collection: 'Nodes', filter: 'key n1'}]);
  const unsaid = await ask<Why>(session, '/why/Zones/p1');
  expect(unsaid).toMatchObject({
    outcome: 'observed',
    sentence: 'Zone p1 was observed added. The program does not say why.',
  });
  expect(await ask<Origin>(session, '/origin/Zones/p1')).toMatchObject({
    write: null,
    sentence: expect.stringContaining('The program does not say why.'),
  });
  const moment = (await ask<Graph>(session, '/graph')).sequence;

  // From now on, changes are reported with their runs and causes.
  program.say({say: 'node', key: 'n1', zone: 'b'});
  const why = await until(async () => {
    const answer = await ask<Why>(session, '/why/Zones/p1');
    return answer.outcome === 'changed' ? answer : undefined;
  });
  expect(why.sentence).toMatch(/Zone p1 changed because Node n1 changed zone from "?a"? to "?b"?/);
  expect(why.run).toMatchObject({
    collection: 'Zones',
    input: 'p1',
    fetches: [{collection: 'Nodes', matched: 1}],
  });
  const origin = await ask<Origin>(session, '/origin/Zones/p1?field=zone');
  expect(origin.write).toMatchObject({collection: 'Nodes', key: 'n1', path: 'zone', old: 'a', new: 'b'});
  const then = await ask<ItemDetail>(session, `/collections/Zones/items/p1?at=${moment}`);
  expect(then.value).toEqual({key: 'p1', zone: 'a'});
  program.say({say: 'pod', key: 'p2', node: 'nowhere'});
  await until(
    async () => (await ask<Why>(session, '/why/Zones/p2?input=1')).outcome === 'empty' || undefined,
  );
  const timeline = await ask<Timeline>(session, '/timeline?buckets=5');
  // Zone p1 was there when the program connected, and it changed once.
  expect(timeline.buckets.reduce((sum, {changed}) => sum + changed, 0)).toBe(2);

  // Its controllers.
  await until(async () => {
    const {controllers} = await ask<Controllers>(session, '/controllers');
    return controllers[0]?.state === 'running' || undefined;
  });
  program.say({say: 'mood', mood: 'bad'});
  const path = '/controllers/notes/requests/default%2Fwatched';
  const request = await until(async () => {
    const answer = await ask<RequestAnswer>(session, path);
    return answer.attempts.length > 1 ? answer : undefined;
  });
  expect(request.attempts[0]).toMatchObject({
    result: 'error',
    error: expect.stringContaining('the mood is bad'),
    causes: [{reason: 'event', event: 'create', kind: 'ConfigMap', key: 'default/watched'}],
    reads: [{verb: 'get', kind: 'ConfigMap', from: 'cache', name: 'watched', count: 1}],
  });
  program.say({say: 'mood', mood: 'good'});
  const good = await until(async () => {
    const answer = await ask<RequestAnswer>(session, path);
    return answer.attempts.at(-1)?.result === 'requeue-after' ? answer : undefined;
  });
  expect(good.now.verdict).toBe('delayed');
  expect(await ask<SessionAnswer>(session, '/session')).toMatchObject({
    name: 'program:shop',
    cluster: {kind: 'program', context: 'shop', pid: program.child.pid},
    connection: {state: 'connected'},
    redacted: true,
  });
});

test('a second live one is #2; what went keeps its recording, and a comeback takes the lowest free place', async () => {
  const first = start();
  expect(await first.heard()).toBe('program:shop');
  const second = start();
  expect(await second.heard()).toBe('program:shop#2');
  await first.kill();
  const lost = await until(async () => {
    const session = await ask<SessionAnswer>('program:shop', '/session');
    return session.connection.state === 'lost' ? session : undefined;
  });
  expect(lost.connection.reason).toContain('shop is not connected');
  expect((await ask<ItemDetail>('program:shop', '/collections/Zones/items/p1')).value).toEqual({
    key: 'p1',
    zone: 'a',
  });
  const third = start();
  expect(await third.heard()).toBe('program:shop');
  const {gaps} = await ask<Timeline>('program:shop', '/timeline');
  expect(gaps).toMatchObject([{kind: 'program', text: expect.stringContaining('was restarted')}]);
  third.say({say: 'pod', key: 'p9', node: 'n1'});
  await until(async () => ask<ItemDetail>('program:shop', '/collections/Zones/items/p9'));
  await expect(ask('program:shop#2', '/collections/Zones/items/p9')).rejects.toThrow('404');
});

test('its recording goes into a file whole: rows, runs and causes', async () => {
  const program = start();
  const session = await program.heard();
  await until(async () => ask<ItemDetail>(session, '/collections/Zones/items/p1'));
  program.say({say: 'node', key: 'n1', zone: 'b'});
  const why = await until(async () => {
    const answer = await ask<Why>(session, '/why/Zones/p1');
    return answer.outcome === 'changed' ? answer : undefined;
  });
  const bytes = await (
    await instance.get(`/api/v1/recording?session=${encodeURIComponent(session)}`)
  ).arrayBuffer();
  const opened = await instance.get('/api/v1/sessions?name=shop.krtrec', {
    method: 'POST',
    body: bytes,
    headers: {'content-type': 'application/octet-stream'},
  });
  const {name} = (await opened.json()) as SessionAnswer;
  expect(await ask<Why>(name, '/why/Zones/p1')).toEqual(why);
  const list = await ask<Items>(name, '/collections/Pods/items');
  expect(list.items).toMatchObject([{key: 'p1', outcome: 'observed'}]);
  await instance.get(`/api/v1/sessions?session=${encodeURIComponent(name)}`, {method: 'DELETE'});
});

test('a krtscope that stands still or floods of the program never stop, end or grow it; the end is the truth', async () => {
  const program = start();
  const session = await program.heard();
  await until(async () => ask<ItemDetail>(session, '/collections/Zones/items/p1'));
  const calm = program.words.at(-1)?.rss ?? 0;
  instance.child.kill('SIGSTOP');
  try {
    program.say({say: 'flood', batches: 2000, characters: 20_000});
    await until(async () => (program.words.at(-1)?.flooded === 2000 ? true : undefined), 60_000);
  } finally {
    instance.child.kill('SIGCONT');
  }
  const most = Math.max(...program.words.map(({rss}) => rss));
  expect(most - calm).toBeLessThan(150 * 1024 * 1024);
  program.say({say: 'pod', key: 'last', node: 'n1', note: 'after the flood'});
  const item = await until(async () => ask<ItemDetail>(session, '/collections/Pods/items/last'), 60_000);
  expect(item.value).toMatchObject({note: 'after the flood'});
  const flood = await until(async () => {
    const found = await ask<ItemDetail>(session, '/collections/Pods/items/flood-0');
    return (found.value as {note: string}).note.startsWith('2000 ') ? found : undefined;
  }, 60_000);
  expect(flood.key).toBe('flood-0');
  const {gaps} = await ask<Timeline>(session, '/timeline');
  expect(gaps.some(({kind}) => kind === 'program')).toBe(true);
  expect(program.child.exitCode).toBeNull();
});

function socket(
  headers: Record<string, string>,
): Promise<{socket: WebSocket; said: string[]; closed: Promise<number>}> {
  return new Promise((resolve, reject) => {
    const own = new WebSocket(`${url.replace('http', 'ws')}/api/v1/programs`, {headers});
    const said: string[] = [];
    const closed = new Promise<number>(done => own.on('close', done));
    own.on('message', data => said.push(String(data)));
    own.on('open', () => resolve({socket: own, said, closed}));
    own.on('unexpected-response', (_, answer) => reject(new Error(`${answer.statusCode}`)));
    own.on('error', reject);
  });
}

const hello = (name: string, n = 0) =>
  JSON.stringify({type: 'hello', protocol: 1, name, instance: `instance-${name}-${n}`});
const bearer = () => ({authorization: `Bearer ${token}`});

test('only a bearer gets in: no cookie, no subprotocol, no page of another site', async () => {
  const port = new URL(url).port;
  await expect(socket({})).rejects.toThrow('401');
  await expect(socket({cookie: `krtscope_${port}=${token}`})).rejects.toThrow('401');
  await expect(socket({...bearer(), origin: 'http://evil.example'})).rejects.toThrow('403');
  const {socket: own, said} = await socket(bearer());
  own.send(hello('allowed'));
  await until(async () => said[0]);
  expect(JSON.parse(said[0] as string)).toEqual({
    type: 'welcome',
    protocol: 1,
    session: 'program:allowed',
    redactionKey: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  own.close();
});

test('what is hostile or wrong is refused in words, and nothing else suffers', async () => {
  const wrong: [string, string[], RegExp][] = [
    ['no JSON', ['{'], /not JSON/],
    ['no hello', [JSON.stringify({type: 'facts', facts: []})], /hello must be the first/],
    ['another protocol', [hello('x').replace('"protocol":1', '"protocol":9')], /protocol 9/],
    ['a bad name', [hello('../../etc')], /letters, digits/],
    [
      'unknown collection',
      [
        hello('a'),
        JSON.stringify({
          type: 'batch',
          sequence: 1,
          received: 1,
          settled: 1,
          changes: [{collection: 'Ghosts', key: 'k', event: 'add', new: 1, run: null}],
        }),
      ],
      /names the collection "Ghosts"/,
    ],
    [
      'a name of our own',
      [
        hello('b'),
        JSON.stringify({type: 'collections', collections: [{name: 'krtscope:requests', kind: 'static'}]}),
      ],
      /reserved for krtscope/,
    ],
    [
      'too large',
      [
        hello('c'),
        JSON.stringify({type: 'gap', from: 0, to: 0, text: 'x'.repeat(programLimits.messageBytes)}),
      ],
      /larger than/,
    ],
  ];
  for (const [what, messages, words] of wrong) {
    const {socket: own, said, closed} = await socket(bearer());
    for (const message of messages) own.send(message);
    expect(await closed, what).toBeGreaterThanOrEqual(4400);
    expect(JSON.parse(said.at(-1) as string), what).toMatchObject({
      type: 'refused',
      message: expect.stringMatching(words),
    });
  }
  // Dangling references, a cycle as a graph, and a name that JavaScript reserves: accepted and answered.
  const {socket: own} = await socket(bearer());
  own.send(hello('odd'));
  const from = (collection: string) => [{collection, kind: 'input'}];
  own.send(
    JSON.stringify({
      type: 'collections',
      collections: [
        {name: 'A', kind: 'derived', from: from('B')},
        {name: 'B', kind: 'derived', from: from('A')},
        {name: '__proto__', kind: 'static'},
      ],
    }),
  );
  own.send(
    JSON.stringify({
      type: 'batch',
      sequence: 1,
      received: -5,
      settled: 1e300,
      changes: [
        {collection: 'A', key: '__proto__', event: 'update', new: {a: 1}, run: 7, from: [9]},
        {collection: '__proto__', key: 'constructor', event: 'add', new: null, run: null},
        {collection: 'B', key: 'gone', event: 'delete'},
      ],
      runs: [
        {collection: 'B', input: 'i', outcome: 'added', causes: [{kind: 'fetch', published: 99, run: 5}]},
      ],
    }),
  );
  const graph = await until(async () => {
    const answer = await ask<Graph>('program:odd', '/graph');
    return answer.collections.some(({size}) => size > 0) ? answer : undefined;
  });
  expect(graph.collections.map(({name}) => name).sort()).toEqual(['A', 'B', '__proto__']);
  expect((await ask<Why>('program:odd', '/why/A/__proto__')).outcome).toBe('observed');
  own.close();
  expect((await instance.get('/readyz')).status).toBe(200);
});

test('eight programs are taken, and the ninth is told to come back', async () => {
  const own: WebSocket[] = [];
  for (let n = 0; n < programLimits.programs; n++) {
    const {socket: one, said} = await socket(bearer());
    one.send(hello('many', n));
    own.push(one);
    await until(async () => said[0]);
  }
  const ninth = await socket(bearer());
  ninth.socket.send(hello('many', 9));
  expect(await ninth.closed).toBe(4429);
  expect(JSON.parse(ninth.said[0] as string)).toMatchObject({type: 'refused', code: 'too-many', retry: true});
  for (const one of own) one.terminate();
}, 120_000);
