// Sessions over a real kubeconfig and a real API: opened, limited to namespaces, recorded, closed.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {type AddressInfo, connect as connectTo, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Items} from '@krtscope/shared/items.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../cluster/start.ts';
import {parseConfig} from '../config.ts';
import type {OpenSession} from '../engine/link/session.ts';
import {connect} from '../kube/client/connect.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {resources} from '../kube/resource.ts';
import {descendants, survivors} from '../start/testing-instance.ts';
import {SessionList} from './session-list.ts';

let cluster: EmbeddedCluster;
let sessions: SessionList;
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-sessions-'));
beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0, dataDir});
  const policy = join(dataDir, 'policy.yaml');
  writeFileSync(policy, 'fields: {ConfigMap: [data.contact]}\n');
  const args = ['--kubeconfig', cluster.kubeconfigFile ?? '', '--data-dir', dataDir, '--redact', policy];
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

test('kubectl’s copy of an object is not even named, and the field of --redact is hidden', async () => {
  const session = sessions.first();
  await settled(session);
  const config = readKubeconfig([cluster.kubeconfigFile ?? '']);
  const kubectl = connect({config, context: config.currentContext ?? '', readOnly: false});
  const annotations = {'kubectl.kubernetes.io/last-applied-configuration': '{"data":{}}'};
  const metadata = {name: 'applied', namespace: 'default', annotations};
  await kubectl.create(
    resources.ConfigMaps,
    {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {a: 'b', contact: 'ann of shop'}},
    {fieldManager: 'kubectl-client-side-apply'},
  );
  for (let n = 0; n < 200 && !(await keys(session, 'ConfigMaps')).includes('default/applied'); n++)
    await new Promise(resolve => setTimeout(resolve, 25));
  const why = await session.link.ask({ask: 'why', collection: 'ConfigMaps', key: 'default/applied'});
  expect(JSON.stringify(why)).toContain('"data.a"');
  expect(JSON.stringify(why)).not.toContain('last-applied');
  const {items} = (await session.link.ask({ask: 'items', collection: 'ConfigMaps', limit: 1000})) as Items;
  const hidden = {a: 'b', contact: expect.stringMatching(/^redacted:[0-9a-f]{8}$/)};
  expect(items.find(({key}) => key === 'default/applied')?.value).toMatchObject({data: hidden});
});

test('a cluster that answers only later says its version then', async () => {
  const target = Number(new URL(cluster.url).port);
  const gate = createServer(socket => {
    const inner = connectTo(target, '127.0.0.1');
    socket.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => socket.destroy()).pipe(socket);
  });
  const listen = (port: number) =>
    new Promise<number>(resolve => {
      gate.listen(port, '127.0.0.1', () => resolve((gate.address() as AddressInfo).port));
    });
  const port = await listen(0);
  await new Promise(resolve => gate.close(resolve));
  const file = join(dataDir, 'late');
  const text = readFileSync(cluster.kubeconfigFile ?? '', 'utf8');
  writeFileSync(file, text.replace(`127.0.0.1:${target}`, `127.0.0.1:${port}`));
  const late = new SessionList(parseConfig(['--kubeconfig', file, '--data-dir', dataDir], {}).config, 'test');
  try {
    const {session} = await late.chooseFirst({});
    for (let n = 0; n < 200 && session.describe().connection.state !== 'unreachable'; n++)
      await new Promise(resolve => setTimeout(resolve, 25));
    expect(session.describe()).toMatchObject({cluster: {version: ''}, connection: {state: 'unreachable'}});
    await listen(port);
    session.retry();
    await settled(session);
    for (let n = 0; n < 100 && session.describe().cluster.version === ''; n++)
      await new Promise(resolve => setTimeout(resolve, 25));
    expect(session.describe().cluster.version).toMatch(/^v1\./);
  } finally {
    await late.stop();
    gate.close();
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

test('two that are asked for at once in one place: one stands, the other has ended', async () => {
  const [one, other] = await Promise.all([
    sessions.open({context: 'krtscope-demo', namespaces: ['shop']}),
    sessions.open({context: 'krtscope-demo', namespaces: ['data']}),
  ]);
  const standing = sessions.first();
  expect(sessions.list()).toEqual([standing]);
  const ended = standing === one ? other : one;
  expect(ended).not.toBe(standing);
  await expect(ended.link.ask({ask: 'graph'})).rejects.toMatchObject({code: expect.any(String)});
  await sessions.open({context: 'krtscope-demo', namespaces: ['data']});
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
  const tried = await file.formulas.preview({code: '(ctx, pod) => ({of: pod.metadata.name})', input: 'Pods'});
  expect(tried).toMatchObject({total: (await keys(file, 'Pods')).length, failed: 0});
  let ended = 0;
  file.onEnd(() => ended++);
  expect(await sessions.close('file:a.krtrec')).toBe(true);
  expect(ended).toBe(1);
  await expect(sessions.close('krtscope-demo')).rejects.toThrow('only open session');
});

test.runIf(process.platform === 'linux')(
  'while a file is being opened, everybody else is answered: it is read in a process of its own',
  async () => {
    const live = sessions.first();
    await settled(live);
    const recording = await live.record();
    const before = new Set(descendants(process.pid));
    let opened = false;
    const opening = sessions.open({recording, name: 'slow.krtrec'}).then(session => {
      opened = true;
      return session;
    });
    // As slow as possible: it waits until all others have their answers.
    const its = descendants(process.pid).filter(pid => !before.has(pid));
    expect(its.length).toBeGreaterThan(0);
    for (const pid of its) process.kill(pid, 'SIGSTOP');
    try {
      expect(sessions.list()).toEqual([live]);
      expect(sessions.opening()).toEqual([{name: 'slow.krtrec', share: 0}]);
      expect((await live.ready()).ready).toBe(true);
      for (const collection of ['Pods', 'Workloads', 'Services'])
        expect((await keys(live, collection)).length).toBeGreaterThan(0);
      expect((await live.record()).byteLength).toBeGreaterThan(1000);
      expect(opened).toBe(false);
    } finally {
      for (const pid of its) process.kill(pid, 'SIGCONT');
    }
    const file = await opening;
    expect(sessions.opening()).toEqual([]);
    expect(await keys(file, 'Workloads')).toEqual(await keys(live, 'Workloads'));
    expect(await sessions.close(file.name)).toBe(true);
  },
);

test.runIf(process.platform === 'linux')(
  'a file that is being opened ends with everything else',
  async () => {
    const live = sessions.first();
    await settled(live);
    const recording = await live.record();
    const before = new Set(descendants(process.pid));
    const other = new SessionList(parseConfig(['--data-dir', dataDir], {}).config, 'test');
    const refused = expect(other.open({recording, name: 'slow.krtrec'})).rejects.toThrow('session is closed');
    const its = descendants(process.pid).filter(pid => !before.has(pid));
    for (const pid of its) process.kill(pid, 'SIGSTOP');
    await other.stop();
    await refused;
    expect(other.opening()).toEqual([]);
    expect(await survivors(its)).toEqual([]);
  },
);

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
