// A kind that stops answering is not current, nor is anything computed from it, until it answers again.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {FaultProxy} from '../../test/fault-proxy.ts';
import {type EmbeddedCluster, startCluster} from '../cluster/start.ts';
import {parseConfig} from '../config.ts';
import type {OpenSession} from '../engine/link/session.ts';
import {connect} from '../kube/client/connect.ts';
import {chooseCluster} from '../kube/credentials/contexts.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {resources} from '../kube/resource.ts';
import {SessionList} from './session-list.ts';

let cluster: EmbeddedCluster;
let proxy: FaultProxy;
let sessions: SessionList;
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-freshness-'));

beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0, dataDir});
  const file = cluster.kubeconfigFile ?? '';
  const config = readKubeconfig([file]);
  const token = [...config.users.values()][0]?.token ?? '';
  const [first] = config.clusters.values();
  const ca = Buffer.from(first?.['certificate-authority-data'] ?? '', 'base64').toString();
  proxy = new FaultProxy({url: cluster.url, token, ca});
  await proxy.start();
  const through = join(dataDir, 'through');
  writeFileSync(through, readFileSync(file, 'utf8').replace(cluster.url, proxy.url));
  const args = ['--kubeconfig', through, '--data-dir', dataDir];
  sessions = new SessionList(parseConfig(args, {}).config, 'test');
  await sessions.chooseFirst({});
});

afterAll(async () => {
  await sessions.stop();
  await proxy.close();
  await cluster.stop();
  rmSync(dataDir, {recursive: true});
});

async function until(session: OpenSession, ready: boolean, says = ''): Promise<string[]> {
  for (let n = 0; n < 400; n++) {
    const answer = await session.ready();
    if (answer.ready === ready && answer.reasons.join('\n').includes(says)) return answer.reasons;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(
    `not ${ready ? 'ready' : 'unready'} in time: ${(await session.ready()).reasons.join('; ')}`,
  );
}

async function fresh(
  session: OpenSession,
): Promise<Record<string, [boolean | undefined, string | undefined]>> {
  const {collections} = (await session.link.ask({ask: 'graph'})) as Graph;
  return Object.fromEntries(collections.map(({name, current, behind}) => [name, [current, behind]]));
}

test('one kind that answers with errors: it and what is computed from it are not current, the rest is', async () => {
  const session = sessions.first();
  await until(session, true);
  for (let n = 0; n < 100 && (await fresh(session)).Pods?.[0] !== true; n++)
    await new Promise(resolve => setTimeout(resolve, 50));
  expect((await fresh(session)).Workloads).toEqual([true, undefined]);
  expect(session.describe()).toMatchObject({current: true, asOf: expect.any(Number)});

  proxy.rules = [
    ({path}) => (path === '/api/v1/pods' ? {kind: 'answer', code: 500, body: 'broken'} : undefined),
  ];
  proxy.resetAll();
  const reasons = await until(session, false, 'Pods is as of');
  expect(reasons.join('\n')).toMatch(/Pods is as of \d{4}-.*Z, and was not updated since/);
  expect(reasons.join('\n')).toMatch(/Workloads is as of .*: Pods is not current/);
  const during = await fresh(session);
  expect(during).toMatchObject({
    Pods: [false, 'Pods'],
    Workloads: [false, 'Pods'],
    Backends: [false, 'Pods'],
  });
  expect(during.ConfigMaps?.[0]).toBe(true);
  expect(session.describe()).toMatchObject({current: false});

  proxy.rules = [];
  expect(await until(session, true)).toEqual([]);
  expect((await fresh(session)).Workloads).toEqual([true, undefined]);
});

test('an engine process that says nothing is not ready, and the answer does not wait for it', async () => {
  const session = sessions.first();
  await until(session, true);
  const {pid} = session.link as unknown as {pid: number};
  process.kill(pid, 'SIGSTOP');
  try {
    const asked = performance.now();
    expect(await session.ready()).toEqual({
      ready: false,
      reasons: ['the engine process has not answered for 800 ms'],
    });
    // A Kubernetes probe waits for one second.
    expect(performance.now() - asked).toBeLessThan(1000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until(session, true);
});

test('a clock that steps by an hour, forward and back: every source asks again, and the timeline says why', async () => {
  const session = sessions.first();
  await until(session, true);
  const real = Date.now;
  let step = 0;
  const shim = vi.spyOn(Date, 'now').mockImplementation(() => real() + step);
  const isCurrent = (asked: number) => () => {
    expect(proxy.seen.slice(asked).some(({path}) => path === '/api/v1/pods')).toBe(true);
    const {current, asOf = 0} = session.describe();
    expect(current).toBe(true);
    expect(Math.abs(asOf - Date.now())).toBeLessThan(30_000);
  };
  try {
    await vi.waitFor(isCurrent(0), {timeout: 20_000, interval: 100});
    for (const ms of [3_600_000, 0]) {
      step = ms;
      await vi.waitFor(isCurrent(proxy.seen.length), {timeout: 20_000, interval: 100});
    }
  } finally {
    shim.mockRestore();
  }
  const to = Date.now() + 7_200_000;
  const {gaps} = (await session.link.ask({ask: 'timeline', buckets: 10, from: 0, to})) as Timeline;
  const texts = gaps.map(gap => gap.text);
  expect(texts).toContain(
    'The clock of this machine stepped forward by 60 min; all sources asked the cluster again.',
  );
  expect(texts).toContain(
    'The clock of this machine stepped back by 60 min; all sources asked the cluster again.',
  );
});

test('an event that a proxy drops is found by a retry, repaired and reported', async () => {
  const session = sessions.first();
  await until(session, true);
  let dropsEvents = false;
  proxy.rules = [
    ({path, watch}) =>
      watch && path === '/api/v1/configmaps'
        ? {kind: 'edit', line: line => (dropsEvents && !line.includes('"BOOKMARK"') ? '' : line)}
        : undefined,
  ];
  proxy.resetAll();
  await until(session, true);
  const client = connect({...chooseCluster({kubeconfig: cluster.kubeconfigFile})!, readOnly: false});
  const metadata = {namespace: 'default', name: 'lost-event'};
  const texts = async () => {
    const {items} = (await session.link.ask({ask: 'items', collection: 'ConfigMaps', limit: 500})) as Items;
    return items.flatMap(({key, value}) =>
      key === 'default/lost-event' ? [(value as {data: {text: string}}).data.text] : [],
    );
  };
  await client.create(resources.ConfigMaps, {metadata, data: {text: 'old'}});
  await vi.waitFor(async () => expect(await texts()).toEqual(['old']), {timeout: 10_000, interval: 100});
  dropsEvents = true;
  await client.patch(resources.ConfigMaps, metadata, {data: {text: 'new'}}, {type: 'merge'});
  session.retry();
  await vi.waitFor(async () => expect(await texts()).toEqual(['new']), {timeout: 30_000, interval: 100});
  const {gaps} = (await session.link.ask({ask: 'timeline', buckets: 10})) as Timeline;
  expect(gaps.map(gap => gap.text)).toContain('the watch of ConfigMaps missed 1 event; repaired');
  proxy.rules = [];
  await client.transport.close();
});
