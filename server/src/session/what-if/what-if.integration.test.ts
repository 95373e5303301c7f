// What if over a real session: an API server, an engine process and a copy of the graph.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Incidents, incidentsSchema} from '@krtscope/shared/incidents.ts';
import type {ItemDetail, Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {
  type EditInput,
  type WhatIf,
  whatIfRequestSchema,
  whatIfSchema,
} from '@krtscope/shared/what-if/what-if.ts';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../../cluster/start.ts';
import {parseConfig} from '../../config.ts';
import type {OpenSession} from '../../engine/link/session.ts';
import {connect} from '../../kube/client/connect.ts';
import type {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {readKubeconfig} from '../../kube/credentials/kubeconfig.ts';
import {resources} from '../../kube/resource.ts';
import type {Session} from '../session.ts';
import {SessionList} from '../session-list.ts';
import {WhatIfService} from './what-if-service.ts';

interface SliceValue {
  endpoints?: unknown[] | null;
}

let cluster: EmbeddedCluster;
let sessions: SessionList;
let session: Session;
let client: DynamicClient;
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-what-if-'));
const redis = {collection: 'Services', key: 'data/redis'};

beforeAll(async () => {
  cluster = await startCluster({seed: 1, pace: 0, dataDir});
  const file = cluster.kubeconfigFile ?? '';
  const args = ['--kubeconfig', file, '--data-dir', dataDir];
  sessions = new SessionList(parseConfig(args, {}).config, 'test');
  await sessions.chooseFirst({});
  session = sessions.first() as Session;
  const config = readKubeconfig([file]);
  client = connect({config, context: config.currentContext ?? 'krtscope-demo', readOnly: false});
  await vi.waitFor(async () => expect(await session.ready()).toMatchObject({ready: true}), 60_000);
});

afterAll(async () => {
  await sessions.stop();
  await client.transport.close();
  await cluster.stop();
  rmSync(dataDir, {recursive: true});
});

async function whatIf(
  edits: EditInput[],
  more: object = {},
  of: Pick<OpenSession, 'whatIf'> = session,
): Promise<WhatIf> {
  return whatIfSchema.parse(await of.whatIf(whatIfRequestSchema.parse({edits, ...more})));
}

function keysOf({collections}: WhatIf): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(collections).map(([name, rows]) => [name, rows.map(({key}) => key)]),
  );
}

async function value<T>(collection: string, key: string): Promise<T> {
  return ((await session.link.ask({ask: 'item', collection, key})) as ItemDetail).value as T;
}

test('a deleted Service: the rows that would go and change, and nothing of it in the session', async () => {
  const {sequence} = (await session.link.ask({ask: 'graph'})) as {sequence: number};
  const answer = await whatIf([{delete: redis}]);
  expect(keysOf(answer)).toMatchObject({
    Services: ['data/redis'],
    ServiceInfos: ['data/redis'],
    Workloads: ['data/redis-0', 'data/redis-1', 'data/redis-2'],
  });
  const [workload] = answer.collections.Workloads ?? [];
  expect(workload).toMatchObject({
    old: {services: ['redis']},
    new: {services: []},
    run: {outcome: 'changed', causes: [{kind: 'fetch', collection: 'Services', key: 'data/redis'}]},
  });
  expect(answer.notes.at(-1)).toBe('This holds before any controller reacts.');
  expect(await value('Services', 'data/redis')).toMatchObject({metadata: {name: 'redis'}});
  const {sequence: to} = (await session.link.ask({ask: 'graph'})) as {sequence: number};
  expect(await session.link.ask({ask: 'diff', from: sequence, to})).toMatchObject({collections: {}});
  const again = await whatIf([{delete: redis}]);
  expect(again.collections.ServiceInfos).toEqual(answer.collections.ServiceInfos);
  expect(again.runs).toBe(answer.runs);
});

test('the three types of patch, and only the collections that were asked for', async () => {
  const selectors = [
    {patch: {...redis, body: {spec: {selector: {app: 'x'}}}}},
    {patch: {...redis, type: 'strategic' as const, body: {spec: {selector: {app: 'x'}}}}},
    {
      patch: {
        ...redis,
        type: 'json' as const,
        body: [{op: 'replace', path: '/spec/selector/app', value: 'x'}],
      },
    },
  ];
  for (const edit of selectors) {
    const answer = await whatIf([edit], {collections: ['ServiceInfos']});
    expect(Object.keys(answer.collections)).toEqual(['ServiceInfos']);
    expect(answer.collections.ServiceInfos).toMatchObject([
      {key: 'data/redis', old: {pods: 3}, new: {pods: 0, selector: {app: 'x'}}},
    ]);
    expect(answer.incidents.begun).toMatchObject([
      {severity: 'warning', symptoms: [{code: 'selects-nothing', keys: ['data/redis']}]},
    ]);
    expect(answer.incidents.ended).toEqual([]);
  }
});

test('apply is a server-side apply: status and the fields of other managers stay, conflicts are named', async () => {
  const applied = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'catalog', namespace: 'shop'},
    spec: {replicas: 7},
  };
  const [before, answer] = [
    await value<{spec: object; status: object}>('Deployments', 'shop/catalog'),
    await whatIf([{apply: applied}]),
  ];
  const [row] = answer.collections.Deployments ?? [];
  expect(row?.new).toMatchObject({spec: {...before.spec, replicas: 7}, status: before.status});
  expect(answer.notes.join('\n')).toMatch(/Deployment shop\/catalog: other managers own .*spec\.replicas/);
});

test('an apply removes what the same manager stated before and no longer states', async () => {
  const configMap = (data: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'stated', namespace: 'shop'},
    data,
  });
  await client.patch(resources.ConfigMaps, {namespace: 'shop', name: 'stated'}, configMap({a: '1', b: '2'}), {
    type: 'apply',
    fieldManager: 'kubectl',
    force: true,
  });
  await vi.waitFor(async () => expect(await value('ConfigMaps', 'shop/stated')).toBeTruthy(), 20_000);
  const answer = await whatIf([{apply: configMap({a: '1'})}]);
  expect(answer.collections.ConfigMaps).toMatchObject([{key: 'shop/stated', new: {data: {a: '1'}}}]);
  expect((answer.collections.ConfigMaps?.[0]?.new as {data?: object} | undefined)?.data).toEqual({a: '1'});
  expect(keysOf(await whatIf([{apply: configMap({a: '1', b: '2'})}]))).toEqual({});
});

test('several edits are one change; kinds that are no source are skipped in a manifest and refused alone', async () => {
  const role = {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: {name: 'r'}};
  const service = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name, namespace: 'data'},
    spec: {selector: {app: 'redis'}, ports: [{port: 1}]},
  });
  const list = {apiVersion: 'v1', kind: 'List', items: [service('one'), service('two')]};
  const answer = await whatIf([{apply: list}, {apply: role}, {delete: redis}]);
  expect(keysOf(answer).Services).toEqual(['data/one', 'data/redis', 'data/two']);
  expect(answer.collections.Workloads?.[0]?.new).toMatchObject({services: ['one', 'two']});
  expect(answer.notes).toContain('Role r was skipped: rbac.authorization.k8s.io/v1 Role is not a source.');
  await expect(whatIf([{apply: role}])).rejects.toMatchObject({
    code: 'invalid-edit',
    message: expect.stringContaining('Role (rbac.authorization.k8s.io/v1) is not a source'),
  });
});

test('what the API server would refuse is refused, without a word about other fields', async () => {
  const unknown = whatIf([{patch: {...redis, body: {spec: {prt: 1}}}}]);
  await expect(unknown).rejects.toMatchObject({
    code: 'invalid-edit',
    message: 'Service data/redis: strict decoding error: unknown field "spec.prt"',
  });
  await expect(whatIf([{patch: {...redis, body: {spec: {type: 'Foo'}}}}])).rejects.toMatchObject({
    code: 'invalid-edit',
    message: expect.stringContaining('Foo'),
  });
  await expect(whatIf([{delete: {collection: 'Services', key: 'data/none'}}])).rejects.toMatchObject({
    code: 'unknown-key',
    message: 'there is no Service data/none',
  });
  await expect(whatIf([{delete: {collection: 'Workloads', key: 'data/redis-0'}}])).rejects.toMatchObject({
    code: 'invalid-edit',
    message: 'Workloads is computed: its rows cannot be edited',
  });
  await expect(whatIf([{delete: {collection: 'Nope', key: 'a'}}])).rejects.toMatchObject({
    code: 'unknown-collection',
  });
  await expect(whatIf([])).rejects.toMatchObject({code: 'bad-query'});
});

test('secrets: a copied placeholder means the same value, another one is refused, a new one is hidden', async () => {
  const {items} = (await session.link.ask({ask: 'items', collection: 'Secrets', limit: 10})) as Items;
  const secret = items.find(({value: one}) => Object.keys((one as {data?: object}).data ?? {}).length > 0);
  if (secret === undefined) throw new Error('the shop has no Secret');
  const {metadata, data, kind, apiVersion} = secret.value as {
    kind: string;
    apiVersion: string;
    metadata: {name: string; namespace: string};
    data: Record<string, string>;
  };
  const {name, namespace} = metadata;
  const [field = ''] = Object.keys(data);
  const apply = (changed: object) => ({
    apply: {apiVersion, kind, metadata: {name, namespace, labels: {tried: 'yes'}}, data: changed},
  });
  const same = await whatIf([apply(data)]);
  expect(same.collections.Secrets).toMatchObject([{old: {data}, new: {data}}]);
  await expect(whatIf([apply({[field]: 'redacted:00000000'})])).rejects.toMatchObject({
    code: 'invalid-edit',
    message: `Secret ${namespace}/${name}: data.${field} is a redacted value, not the real one`,
  });
  const fresh = await whatIf([apply({[field]: Buffer.from('hunter2').toString('base64')})]);
  expect(JSON.stringify(fresh)).not.toContain(Buffer.from('hunter2').toString('base64'));
  const hidden = (fresh.collections.Secrets?.[0]?.new as {data?: Record<string, string>} | undefined)?.data?.[
    field
  ];
  expect(hidden).toMatch(/^redacted:[0-9a-f]{8}$/);
  expect(hidden).not.toBe(data[field]);
});

test('the copy follows the session, and a recorded write can be taken back, now and later', async () => {
  await client.patch(
    resources.Services,
    {namespace: 'data', name: 'search'},
    {spec: {selector: {app: 'elsewhere'}}},
    {type: 'merge'},
  );
  await vi.waitFor(
    async () =>
      expect(await value('Services', 'data/search')).toMatchObject({spec: {selector: {app: 'elsewhere'}}}),
    20_000,
  );
  const {sequence} = (await session.link.ask({
    ask: 'item',
    collection: 'Services',
    key: 'data/search',
  })) as ItemDetail;
  const run = (await session.link.ask({ask: 'items', collection: 'Services', limit: 100})) as Items;
  const written = run.items.find(({key}) => key === 'data/search')?.sequence ?? 0;
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThanOrEqual(sequence);
  const undone = await whatIf([{undo: {sequence: written, collection: 'Services', key: 'data/search'}}]);
  expect(undone.collections.Services).toMatchObject([
    {
      key: 'data/search',
      old: {spec: {selector: {app: 'elsewhere'}}},
      new: {spec: {selector: {app: 'search'}}},
    },
  ]);
  await vi.waitFor(async () => {
    const {incidents} = (await session.link.ask({ask: 'incidents', state: 'open'})) as Incidents;
    expect(incidents.some(({symptoms}) => symptoms[0]?.keys.includes('data/search'))).toBe(true);
  }, 20_000);
  const ends = await whatIf([{undo: {sequence: written, collection: 'Services', key: 'data/search'}}]);
  expect(ends.incidents.ended).toMatchObject([{symptoms: [{code: 'selects-nothing'}]}]);

  const earlier = await whatIf([{delete: {collection: 'Services', key: 'data/search'}}], {at: written - 1});
  expect(earlier.sequence).toBe(written - 1);
  expect(earlier.collections.ServiceInfos).toMatchObject([{old: {selector: {app: 'search'}}}]);
  const now = await whatIf([{delete: {collection: 'Services', key: 'data/search'}}]);
  expect(now.collections.ServiceInfos).toMatchObject([{old: {selector: {app: 'elsewhere'}}}]);
});

test('the draft of a formula: its rows, and those of what reads it', async () => {
  const base = {
    name: 'Ready',
    kind: 'one' as const,
    input: 'ServiceInfos',
    code: '(ctx, info) => ({key: info.name, ready: info.ready})',
  };
  await session.formulas.create(base);
  await session.formulas.create({
    name: 'Lacking',
    kind: 'one',
    input: 'Ready',
    code: '(ctx, row) => (row.ready === 0 ? {key: row.key} : undefined)',
  });
  const draft = {...base, code: '(ctx, info) => ({key: info.name, ready: 0})'};
  const answer = await whatIf([], {formulas: [draft]});
  expect(keysOf(answer).Ready?.length).toBeGreaterThan(3);
  expect(keysOf(answer).Lacking).toContain('redis');
  expect(await value('Ready', 'redis')).toMatchObject({ready: 3});
  expect(keysOf(await whatIf([{delete: redis}])).Ready).toEqual(['redis']);
  await expect(whatIf([], {formulas: [{...base, code: '(ctx'}]})).rejects.toMatchObject({
    code: 'bad-formula',
  });
  await session.formulas.remove('Lacking');
  await session.formulas.remove('Ready');
});

test('two users at once; a killed copy and a killed engine process: the next answer is right', async () => {
  const [a, b] = await Promise.all([
    whatIf([{delete: redis}]),
    whatIf([{patch: {...redis, body: {spec: {selector: {app: 'x'}}}}}]),
  ]);
  expect(a.collections.ServiceInfos?.[0]?.new).toBeUndefined();
  expect(b.collections.ServiceInfos?.[0]?.new).toMatchObject({pods: 0});

  const {copyPid} = session;
  process.kill(copyPid as number, 'SIGKILL');
  const after = await whatIf([{delete: redis}]).catch(error => error);
  if (after.code !== undefined) expect(after.message).toMatch(/the copy of the graph ended/);
  const rebuilt = await whatIf([{delete: redis}]);
  expect(rebuilt.collections).toEqual(a.collections);
  expect(session.copyPid).not.toBe(copyPid);
  expect(session.describe().engine).toBe('ready');

  process.kill((session.link as unknown as {pid: number}).pid, 'SIGKILL');
  await vi.waitFor(async () => {
    expect(keysOf(await whatIf([{delete: redis}]))).toEqual(keysOf(a));
  }, 30_000);
});

test('the fix of an incident and of an origin is tried before it is offered; the texts stay', async () => {
  const ref = {namespace: 'data', name: 'redis'};
  const select = (app: string) =>
    client.patch(resources.Services, ref, {spec: {selector: {app}}}, {type: 'merge', fieldManager: 'helm'});
  await select('wrong');
  const asked = {ask: 'origin', collection: 'ServiceInfos', key: 'data/redis', field: 'pods'} as const;
  await vi.waitFor(async () => {
    const plain = (await session.link.ask({ask: 'incidents', state: 'open'})) as Incidents;
    const {incidents} = incidentsSchema.parse(await session.tryIncidentFixes(plain));
    const own = incidents.find(({origin: {fix}}) => fix?.includes('redis'));
    expect(own?.origin.tried).toBe('ends');
    expect(incidents.map(({origin: {tried, ...origin}, ...one}) => ({...one, origin}))).toEqual(
      plain.incidents.map(({origin: {tried, ...origin}, ...one}) => ({...one, origin})),
    );
  }, 30_000);
  const origin = (await session.link.ask(asked)) as Origin;
  expect(origin.fix).toContain('redis');
  expect(await session.tryOriginFix(origin)).toEqual({...origin, tried: 'ends'});
  const other = {...origin, fix: "kubectl -n data annotate service redis note='x' --overwrite"};
  expect(await session.tryOriginFix(other)).toMatchObject({tried: 'does-not-end'});
  expect(await session.tryOriginFix({...origin, fix: 'helm rollback redis'})).toMatchObject({
    tried: 'cannot-try',
  });
  await select('redis');
});

test('react: the controllers of the demo play until nothing changes', async () => {
  const {items} = (await session.link.ask({ask: 'items', collection: 'Deployments', limit: 1})) as Items;
  const {key, value} = items[0] as Items['items'][number];
  const more = (value as {spec: {replicas: number}}).spec.replicas + 2;
  const edit = {patch: {collection: 'Deployments', key, body: {spec: {replicas: more}}}};
  const still = await whatIf([edit]);
  expect(still.collections.Pods).toBeUndefined();
  const answer = await whatIf([edit], {react: true});
  expect(answer.collections.ReplicaSets).toMatchObject([{new: {spec: {replicas: more}}}]);
  expect(answer.collections.Pods?.map(({old}) => old)).toEqual([undefined, undefined]);
  expect(answer.collections.Deployments).toMatchObject([{new: {status: {replicas: more}}}]);
  expect(answer.notes.at(-1)).toMatch(/^krtscope's own Deployment.*until nothing changed \(\d+ rounds\)/);
  expect(answer.notes.join()).not.toContain('failed');
  const gone = await whatIf([{patch: {...redis, body: {spec: {selector: {app: 'x'}}}}}], {react: true});
  const [slice] = gone.collections.EndpointSlices ?? [];
  const endpointsOf = (row: unknown) => (row as SliceValue).endpoints ?? [];
  expect([endpointsOf(slice?.old).length, endpointsOf(slice?.new)]).toEqual([3, []]);
  expect(await whatIf([edit])).toMatchObject({collections: still.collections});
});

test('react: an edit that no controller cares about changes nothing else', async () => {
  const edit = {patch: {...redis, body: {metadata: {annotations: {tried: 'yes'}}}}};
  expect(keysOf(await whatIf([edit], {react: true}))).toEqual(keysOf(await whatIf([edit])));
});

test('an editor that asks for the fields of a kind gets the copy built before its first trial', async () => {
  const before = session.copyPid;
  if (before !== undefined) {
    process.kill(before, 'SIGKILL');
    await vi.waitFor(() => expect(session.copyPid).not.toBe(before), 10_000);
  }
  expect((await session.kindFields('Services')).root?.type).toBe('object');
  // The copy is built in its turn, after the answer.
  await vi.waitFor(() => expect(session.copyPid).toBeGreaterThan(0), 30_000);
  const warm = session.copyPid;
  await whatIf([{delete: redis}]);
  expect(session.copyPid).toBe(warm);
  await expect(session.kindFields('Workloads')).rejects.toMatchObject({code: 'unknown-collection'});
});

test('a copy that is not used is given back', async () => {
  const service = new WhatIfService({
    name: 'test',
    engine: session.link,
    feed: session.feed,
    redact: undefined,
    memoryMb: 512,
    idleMs: 50,
    log: () => {},
  });
  await service.answer(whatIfRequestSchema.parse({edits: [{delete: redis}]}));
  const pid = service.copyPid as number;
  expect(pid).toBeGreaterThan(0);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 10_000);
  expect(service.copyPid).toBeUndefined();
  await service.stop();
});

test('a recording without formulas of its own gives the same answer', async () => {
  const live = await whatIf([{delete: redis}]);
  const opened = await sessions.open({recording: await session.record(), name: 'a.krtrec'});
  const answer = await whatIf([{delete: redis}], {}, opened);
  expect(keysOf(answer)).toEqual(keysOf(live));
  expect(answer.collections.ServiceInfos?.[0]?.old).toEqual(live.collections.ServiceInfos?.[0]?.old);
  await sessions.close(opened.name);
});
