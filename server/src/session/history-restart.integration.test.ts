// History on disk: what was recorded before a restart of krtscope is there after it.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../cluster/start.ts';
import {TestInstance} from '../start/testing-instance.ts';

let cluster: EmbeddedCluster;
let folder: string;
const running: TestInstance[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-history-'));
  cluster = await startCluster({seed: 1, pace: 0, dataDir: folder});
});

afterAll(async () => {
  for (const instance of running) await instance.stop('SIGKILL');
  await cluster.stop();
  rmSync(folder, {recursive: true, force: true});
});

function start(...flags: string[]): TestInstance {
  const config = cluster.kubeconfigFile as string;
  const instance = new TestInstance(
    ['--kubeconfig', config, '--no-open', '--port', '0', '--data-dir', join(folder, 'data'), ...flags],
    {home: mkdtempSync(join(tmpdir(), 'krtscope-home-'))},
  );
  running.push(instance);
  return instance;
}

const session = (instance: TestInstance) => instance.json<SessionAnswer>('/api/v1/session');

async function until<T>(get: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const value = await get();
    if (isDone(value)) return value;
    if (Date.now() > end) throw new Error(`never: ${JSON.stringify(value).slice(0, 1500)}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function label(name: string, value: string): Promise<void> {
  const path = `/api/v1/namespaces/shop/services/${name}`;
  await cluster.wire.request({
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body: {metadata: {labels: {step: value}}},
  });
}

interface ServiceRow {
  value: {metadata: {labels?: Record<string, string>}};
}

const service = (instance: TestInstance, name: string, at?: number) =>
  instance.json<ServiceRow>(
    `/api/v1/collections/Services/items/${encodeURIComponent(`shop/${name}`)}${at === undefined ? '' : `?at=${at}`}`,
  );

const stepOf = (row: ServiceRow) => row.value.metadata.labels?.step;

test('after a kill the recording goes on: the same id, later numbers, a gap, and every earlier answer', async () => {
  const first = start();
  await first.ready();
  await label('cart', 'one');
  await until(
    () => service(first, 'cart'),
    row => stepOf(row) === 'one',
  );
  const before = (await session(first)).kept.newest.sequence;
  await label('cart', 'two');
  await until(
    () => service(first, 'cart'),
    row => stepOf(row) === 'two',
  );
  const {id, kept} = await until(
    () => session(first),
    answer => answer.kept.disk.state === 'writing' && answer.kept.newest.sequence > before,
  );
  await new Promise(resolve => setTimeout(resolve, 1100));
  first.child.kill('SIGKILL');
  await first.ended;
  await label('cart', 'three');

  const second = start();
  await second.ready();
  const after = await session(second);
  expect(after.id).toBe(id);
  expect(after.kept.newest.sequence).toBeGreaterThan(kept.newest.sequence);
  expect(stepOf(await service(second, 'cart'))).toBe('three');
  expect(stepOf(await service(second, 'cart', before))).toBe('one');
  expect(stepOf(await service(second, 'cart', kept.newest.sequence))).toBe('two');
  const {gaps} = await second.json<Timeline>('/api/v1/timeline');
  expect(gaps.map(gap => gap.text)).toContainEqual(
    expect.stringMatching(/^krtscope was not running for \d+ s\./),
  );

  const third = start();
  await third.ready();
  const beside = await session(third);
  expect(beside.kept.disk.state).toBe('read-only');
  expect(beside.kept.disk.reason).toMatch(/^another krtscope writes the history of this cluster to /);
  expect(beside.id).not.toBe(id);
  expect(stepOf(await service(third, 'cart'))).toBe('three');
  await third.stop();
  await second.stop();
}, 120_000);

test('moments that left the memory are answered from disk, also after a restart and without the cluster', async () => {
  const first = start('--history-runs', '400');
  await first.ready();
  const moments: {sequence: number; step: string}[] = [];
  for (let n = 0; n < 60; n++) {
    const step = `n${n}`;
    await label('cart', step);
    await until(
      () => service(first, 'cart'),
      row => stepOf(row) === step,
    );
    moments.push({sequence: (await session(first)).kept.newest.sequence, step});
    for (const name of ['orders', 'payments', 'catalog']) await label(name, step);
  }
  const {id, kept} = await until(
    () => session(first),
    ({kept: {hot, oldest}}) =>
      hot.oldest.sequence > (moments[20]?.sequence ?? 0) && oldest.sequence < (moments[0]?.sequence ?? 0),
  );
  expect(kept.hot.oldest.sequence).toBeGreaterThan(kept.oldest.sequence);
  const check = async (instance: TestInstance, name = '') => {
    for (const {sequence, step} of [moments[1], moments[7], moments[40], moments[59]].filter(
      one => one !== undefined,
    )) {
      const path = `/api/v1/collections/Services/items/shop%2Fcart?at=${sequence}${name}`;
      expect([sequence, stepOf(await instance.json<ServiceRow>(path))]).toEqual([sequence, step]);
    }
    const why = await instance.json<{sentence: string}>(
      `/api/v1/why/Services/shop%2Fcart?at=${moments[7]?.sequence}${name}`,
    );
    expect(JSON.stringify(why)).toContain('n7');
  };
  await check(first);
  const from = kept.oldest.time;
  const line = await first.json<Timeline>(`/api/v1/timeline?from=${from}&buckets=50`);
  expect(line.buckets.reduce((sum, {writes}) => sum + writes, 0)).toBeGreaterThan(200);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = start('--history-runs', '400');
  await second.ready();
  expect((await session(second)).id).toBe(id);
  await check(second);
  await second.stop();

  const third = new TestInstance(
    ['--demo', '--demo-pace', '0', '--no-open', '--port', '0', '--data-dir', join(folder, 'data')],
    {home: mkdtempSync(join(tmpdir(), 'krtscope-home-'))},
  );
  running.push(third);
  await third.ready();
  const {recordings} = await third.json<{recordings: {id: string; kind: string}[]}>('/api/v1/recordings');
  expect(recordings.find(one => one.id === id)?.kind).toBe('live');
  const opened = await third.get('/api/v1/sessions', {method: 'POST', body: JSON.stringify({recording: id})});
  expect(opened.status, await opened.clone().text()).toBe(201);
  const {name} = (await opened.json()) as SessionAnswer;
  await check(third, `&session=${encodeURIComponent(name)}`);
}, 180_000);
