// The cluster over HTTPS: first requests, access rights, and the end of the process.
import {type ChildProcess, fork} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {FromCluster} from './main.ts';
import {listAt, stringAt} from './object/stored-object.ts';
import {type EmbeddedCluster, startCluster} from './start.ts';
import {eventually, TestHttpsClient} from './testing-https-client.ts';

let cluster: EmbeddedCluster;
let wire: TestHttpsClient;

beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0});
  wire = new TestHttpsClient(cluster);
});

afterAll(() => cluster.stop());

const names = (body: unknown) => listAt(body, 'items').map(item => stringAt(item, 'metadata', 'name'));

describe('the shop', () => {
  test('is there from the first request, behind a certificate that the CA vouches for', async () => {
    const {code, body} = await wire.get('/api/v1/pods');
    expect(code).toBe(200);
    expect(names(body)).toHaveLength(42);
    expect(names((await wire.get('/api/v1/services')).body).length).toBeGreaterThanOrEqual(12);
    expect(names((await wire.get('/api/v1/nodes')).body)).toEqual(['node-a', 'node-b', 'node-c']);
  });

  test('holds what is worth finding', async () => {
    const selected = async (label: string) =>
      names((await wire.get(`/api/v1/namespaces/shop/pods?labelSelector=${encodeURIComponent(label)}`)).body);
    expect(await selected('app=recommendations')).toEqual([]);
    expect(await selected('app=catlog')).toHaveLength(1);
    const waits = await wire.get('/api/v1/namespaces/ops/pods/report-nightly');
    expect(stringAt(waits.body, 'status', 'phase')).toBe('Pending');
    expect(await selected('app=catalog')).toHaveLength(3);
    const {body} = await wire.get('/api/v1/namespaces/shop/pods?labelSelector=app%3Dpayments');
    const waiting = listAt(body, 'items').map(pod =>
      stringAt(listAt(pod, 'status', 'containerStatuses')[0], 'state', 'waiting', 'reason'),
    );
    expect(waiting.filter(reason => reason === 'CrashLoopBackOff')).toHaveLength(1);
  });

  test('labels and annotations of a Pod alone: the short way ends where the long one does', async () => {
    const [path, other] = names(
      (await wire.get('/api/v1/namespaces/data/pods?labelSelector=app%3Dredis')).body,
    ).map(name => `/api/v1/namespaces/data/pods/${name}`);
    const before = (await wire.get(path!)).body;
    const labels = {tick: '1', tier: null};
    const short = await wire.patch(`${path}?fieldManager=a`, {metadata: {labels, annotations: {note: 'x'}}});
    // Naming an unchanged field of the spec makes the server compare the whole object.
    const long = await wire.patch(`${other}?fieldManager=a`, {
      metadata: {labels, annotations: {note: 'x'}},
      spec: {restartPolicy: 'Always'},
    });
    expect([short.code, long.code]).toEqual([200, 200]);
    expect(short.body.spec).toEqual(before.spec);
    expect(short.body.status).toEqual(before.status);
    const meta = (body: unknown) => (body as {metadata: Record<string, unknown>}).metadata;
    expect(meta(short.body).labels).toMatchObject({app: 'redis', tick: '1'});
    expect(meta(short.body).labels).not.toHaveProperty('tier');
    expect(meta(short.body).generation).toBe(meta(before).generation);
    const owned = (body: unknown) =>
      listAt(body, 'metadata', 'managedFields').filter(entry => stringAt(entry, 'manager') === 'a');
    const fields = (body: unknown) => owned(body).map(entry => (entry as {fieldsV1: unknown}).fieldsV1);
    expect(fields(short.body)).toEqual(fields(long.body));
    const wrong = await wire.patch(path!, {metadata: {labels: {'no good': 'x'}}});
    expect(wrong.code).toBe(422);
    expect((await wire.patch(path!, {metadata: {labels: {tick: '1'}}})).body).toEqual(short.body);
  });

  test('is the same for the same seed', async () => {
    const other = await startCluster({seed: 1, pace: 0});
    const third = await startCluster({seed: 2, pace: 0});
    const pods = async (c: EmbeddedCluster) => names((await new TestHttpsClient(c).get('/api/v1/pods')).body);
    const mine = await pods(cluster);
    expect(await pods(other)).toEqual(mine);
    expect(await pods(third)).not.toEqual(mine);
    await Promise.all([other.stop(), third.stop()]);
  });

  test('grows to any number of Pods', async () => {
    const large = await startCluster({pace: 0, pods: 2500});
    const {body} = await new TestHttpsClient(large).get('/api/v1/pods?limit=1');
    expect(1 + Number((body.metadata as {remainingItemCount: number}).remainingItemCount)).toBe(2500);
    await large.stop();
  });

  test('stands still at pace 0 and lives when told to', async () => {
    const quiet = await startCluster({seed: 3, pace: 0});
    const {storage} = quiet.api;
    await new Promise(resolve => setTimeout(resolve, 300));
    const before = storage.revision;
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(storage.revision).toBe(before);
    quiet.setPace(100);
    await eventually(async () => expect(storage.revision).toBeGreaterThan(before + 20));
    await quiet.stop();
  });
});

describe('access', () => {
  test('a wrong token gets 401 as a Status', async () => {
    const {code, body} = await new TestHttpsClient(cluster, 'wrong').get('/api/v1/pods');
    expect([code, body.kind, body.reason]).toEqual([401, 'Status', 'Unauthorized']);
  });

  test('the second user may nothing until a binding says so', async () => {
    const user = new TestHttpsClient(cluster, cluster.userToken);
    const refused = await user.get('/api/v1/namespaces/shop/pods');
    expect([refused.code, refused.body.message]).toEqual([
      403,
      'pods is forbidden: User "krtscope-user" cannot list resource "pods" in API group "" in the namespace "shop"',
    ]);
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop';
    await wire.post(`${rbac}/roles`, {
      metadata: {name: 'see'},
      rules: [{verbs: ['list'], apiGroups: [''], resources: ['pods']}],
    });
    await wire.post(`${rbac}/rolebindings`, {
      metadata: {name: 'see'},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'see'},
      subjects: [{kind: 'User', name: 'krtscope-user'}],
    });
    expect((await user.get('/api/v1/namespaces/shop/pods')).code).toBe(200);
    expect((await user.get('/api/v1/namespaces/web/pods')).code).toBe(403);
  });
});

test('an apply that would make the object needs the right to create it, too', async () => {
  const user = new TestHttpsClient(cluster, cluster.userToken);
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/ops';
  await wire.post(`${rbac}/roles`, {
    metadata: {name: 'patch'},
    rules: [{verbs: ['patch'], apiGroups: [''], resources: ['configmaps']}],
  });
  await wire.post(`${rbac}/rolebindings`, {
    metadata: {name: 'patch'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'patch'},
    subjects: [{kind: 'User', name: 'krtscope-user'}],
  });
  const path = '/api/v1/namespaces/ops/configmaps/applied';
  const body = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'applied'}, data: {a: 'b'}};
  const apply = (who: TestHttpsClient) =>
    who.send('PATCH', `${path}?fieldManager=a`, JSON.stringify(body), 'application/apply-patch+yaml');
  const refused = await apply(user);
  expect([refused.code, refused.body.message]).toEqual([
    403,
    'configmaps "applied" is forbidden: User "krtscope-user" cannot create resource "configmaps" in API group "" in the namespace "ops"',
  ]);
  expect((await apply(wire)).code).toBe(201);
  expect((await apply(user)).code).toBe(200);
});

test('logs and exec are refused with a reason', async () => {
  const [pod] = names((await wire.get('/api/v1/namespaces/shop/pods?limit=1')).body);
  const {code, body} = await wire.get(`/api/v1/namespaces/shop/pods/${pod}/log`);
  expect([code, body.reason]).toEqual([501, 'NotImplemented']);
});

test('CEL that is missing here is named in a warning', async () => {
  const rule = {
    type: 'object',
    'x-kubernetes-validations': [{rule: '[?self.?a] == ["x"]'}],
    properties: {a: {type: 'string'}},
  };
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec: rule}}};
  const answer = await wire.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: {name: 'ruled.example.org'},
    spec: {
      group: 'example.org',
      scope: 'Cluster',
      names: {plural: 'ruled', kind: 'Ruled'},
      versions: [{name: 'v1', served: true, storage: true, schema}],
    },
  });
  expect(answer.code).toBe(201);
  expect(answer.warning).toContain('so this rule is not evaluated');
});

describe('the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-cluster-'));
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  function start(): Promise<{child: ChildProcess; ready: Exclude<FromCluster, {type: 'program'}>}> {
    const child = fork(new URL('./main.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    });
    const ready = new Promise<Exclude<FromCluster, {type: 'program'}>>(resolve =>
      child.on('message', message => {
        const said = message as FromCluster;
        if (said.type !== 'program') resolve(said);
      }),
    );
    child.send({type: 'start', options: {dataDir: folder, pace: 0}});
    return ready.then(message => ({child, ready: message}));
  }

  test('answers with its address, writes a kubeconfig for its owner alone, and ends with its channel', async () => {
    const {child, ready} = await start();
    if (ready.type !== 'ready') throw new Error(ready.message);
    const file = join(folder, 'cluster', 'kubeconfig');
    expect(ready.kubeconfigFile).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('current-context: krtscope-demo');
    expect((await new TestHttpsClient(ready).get('/readyz')).body.text).toBe('ok');
    const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
    child.disconnect();
    expect(await ended).toBe(0);
  });
});
