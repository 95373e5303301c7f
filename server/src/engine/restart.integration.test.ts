import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {afterEach, describe, expect, test} from 'vitest';
import {makeCluster, makePod, sourceNames} from '../graph/testing-cluster.ts';
import type {EngineFailure, EngineHandle, UpdateWithoutId} from './link/engine-link.ts';
import {openRecording} from './supervisor/start-engine.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

function started(options: Parameters<typeof engineFor>[0] = {}): TestEngine {
  const engine = engineFor(options);
  running.push(engine);
  return engine;
}

async function withCluster(pods: number, options: Parameters<typeof engineFor>[0] = {}): Promise<TestEngine> {
  const engine = started(options);
  engine.apply(
    makeCluster({pods, services: 40, namespaces: 4, nodes: 10}).map(([name, , object]) =>
      put(name, object, 'add'),
    ),
  );
  for (const name of sourceNames) engine.sourceState(name, {state: 'synced', synced: true});
  await until(async () =>
    (await ask<Graph>(engine, {ask: 'graph'})).collections.every(({synced}) => synced) ? true : undefined,
  );
  return engine;
}

type Labelled = {metadata: {labels: Record<string, string>}};
const size = {namespaces: 4, perNamespace: 10, nodes: 10};
const workloads = (engine: TestEngine, at?: number) =>
  ask<Items>(engine, {ask: 'items', collection: 'Workloads', limit: 1000, ...(at === undefined ? {} : {at})});

test('asked the moment it is back, it tells of what was gone before and of the state then', async () => {
  const engine = await withCluster(50);
  const {items} = await workloads(engine);
  const before = engine.sequence;
  const key = items[0]?.key ?? '';
  const [namespace, name] = key.split('/');
  engine.apply([put('Pods', {metadata: {namespace, name}}, 'delete')]);
  await until(async () => ((await workloads(engine)).total === 49 ? true : undefined));
  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  const [gone, then] = await Promise.all([
    ask(engine, {ask: 'why', collection: 'Pods', key}),
    workloads(engine, before),
  ]);
  expect(gone).toMatchObject({outcome: 'deleted', run: null});
  expect(then.total).toBe(50);
});

test('who waits for the past when the process dies again is told that it restarts', async () => {
  const engine = await withCluster(50);
  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  const asked = ask(engine, {ask: 'trace'});
  process.kill(engine.pid, 'SIGKILL');
  await expect(asked).rejects.toMatchObject({code: 'engine-restarting'});
});

describe('when the engine process is killed in the middle of a stream of changes', () => {
  test('it comes back with everything, the sequence goes on, and the past is still there', async () => {
    const engine = await withCluster(200);
    const updates: [number, UpdateWithoutId][] = [];
    engine.subscribe(
      {ask: 'window', collection: 'Workloads', offset: 0, count: 50},
      (update, sequence) => updates.push([sequence, update]),
      () => {},
    );
    const before = engine.sequence;
    const old = await workloads(engine);
    const back = waitForRestart(engine);
    for (let i = 0; i < 200; i++) {
      engine.apply([put('Pods', makePod(i, {...size, version: i + 1, ready: i % 2 === 0}))]);
      if (i === 100) process.kill(engine.pid, 'SIGKILL');
    }
    await until(async () => (engine.state === 'restarting' ? true : undefined));
    await expect(ask(engine, {ask: 'graph'})).rejects.toMatchObject({code: 'engine-restarting'});
    await back;
    const pod = makePod(7, {...size, version: 999});
    (pod.status as {podIP: string}).podIP = '10.9.9.9';
    engine.apply([put('Pods', pod)]);
    const now = await until(async () => {
      const items = await workloads(engine);
      return items.items.some(({value}) => (value as {ip: string}).ip === '10.9.9.9') ? items : undefined;
    });
    expect(now.total).toBe(200);
    expect(now.sequence).toBeGreaterThan(before + 200);
    // Every change was applied, whether the old process had it or not.
    const pods = await ask<Items>(engine, {ask: 'items', collection: 'Pods', limit: 1000});
    for (const {key, value} of pods.items) {
      const {restartCount} = (value as {status: {containerStatuses: [{restartCount: number}]}}).status
        .containerStatuses[0];
      expect(restartCount, key).toBeGreaterThan(0);
    }
    // The state before the death is unchanged.
    const then = await until(async () => {
      const kept = await ask<{oldest: number}>(engine, {ask: 'kept'});
      return kept.oldest <= before ? workloads(engine, before) : undefined;
    });
    expect(then.items.map(({key, value}) => [key, value])).toEqual(
      old.items.map(({key, value}) => [key, value]),
    );
    expect(engine.gaps).toMatchObject([{kind: 'engine', text: expect.stringContaining('SIGKILL')}]);
    const timeline = await ask<Timeline>(engine, {ask: 'timeline'});
    expect(timeline.gaps).toMatchObject([{kind: 'engine'}]);
    const sequences = updates.map(([sequence]) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(updates.filter(([, update]) => 'snapshot' in update).length).toBeGreaterThanOrEqual(2);
  });

  test('the process that waits takes over, and its own end is nobody\u2019s loss', async () => {
    const engine = await withCluster(20, {spareMs: 0});
    const spare = await until(async () => engine.sparePid);
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    expect(engine.pid).toBe(spare);
    expect((await workloads(engine)).total).toBe(20);
    const next = await until(async () => engine.sparePid);
    process.kill(next, 'SIGKILL');
    // Another spare process waits.
    await until(async () => (engine.sparePid === next ? undefined : engine.sparePid));
    expect(engine.state).toBe('ready');
    expect(engine.pid).toBe(spare);
    expect((await workloads(engine)).total).toBe(20);
  });

  test.runIf(process.platform === 'linux')('one that waits and stands still is soon given up', async () => {
    const engine = await withCluster(20, {spareMs: 0});
    const spare = (await until(async () => engine.sparePid)) as number;
    process.kill(spare, 'SIGSTOP');
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    // A working process may be silent for twenty seconds.
    expect(await back).toBeLessThan(12_000);
    expect(engine.pid).not.toBe(spare);
    expect((await workloads(engine)).total).toBe(20);
    expect(() => process.kill(spare, 0)).toThrow('ESRCH');
    expect(engine.gaps.map(({text}) => text)).toEqual([expect.stringContaining('SIGKILL')]);
  });

  test('an untouched item still knows why it is as it is', async () => {
    const engine = await withCluster(20);
    const question = {ask: 'why', collection: 'Workloads', key: 'ns-0/pod-0'} as const;
    type Why = {run: {id: string; causes: unknown; fetches: {filter: string}[]}; sentence: string};
    engine.apply([
      put('Pods', {...makePod(0, {...size, version: 5}), status: {phase: 'Running', podIP: '10.1.1.1'}}),
    ]);
    const old = await until(async () => {
      const why = await ask<Why>(engine, question);
      return Number(why.run.id.split('.')[0]) === engine.sequence ? why : undefined;
    });
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    const why = await until(async () => {
      const again = await ask<Why>(engine, question);
      return again.run.id === old.run.id ? again : undefined;
    });
    expect(why.sentence).toBe(old.sentence);
    expect(why.run.causes).toEqual(old.run.causes);
    expect(why.run.fetches.map(({filter}) => filter)).toEqual(old.run.fetches.map(({filter}) => filter));
  });

  test('it survives a second death while the first is being mended', async () => {
    const engine = await withCluster(100);
    const before = engine.sequence;
    const first = engine.pid;
    process.kill(first, 'SIGKILL');
    await until(async () => (engine.pid !== first ? true : undefined));
    process.kill(engine.pid, 'SIGKILL');
    const items = await until(() => workloads(engine));
    expect(items.total).toBe(100);
    const kept = await until(async () => {
      const answer = await ask<{oldest: number; newest: number}>(engine, {ask: 'kept'});
      return answer.oldest <= before ? answer : undefined;
    });
    expect(kept.newest).toBeGreaterThan(before);
  });
});

describe('a ring that is full', () => {
  test('lets the oldest go and says so, but not the why of what still lives, not even over a restart', async () => {
    const engine = await withCluster(20, {historyRuns: 60});
    const question = {ask: 'why', collection: 'Workloads', key: 'ns-3/pod-19'} as const;
    type Why = {run: {id: string; fetches: {filter: string}[]}; sentence: string};
    const old = await ask<Why>(engine, question);
    for (let i = 0; i < 60; i++) {
      engine.apply([put('Pods', makePod(0, {...size, version: i + 1, ready: i % 2 === 0}))]);
    }
    const kept = await until(async () => {
      const answer = await ask<{runs: number; oldest: number}>(engine, {ask: 'kept'});
      return answer.oldest > 30 ? answer : undefined;
    });
    expect(kept.runs).toBeLessThanOrEqual(60);
    await expect(ask(engine, {ask: 'items', collection: 'Pods', at: 5})).rejects.toMatchObject({
      code: 'rolled-off',
      nearest: kept.oldest,
    });
    expect((await ask<Why>(engine, question)).run.id).toBe(old.run.id);
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    const why = await until(async () => {
      const again = await ask<Why>(engine, question);
      return again.run.id === old.run.id ? again : undefined;
    });
    expect(why.run.fetches.map(({filter}) => filter)).toEqual(old.run.fetches.map(({filter}) => filter));
    expect((await ask<{oldest: number}>(engine, {ask: 'kept'})).oldest).toBe(kept.oldest);
  });
});

const hostile = new URL('./host/testing-hostile-graph.ts', import.meta.url).href;

describe.each([
  ['eats all memory', 'memory', 20_000, /out of memory|MB of memory|SIGABRT|SIGTRAP|SIGKILL/],
  ['takes memory outside the heap', 'buffers', 20_000, /MB of memory|out of memory|SIGKILL/],
  ['never ends', 'loop', 3000, /did not answer/],
])('a formula that %s', (_, attack, silenceMs, reason) => {
  test('ends the engine process and not main, and the session heals when the object goes', async () => {
    const engine = started({graph: hostile, memoryMb: 128, silenceMs});
    engine.sourceState('Orders', {state: 'synced', synced: true});
    engine.apply([put('Orders', {metadata: {name: 'good'}})]);
    await until(() => ask(engine, {ask: 'item', collection: 'Results', key: 'good'}));
    const died = new Promise(resolve => engine.onState(state => state === 'restarting' && resolve(true)));
    engine.apply([put('Orders', {metadata: {name: 'bad'}, spec: {attack}})]);
    await died;
    engine.apply([put('Orders', {metadata: {name: 'bad'}}, 'delete')]);
    const items = await until(async () => {
      const answer = await ask<Items>(engine, {ask: 'items', collection: 'Results'});
      return answer.total === 1 && engine.gaps.length > 0 ? answer : undefined;
    }, 50_000);
    expect(items.items.map(({key}) => key)).toEqual(['good']);
    expect(engine.gaps[0]?.text).toMatch(reason);
  });
});

describe('a recording', () => {
  test('opens without a cluster and answers as the session did', async () => {
    const engine = await withCluster(50);
    const past = engine.sequence;
    const nodes = (on: EngineHandle, at?: number) =>
      ask<Items>(on, {ask: 'items', collection: 'WorkloadsByNode', ...(at === undefined ? {} : {at})});
    const then = await workloads(engine);
    // A label that is removed and added again changes its position.
    const seen = [await nodes(engine)];
    for (let version = 1; version <= 6; version++) {
      const pods = Array.from({length: 29}, (_, i) => makePod(i, {...size, version}) as Labelled);
      for (const {metadata} of pods) {
        const {labels} = metadata;
        metadata.labels = version % 2 === 0 ? {early: 'yes', ...labels} : {...labels};
      }
      engine.apply(pods.map(pod => put('Pods', pod)));
      await until(async () => (engine.sequence > (seen.at(-1)?.sequence ?? 0) ? true : undefined));
      seen.push(await nodes(engine));
    }
    for (let i = 0; i < 20; i++) {
      engine.apply([put('Pods', makePod(i, {...size, version: i + 1}))]);
      engine.apply([put('Pods', makePod(i, size), 'delete')]);
    }
    const now = await until(async () => {
      const items = await workloads(engine);
      return items.total === 30 ? items : undefined;
    });
    const bytes = await engine.export({
      name: 'demo',
      context: 'krtscope-demo',
      server: 'https://127.0.0.1',
      version: '1.36',
    });
    const opened = await openRecording(bytes, {name: 'file:demo', memoryMb: 512});
    running.push(opened);
    expect(opened.recording).toBe(engine.recording);
    expect(opened.redacted).toBe(true);
    expect(opened.session).toEqual({
      name: 'demo',
      context: 'krtscope-demo',
      server: 'https://127.0.0.1',
      version: '1.36',
    });
    const plain = ({items}: Items) =>
      items.map(({key, value, outcome, inputs}) => ({key, value, outcome, inputs}));
    expect(plain(await workloads(opened as unknown as TestEngine))).toEqual(plain(now));
    expect(plain(await workloads(opened as unknown as TestEngine, past))).toEqual(plain(then));
    const graph = await ask<Graph>(opened, {ask: 'graph'});
    for (const one of seen) {
      expect(plain(await nodes(opened, one.sequence))).toEqual(plain(one));
      expect(plain(await nodes(engine, one.sequence))).toEqual(plain(one));
    }
    expect(plain(await nodes(opened))).toEqual(plain(await nodes(engine)));
    const ends = ({edges}: Graph) => edges.map(({from, to, kind}) => `${from} ${kind} ${to}`).sort();
    expect(ends(graph)).toEqual(ends(await ask<Graph>(engine, {ask: 'graph'})));
    const question = {ask: 'why', collection: 'Workloads', key: 'ns-1/pod-29'} as const;
    expect((await ask<{sentence: string}>(opened, question)).sentence).toBe(
      (await ask<{sentence: string}>(engine, question)).sentence,
    );
  });

  test('is refused in words when it is cut off, of another version, or something else', async () => {
    const engine = await withCluster(5);
    const bytes = await engine.export();
    const refusal = (file: Uint8Array) =>
      openRecording(file, {name: 'f', memoryMb: 256}).then(
        () => '',
        (failure: EngineFailure) => `${failure.code}: ${failure.message}`,
      );
    expect(await refusal(bytes.subarray(0, bytes.byteLength - 20))).toMatch(
      /^bad-query: this recording is cut off/,
    );
    expect(await refusal(Buffer.from('krtrec 9\n....'))).toMatch(/version 9/);
    expect(await refusal(readFileSync(new URL(import.meta.url)))).toMatch(/not a krtscope recording/);
  });
});

test('the process ends when its channel to main closes', async () => {
  const engine = engineFor();
  await ask(engine, {ask: 'kept'});
  const {pid} = engine;
  await engine.stop();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('the process ends when main is killed', async () => {
  const module = new URL('./testing-engine.ts', import.meta.url).href;
  const script = `const {engineFor, ask} = await import('${module}');
    const engine = engineFor();
    await ask(engine, {ask: 'kept'});
    console.log(engine.pid);`;
  const main = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>(resolve =>
    main.stdout.once('data', text => resolve(Number(String(text)))),
  );
  expect(() => process.kill(pid, 0)).not.toThrow();
  main.kill('SIGKILL');
  await until(async () => (isGone(pid) ? true : undefined), 10_000);
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

test('a process that ends again and again: it says how often and how, and starts at once when asked', async () => {
  const engine = await withCluster(20);
  let killed = 0;
  const trouble = await until(async () => {
    if (engine.pid !== killed) {
      killed = engine.pid;
      process.kill(killed, 'SIGKILL');
    }
    return engine.trouble;
  });
  expect(trouble.ends).toBeGreaterThan(1);
  expect(trouble.reason).toContain('SIGKILL');
  engine.restartNow();
  await until(async () => (engine.state === 'ready' ? true : undefined));
  expect(engine.trouble).toBeUndefined();
  expect((await workloads(engine)).total).toBeGreaterThan(0);
});
