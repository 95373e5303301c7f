// A real manager's controllers, reported over a channel to a real engine process: asked now, at a moment, after the
// process died, and from a file.
import type {Controllers, RequestAnswer, RequestsAnswer, WhyReconcile} from '@krtscope/shared/controllers.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Diff} from '@krtscope/shared/items.ts';
import {afterEach, expect, test} from 'vitest';
import {openRecording} from '../../engine/supervisor/start-engine.ts';
import {ask, engineFor, until, waitForRestart} from '../../engine/testing-engine.ts';
import {controllerFor} from '../../runtime/controller/controller-builder.ts';
import {generationChanged} from '../../runtime/controller/predicate.ts';
import {silentLogger} from '../../runtime/log/logger.ts';
import {createManager} from '../../runtime/manager/create-manager.ts';
import type {ReportConnectionEvents} from '../../runtime/report/report-connection.ts';
import {ConfigMap, Secret} from '../../runtime/scheme/built-in-kinds.ts';
import {TestWire} from '../../runtime/testing-wire.ts';
import {ControllerReceiver} from './controller-receiver.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const map = (name: string, generation: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {namespace: 'a', name, resourceVersion: String(generation), generation},
  data: {n: String(generation)},
});

async function reporting() {
  const engine = engineFor();
  ends.push(() => engine.stop());
  const wire = new TestWire();
  wire.put('/api/v1/configmaps');
  wire.put('/api/v1/secrets');
  let desk: ControllerReceiver | undefined;
  const channel = (events: ReportConnectionEvents) => {
    desk = new ControllerReceiver({
      engine,
      session: 'demo',
      program: 'test',
      say: message => events.onMessage(message),
    });
    setImmediate(() => events.onOpen());
    const send = (text: string) => {
      desk?.take(text);
      return true;
    };
    return {unsent: 0, send, welcomed() {}, reject() {}, end() {}};
  };
  const manager = await createManager({
    transport: wire,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    cache: {streaming: false},
    report: {name: 'test', channel},
  });
  let failures = 2;
  controllerFor(manager)
    .for(ConfigMap, {predicates: [generationChanged()]})
    .owns(Secret)
    .complete(async (request, {log}) => {
      const found = await manager.client.get(ConfigMap, request);
      log.info('looked', {of: request.name});
      if (request.name === 'two' && failures-- > 0) throw new Error('the order is not there yet');
      if (request.name === 'two') return {requeueAfter: 60_000};
      await manager.client.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {namespace: 'a', name: `${request.name}-${found.metadata.generation}`},
      });
      return {};
    });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  ends.push(() => {
    stop.abort();
    return running;
  });
  return {engine, wire, desk: () => desk};
}

test('controllers are told, asked about now and then, and survive the engine process and a file', async () => {
  const {engine, wire, desk} = await reporting();
  const request = (key: string, at?: number) =>
    ask<RequestAnswer>(engine, {ask: 'request', controller: 'configmap', key, at});
  await until(
    async () =>
      (await ask<Controllers>(engine, {ask: 'controllers'})).controllers[0]?.state === 'running' || undefined,
  );
  for (const name of ['one', 'two']) wire.emit('/api/v1/configmaps', 'ADDED', map(name, 1));
  const delayed = await until(async () => {
    const two = await request('a/two');
    return two.state === 'delayed' && two.attempts.at(-1)?.result === 'requeue-after' ? two : undefined;
  });
  const moment = delayed.sequence;
  expect(delayed.attempts.map(({attempt, retry, result}) => [attempt, retry, result])).toEqual([
    [1, 1, 'error'],
    [2, 2, 'error'],
    [3, 3, 'requeue-after'],
  ]);
  expect(delayed.attempts[0]).toMatchObject({
    error: expect.stringContaining('not there yet'),
    causes: [{reason: 'event', event: 'create', kind: 'ConfigMap', key: 'a/two', watch: 'ConfigMap'}],
    reads: [{verb: 'get', kind: 'ConfigMap', from: 'cache', name: 'two', count: 1}],
    log: [{message: 'looked', fields: {of: 'two'}}, {message: expect.stringContaining('failed')}],
  });
  expect(delayed.attempts[1]?.causes).toEqual([expect.objectContaining({reason: 'error'})]);
  expect(delayed.now).toMatchObject({
    verdict: 'delayed',
    sentence: expect.stringMatching(/^a\/two is delayed until /),
  });
  const why = await ask<WhyReconcile>(engine, {
    ask: 'why-reconcile',
    controller: 'configmap',
    key: 'a/two',
    attempt: 2,
  });
  expect(why.sentence).toMatch(
    /^a\/two was retried after an error\. It failed: .*the order is not there yet\. Retry 2 follows in \d+ ms\.$/,
  );
  const one = await request('a/one');
  expect(one).toMatchObject({
    state: 'idle',
    attempts: [{result: 'done', writes: [{verb: 'create', kind: 'Secret'}]}],
  });

  // An update that the predicate rejects: nothing runs, and the answer names the predicate.
  wire.emit('/api/v1/configmaps', 'MODIFIED', {
    ...map('one', 1),
    metadata: {...map('one', 1).metadata, resourceVersion: '9'},
  });
  const rejected = await until(async () => {
    const answer = await request('a/one');
    return answer.rejected.length > 0 ? answer : undefined;
  });
  expect(rejected.now).toEqual({
    verdict: 'rejected',
    sentence:
      'a/one did not run: ConfigMap a/one was updated, and the predicate generationChanged filtered it out.',
  });
  const {controllers} = await ask<Controllers>(engine, {ask: 'controllers'});
  expect(controllers[0]).toMatchObject({
    name: 'configmap',
    program: 'test',
    for: 'ConfigMap',
    owns: ['Secret'],
    ready: 0,
    delayed: 1,
    inFlight: 0,
    done: 1,
    requeued: 1,
    failed: 2,
    writes: 1,
  });
  expect(controllers[0]?.watches[0]).toMatchObject({name: 'ConfigMap', events: 3, rejected: 1});
  expect(controllers[0]?.results.reduce((sum, {failed}) => sum + failed, 0)).toBe(2);
  const listed = await ask<RequestsAnswer>(engine, {
    ask: 'requests',
    controller: 'configmap',
    state: 'delayed',
  });
  expect(listed).toMatchObject({
    total: 1,
    requests: [{key: 'a/two', last: {result: 'requeue-after', retry: 3}}],
  });

  // The graph shows nothing of it, and the earlier moment is unchanged.
  const {collections} = await ask<Graph>(engine, {ask: 'graph'});
  expect(collections.filter(({name}) => name.includes('krtscope'))).toEqual([]);
  expect((await ask<Diff>(engine, {ask: 'diff', from: moment, to: rejected.sequence})).collections).toEqual(
    {},
  );
  expect((await request('a/one', moment)).rejected).toEqual([]);
  const before = await request('a/two', moment);

  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  expect(await request('a/two', moment)).toEqual(before);
  expect((await request('a/one')).rejected).toEqual(rejected.rejected);

  desk()?.disconnect();
  const away = await until(async () => {
    const answer = await request('a/two');
    return answer.now.verdict === 'away' ? answer : undefined;
  });
  expect(away.attempts).toHaveLength(3);
  const file = await openRecording(await engine.export(), {name: 'test', memoryMb: 512});
  ends.push(() => file.stop());
  expect(await ask(file, {ask: 'request', controller: 'configmap', key: 'a/two', at: moment})).toEqual(
    before,
  );
  await expect(ask(file, {ask: 'request', controller: 'configmap', key: 'a/three'})).rejects.toMatchObject({
    code: 'unknown-key',
  });
  await expect(ask(file, {ask: 'requests', controller: 'configmaps'})).rejects.toThrow(
    'there is no controller',
  );
});
