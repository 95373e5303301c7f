// History on disk: what was recorded before a restart of krtscope is there after it.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
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

test('after a kill the recording goes on, and another krtscope opens it without the cluster', async () => {
  const first = start();
  await first.ready();
  await label('cart', 'one');
  await until(
    () => service(first, 'cart'),
    row => stepOf(row) === 'one',
  );
  const before = (await session(first)).kept.newest.sequence;
  const added = await first.get('/api/v1/bookmarks', {
    method: 'POST',
    body: JSON.stringify({name: 'one', sequence: before}),
  });
  expect(added.status).toBe(201);
  await label('cart', 'two');
  await until(
    () => service(first, 'cart'),
    row => stepOf(row) === 'two',
  );
  const {id, kept} = await session(first);
  expect(kept.disk.state).toBe('writing');
  // What settled is on disk within the second.
  await until(
    () => first.json<{recordings: StoredRecording[]}>('/api/v1/recordings'),
    ({recordings}) =>
      recordings.some(one => one.id === id && (one.newest?.sequence ?? 0) >= kept.newest.sequence),
  );
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
  expect(await second.json('/api/v1/bookmarks')).toMatchObject({
    bookmarks: [{name: 'one', sequence: before}],
  });
  await second.stop();

  const third = new TestInstance(
    ['--demo', '--demo-pace', '0', '--no-open', '--port', '0', '--data-dir', join(folder, 'data')],
    {home: mkdtempSync(join(tmpdir(), 'krtscope-home-'))},
  );
  running.push(third);
  await third.ready();
  const listed = await third.json<{recordings: StoredRecording[]}>('/api/v1/recordings');
  expect(listed.recordings.find(one => one.id === id)?.kind).toBe('live');
  const opened = await third.get('/api/v1/sessions', {method: 'POST', body: JSON.stringify({recording: id})});
  expect(opened.status, await opened.clone().text()).toBe(201);
  const {name} = (await opened.json()) as SessionAnswer;
  const path = `/api/v1/collections/Services/items/shop%2Fcart?at=${before}&session=${encodeURIComponent(name)}`;
  expect(stepOf(await third.json<ServiceRow>(path))).toBe('one');
  const remove = () => third.get(`/api/v1/recordings/${id}`, {method: 'DELETE'});
  const refused = await remove();
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('its session is open'),
  ]);
  await third.get(`/api/v1/sessions?session=${encodeURIComponent(name)}`, {method: 'DELETE'});
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
}, 120_000);
