// Sessions over a real kubeconfig and a real API: opened, narrowed to namespaces, recorded, closed.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Items} from '@krtscope/shared/items.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Cluster, startCluster} from '../cluster/start.ts';
import {parseConfig} from '../config.ts';
import type {OpenSession} from '../engine/link/session.ts';
import {SessionList} from './session-list.ts';

let cluster: Cluster;
let sessions: SessionList;
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-sessions-'));
beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0, dataDir});
  const args = ['--kubeconfig', cluster.kubeconfigFile ?? '', '--data-dir', dataDir];
  sessions = new SessionList(parseConfig(args, {}).config, 'test');
  await sessions.chooseFirst({});
});
afterAll(async () => {
  await sessions.stop();
  await cluster.stop();
  rmSync(dataDir, {recursive: true});
});

async function settled(session: OpenSession): Promise<void> {
  for (let n = 0; n < 300 && !(await session.ready()).ready; n++)
    await new Promise(resolve => setTimeout(resolve, 50));
  expect(await session.ready()).toEqual({ready: true, reasons: []});
}

async function keys(session: OpenSession, collection: string): Promise<string[]> {
  const {items} = (await session.link.ask({ask: 'items', collection, limit: 1000})) as Items;
  return items.map(item => item.key);
}

test('the first is the kubeconfig’s context, live and read-only', async () => {
  const session = sessions.first();
  await settled(session);
  expect(session.describe()).toMatchObject({
    name: 'krtscope-demo',
    cluster: {kind: 'live', context: 'krtscope-demo'},
    readOnly: true,
    connection: {state: 'connected'},
    namespaces: [],
  });
  expect((await keys(session, 'Pods')).length).toBeGreaterThan(40);
});

test('no secret reaches the engine process', async () => {
  const session = sessions.first();
  await settled(session);
  const {items} = (await session.link.ask({ask: 'items', collection: 'Secrets', limit: 1000})) as Items;
  expect(items.length).toBeGreaterThan(0);
  for (const {value} of items) {
    for (const text of Object.values((value as {data?: Record<string, string>}).data ?? {})) {
      expect(text).toMatch(/^redacted:[0-9a-f]{8}$/);
    }
  }
});

test('the same context with namespaces shows those alone, in the place of the one before', async () => {
  const narrow = await sessions.open({context: 'krtscope-demo', namespaces: ['data']});
  await settled(narrow);
  expect(sessions.list()).toEqual([narrow]);
  expect(sessions.first()).toBe(narrow);
  expect(narrow.describe().namespaces).toEqual(['data']);
  expect((await keys(narrow, 'Pods')).every(key => key.startsWith('data/'))).toBe(true);
  expect(await keys(narrow, 'Namespaces')).toEqual(['data']);
  expect(await keys(narrow, 'Nodes')).toHaveLength(3);
  expect(await sessions.open({context: 'krtscope-demo', namespaces: ['data']})).toBe(narrow);
});

test('a recording opens beside it and closes again; the last session stays', async () => {
  const live = sessions.first();
  await settled(live);
  const file = await sessions.open({recording: await live.record(), name: 'a.krtrec'});
  expect(file.describe()).toMatchObject({
    name: 'file:a.krtrec',
    cluster: {kind: 'recording'},
    redacted: true,
  });
  expect(await keys(file, 'Workloads')).toEqual(await keys(live, 'Workloads'));
  expect(await sessions.close('file:a.krtrec')).toBe(true);
  await expect(sessions.close('krtscope-demo')).rejects.toThrow('only open session');
});

test('an unknown context and a file that is no recording are refused in words', async () => {
  await expect(sessions.open({context: 'nope'})).rejects.toMatchObject({code: 'unknown-session'});
  const bytes = new TextEncoder().encode('not a recording');
  await expect(sessions.open({recording: bytes, name: 'x'})).rejects.toMatchObject({code: 'bad-query'});
});

test('the demo, asked for twice at once, is one session', async () => {
  const [one, other] = await Promise.all([sessions.open({demo: true}), sessions.open({demo: true})]);
  expect(other).toBe(one);
  expect(one.describe()).toMatchObject({name: 'demo', cluster: {kind: 'demo'}});
  expect(await sessions.close('demo')).toBe(true);
});
