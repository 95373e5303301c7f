// A manager and an engine that report to a server that listens, is slow, goes away, or is hostile.

import {mkdtempSync, rmSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type FromProgram, fromProgramSchema} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {afterEach, expect, test} from 'vitest';
import {type WebSocket, WebSocketServer} from 'ws';
import {createEngine, fetchOne, filterKey, newCollection, newStaticCollection} from '../krt/index.ts';
import {controllerFor} from '../runtime/controller/controller-builder.ts';
import {generationChanged} from '../runtime/controller/predicate.ts';
import {silentLogger} from '../runtime/log/logger.ts';
import {createManager} from '../runtime/manager/create-manager.ts';
import {Program} from '../runtime/report/program.ts';
import {ConfigMap, Secret} from '../runtime/scheme/built-in-kinds.ts';
import {TestWire} from '../runtime/testing-wire.ts';
import {EngineReporter} from './engine-reporter.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Listens like krtscope and parses every message with the shared schema. */
class Listener {
  readonly heard: FromProgram[] = [];
  readonly sockets: WebSocket[] = [];
  readonly tokens: (string | undefined)[] = [];
  server: WebSocketServer | undefined;
  port = 0;
  /** The messages to a new socket after its hello. */
  answer: string[] = [JSON.stringify({type: 'welcome', protocol: 1, session: 'program:test'})];

  async start(): Promise<this> {
    const server = new WebSocketServer({port: this.port, host: '127.0.0.1', path: '/api/v1/programs'});
    this.server = server;
    await new Promise<void>(resolve => server.once('listening', () => resolve()));
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (socket, request) => {
      this.sockets.push(socket);
      this.tokens.push(request.headers.authorization);
      socket.on('message', data => {
        const message = fromProgramSchema.parse(JSON.parse(String(data)));
        this.heard.push(message);
        if (message.type === 'hello') for (const text of this.answer) socket.send(text);
      });
    });
    ends.push(() => this.stop());
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.splice(0)) socket.terminate();
    const {server} = this;
    this.server = undefined;
    if (server) await new Promise(resolve => server.close(resolve));
  }

  get env() {
    return {KRTSCOPE_URL: `http://127.0.0.1:${this.port}/?token=t0k3n`};
  }

  of<T extends FromProgram['type']>(type: T): Extract<FromProgram, {type: T}>[] {
    return this.heard.filter(message => message.type === type) as never;
  }

  get facts() {
    return this.of('facts').flatMap(message => message.facts);
  }
}

async function reporting(listener: Listener) {
  const wire = new TestWire();
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'a', name: 'c', resourceVersion: '1'},
  };
  wire.put('/api/v1/configmaps', object);
  wire.put('/api/v1/secrets');
  const manager = await createManager({
    transport: wire,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    cache: {streaming: false},
    report: {name: 'test', env: listener.env, retry: 20},
  });
  ends.push(() => {
    stop.abort();
    return running;
  });
  const stop = new AbortController();
  let failures = 1;
  controllerFor(manager)
    .for(ConfigMap)
    .owns(Secret, {predicates: [generationChanged()]})
    .complete(async (request, {log}) => {
      log.info('looking', {apiToken: 'hunter2', of: request.name});
      const found = await manager.client.get(ConfigMap, request);
      if (failures-- > 0) throw new Error('cannot reach postgres://me:hunter2@db/');
      await manager.client.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {namespace: 'a', name: found.metadata.name},
        data: {password: 'aHVudGVyMg=='},
      });
      return {requeueAfter: 60_000};
    });
  const running = manager.start(stop.signal);
  return {manager, wire, object, stop, running};
}

test('a manager tells of its controllers, queues and each request’s way, and no secret', async () => {
  const listener = await new Listener().start();
  const {wire, object, manager} = await reporting(listener);
  await manager.elected;
  await expect.poll(() => listener.of('queue').length).toBeGreaterThan(0);
  wire.emit('/api/v1/configmaps', 'MODIFIED', {...object, metadata: {...object.metadata, labels: {x: 'y'}}});
  await expect
    .poll(() => listener.facts.filter(fact => fact.fact === 'end').length)
    .toBeGreaterThanOrEqual(1);
  await expect.poll(() => listener.facts.some(fact => fact.fact === 'write')).toBe(true);
  expect(listener.tokens[0]).toBe('Bearer t0k3n');
  expect(listener.heard[0]).toMatchObject({type: 'hello', name: 'test', protocol: 1, pid: process.pid});
  expect(listener.of('controllers').at(-1)?.controllers[0]).toMatchObject({
    name: 'configmap',
    for: 'ConfigMap',
    owns: ['Secret'],
    watches: [
      {name: 'ConfigMap', handler: 'object', predicates: []},
      {name: 'Secret', handler: 'owner ConfigMap', predicates: ['generationChanged']},
    ],
    workers: 1,
    state: 'running',
  });
  const run = listener.facts.filter(fact => 'run' in fact && fact.run === lastRun(listener));
  expect(run.map(({fact}) => fact)).toEqual(['start', 'log', 'read', 'write', 'end']);
  expect(run.at(-1)).toMatchObject({result: 'requeue-after', after: 60_000, key: 'a/c'});
  expect(run[2]).toMatchObject({verb: 'get', kind: 'ConfigMap', from: 'cache', count: 1, name: 'c'});
  const write = run[3] as {after?: {data?: {password?: string}}};
  expect(write.after?.data?.password).toMatch(/^redacted:/);
  const event = listener.facts.find(fact => fact.fact === 'event' && fact.event === 'update');
  expect(event).toMatchObject({
    watch: 'ConfigMap',
    kind: 'ConfigMap',
    key: 'a/c',
    handler: 'object',
    unchanged: false,
  });
  const enqueue = listener.facts.find(fact => fact.fact === 'enqueue' && fact.reason === 'event');
  expect(enqueue).toMatchObject({key: 'a/c', added: expect.stringMatching(/ready|sooner|folded|again/)});
  expect(JSON.stringify(listener.heard)).not.toMatch(/hunter2|aHVudGVyMg/);
});

function lastRun(listener: Listener): string {
  const end = listener.facts.findLast(fact => fact.fact === 'end' && fact.result === 'requeue-after');
  return end?.fact === 'end' ? end.run : '';
}

test('nothing is recorded for nobody: the tracer is there only while somebody listens, and comes back', async () => {
  const listener = await new Listener().start();
  const {manager} = await reporting(listener);
  await manager.elected;
  await expect.poll(() => manager.tracer.current !== undefined).toBe(true);
  await listener.stop();
  await expect.poll(() => manager.tracer.current).toBeUndefined();
  await listener.start();
  await expect.poll(() => listener.of('hello').length, {timeout: 10_000}).toBe(2);
  const [first, second] = listener.of('hello');
  expect(second?.instance).toBe(first?.instance);
  await expect.poll(() => manager.tracer.current !== undefined).toBe(true);
});

test('an engine tells its collections, its rows and each batch with its causes', async () => {
  const listener = await new Listener().start();
  const engine = createEngine();
  const key = (item: unknown) => (item as {key: string}).key;
  const makeStatic = <T>(items: T[], name: string) => newStaticCollection(engine, items, {name, key});
  const pods = makeStatic([{key: 'p1', node: 'n1'}], 'Pods');
  makeStatic([{key: 's', data: {password: 'aHVudGVyMg=='}}], 'Secrets');
  const nodes = makeStatic([{key: 'n1', zone: 'a'}], 'Nodes');
  newCollection(pods, (ctx, pod) => ({key: pod.key, zone: fetchOne(ctx, nodes, filterKey(pod.node))?.zone}), {
    name: 'Zones',
    key,
  });
  makeStatic([] as {key: string}[], 'Pods');
  const program = new Program({name: 'bare', env: listener.env, retry: 20});
  ends.push(() => program.end());
  program.add(new EngineReporter(engine));
  await expect.poll(() => listener.of('snapshot').length).toBe(1);
  const outline = listener.of('collections').at(-1)?.collections;
  expect(outline?.map(({name, kind}) => [name, kind])).toEqual([
    ['Pods', 'static'],
    ['Secrets', 'static'],
    ['Nodes', 'static'],
    ['Zones', 'derived'],
    ['Pods#2', 'static'],
  ]);
  expect(outline?.[3]?.from).toEqual([
    {collection: 'Pods', kind: 'input'},
    {collection: 'Nodes', kind: 'fetch'},
  ]);
  const {items, last} = listener.of('snapshot')[0]!;
  expect(last).toBe(true);
  expect(items.find(([name]) => name === 'Zones')).toEqual(['Zones', 'p1', {key: 'p1', zone: 'a'}]);
  nodes.updateObject({key: 'n1', zone: 'b'});
  await expect.poll(() => listener.of('batch').length).toBe(1);
  const [batch] = listener.of('batch');
  expect(batch?.changes).toMatchObject([
    {collection: 'Nodes', key: 'n1', event: 'update', run: null, new: {key: 'n1', zone: 'b'}},
    {collection: 'Zones', key: 'p1', event: 'update', run: 0, new: {key: 'p1', zone: 'b'}},
  ]);
  expect(batch?.runs[0]).toMatchObject({
    collection: 'Zones',
    input: 'p1',
    outcome: 'changed',
    causes: [{kind: 'fetch', collection: 'Nodes', key: 'n1', event: 'update', published: 0}],
    fetches: [{collection: 'Nodes', matched: 1, keys: ['n1']}],
  });
  expect(Math.abs((batch?.settled ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(JSON.stringify(listener.heard)).not.toContain('aHVudGVyMg');
  program.end();
  await expect.poll(() => program.session).toBeUndefined();
});

test('a batch that is too large to be told is a gap, and the whole state after it', async () => {
  const listener = await new Listener().start();
  const engine = createEngine();
  const rows = newStaticCollection<{key: string}>(engine, [], {name: 'Rows', key: row => row.key});
  const program = new Program({name: 'large', env: listener.env, retry: 20});
  ends.push(() => program.end());
  program.add(new EngineReporter(engine));
  await expect.poll(() => listener.of('snapshot').length).toBe(1);
  rows.reset(Array.from({length: programLimits.changes + 1}, (_, n) => ({key: `row-${n}`})));
  await expect.poll(() => listener.of('gap').length, {timeout: 20_000}).toBe(1);
  await expect.poll(() => listener.of('snapshot').at(-1)?.last).toBe(true);
  await expect
    .poll(() => new Set(listener.of('snapshot').flatMap(({items}) => items.map(([, key]) => key))).size)
    .toBe(programLimits.changes + 1);
  expect(listener.of('batch')).toEqual([]);
});

test('off is off, and a program without anybody runs just as well', async () => {
  const home = mkdtempSync(join(tmpdir(), 'krtscope-report-'));
  ends.push(() => rmSync(home, {recursive: true}));
  const off = new Program({env: {KRTSCOPE_URL: 'off'}});
  const alone = new Program({env: {HOME: home}, retry: 5});
  const wrong = new Program({env: {KRTSCOPE_URL: 'not an address'}, retry: 5});
  await new Promise(resolve => setTimeout(resolve, 50));
  for (const program of [off, alone, wrong]) {
    expect(program.session).toBeUndefined();
    program.end();
  }
});

test('a reader that does not read costs a gap and a fresh state, never memory', async () => {
  const listener = await new Listener().start();
  const program = new Program({name: 'fast', env: listener.env, retry: 20, unsentBytes: 2_000_000});
  ends.push(() => program.end());
  let send: (message: string) => void = () => {};
  program.add({
    begin: given => {
      send = given;
    },
    *state() {
      yield JSON.stringify({type: 'collections', collections: []});
      yield JSON.stringify({type: 'snapshot', sequence: 7, at: 1, items: [['C', 'k', 'now']], last: true});
    },
    end: () => {},
  });
  await expect.poll(() => listener.of('snapshot').length).toBe(1);
  listener.sockets[0]?.pause();
  const large = 'x'.repeat(100_000);
  for (let at = 0; at < 2000; at++)
    send(
      JSON.stringify({
        type: 'batch',
        sequence: at,
        received: 1,
        settled: 1,
        changes: [{collection: 'C', key: 'k', event: 'update', new: large}],
      }),
    );
  listener.sockets[0]?.resume();
  await expect.poll(() => listener.of('gap').length, {timeout: 20_000}).toBe(1);
  await expect.poll(() => listener.of('snapshot').length).toBe(2);
  const [gap] = listener.of('gap');
  const batches = listener.of('batch').length;
  expect(batches).toBeLessThan(2000);
  expect(batches + (gap?.dropped ?? 0)).toBe(2000);
  const types = listener.heard.map(({type}) => type);
  expect(types.slice(types.indexOf('gap'))).toEqual(['gap', 'collections', 'snapshot']);
});

test('a hostile server is left alone: noise, floods and nonsense end the socket and nothing else', async () => {
  const listener = await new Listener().start();
  for (const answer of ['no json', 'null', '{"type":"unknown"}', `"${'x'.repeat(100_000)}"`]) {
    listener.answer = [answer];
    const before = listener.of('hello').length;
    const program = new Program({name: 'brave', env: listener.env, retry: 5});
    await expect.poll(() => listener.of('hello').length).toBeGreaterThan(before);
    expect(program.session).toBeUndefined();
    program.end();
  }
  listener.answer = [JSON.stringify({type: 'refused', code: 'full', message: 'no', retry: false})];
  const before = listener.of('hello').length;
  const refused = new Program({name: 'refused', env: listener.env, retry: 1});
  await expect.poll(() => listener.of('hello').length).toBe(before + 1);
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(listener.of('hello').length, 'told not to come back').toBe(before + 1);
  refused.end();
});
