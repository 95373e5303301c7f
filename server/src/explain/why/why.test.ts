import type {ItemDetail, Items} from '@krtscope/shared/items.ts';
import type {FieldsAnswer, Why} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Nodes: [{metadata: {name: 'n1'}}],
    Services: [service('web', {app: 'web'})],
  });
  r.write({Pods: [pod('web-1'), pod('api-1', {app: 'api'}, {ip: '10.0.0.9'})]});
  return r;
}

const why = (r: TestGraphHost, collection: string, key: string, more = {}) =>
  r.ask<Why>({ask: 'why', collection, key, ...more});

test('names the object, the field and the fetch in one sentence, and who wrote it', () => {
  const r = shop();
  r.write(
    {Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]},
    {manager: 'kubectl-label', operation: 'Update'},
  );
  const answer = why(r, 'Workloads', 'shop/web-1');
  expect(answer.sentence).toBe(
    'Workload shop/web-1 changed because Namespace shop got label istio.io/use-waypoint=wp, written by kubectl-label (matched fetch(Namespaces, key shop)).',
  );
  expect(answer.outcome).toBe('changed');
  expect(answer.causes.map(h => [h.kind, h.collection, h.key])).toEqual([
    ['run', 'Workloads', 'shop/web-1'],
    ['write', 'Namespaces', 'shop'],
  ]);
  expect(answer.causes[0]!.changes).toEqual([{path: 'waypoint', new: 'wp'}]);
  expect(answer.causes[1]!.changes).toEqual([
    {path: 'metadata.labels[istio.io/use-waypoint]', new: 'wp', read: true, needed: true},
  ]);
  expect(answer.causes[1]!.writer?.manager).toBe('kubectl-label');
  expect(answer.parts.some(p => 'code' in p && p.mark === 'changed' && p.code === 'wp')).toBe(true);
});

test('a first run gained all that it fetched, a later one what is new', () => {
  const r = shop();
  const gained = () => why(r, 'Workloads', 'shop/web-1').run?.gained.map(({collection}) => collection);
  const first = why(r, 'Workloads', 'shop/web-1').run?.fetches.map(({collection}) => collection);
  expect([first?.length, gained()]).toEqual([2, first]);
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]});
  expect(gained()).toEqual([]);
});

test('effects go forward and say where each wave stopped', () => {
  const r = shop();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]});
  const {effects, blast} = why(r, 'Workloads', 'shop/web-1');
  expect(effects.find(e => e.collection === 'WorkloadServices')?.stopped?.reason).toBe('equal');
  expect(effects.find(e => e.collection === 'ClusterSummary')?.stopped?.reason).toBe('equal');
  expect(blast.find(b => b.collection === 'Workloads')).toMatchObject({total: 2});
});

test('the chain goes back through several collections to the write', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'web'}, {ip: '10.9.9.9'})]}, {manager: 'kubelet', operation: 'Update'});
  const answer = why(r, 'Backends', 'shop/web/10.9.9.9:80/p80');
  expect(answer.causes.map(h => h.collection)).toEqual([
    'Backends',
    'Endpoints',
    'WorkloadServices',
    'Workloads',
    'Pods',
  ]);
  expect(answer.causes.at(-1)).toMatchObject({kind: 'write', writer: {manager: 'kubelet'}});
  expect(answer.sentence).toContain('the first cause is Pod shop/web-1');
  expect(answer.sentence).toContain('written by kubelet');
});

test('what a join has from the first list goes back to its part, or says that it began', () => {
  const r = createTestGraphHost();
  r.write({
    Namespaces: [namespace('shop')],
    Nodes: [{metadata: {name: 'n1'}}],
    Services: [service('web', {app: 'web'})],
    Pods: [pod('web-1')],
  });
  r.sync();
  const sentences = Array.from(r.records.keys('Backends'), key => why(r, 'Backends', key).sentence);
  expect(sentences.length).toBeGreaterThan(0);
  for (const sentence of sentences)
    expect(sentence).toMatch(/ was added (because its part \S+ \S+ |when its parts had synced)/);
});

test('the chain of the first list goes through every collection back to the write', () => {
  const r = createTestGraphHost();
  r.write(
    {Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]},
    {manager: 'kubelet', operation: 'Update'},
  );
  r.sync();
  const [endpoint] = r.records.keys('Endpoints');
  for (const [collection, key] of [
    ['Workloads', 'shop/web-1'],
    ['WorkloadServices', 'shop/web-1/web'],
    ['Endpoints', endpoint],
    ['Backends', endpoint],
  ] as const) {
    const {causes, sentence} = why(r, collection, key!);
    expect(causes.at(-1), collection).toMatchObject({kind: 'write', collection: 'Pods', key: 'shop/web-1'});
    expect(sentence).toMatch(/Pod shop\/web-1( \(added\))?, written by kubelet\.$/);
  }
  expect(why(r, 'WorkloadServices', 'shop/web-1/web').sentence).toContain(
    '; its input is Workload shop/web-1; the first cause is Pod shop/web-1 (added), written by kubelet',
  );
});

test('a key that is gone answers with outcome deleted, no run and the removal as its cause', () => {
  const r = shop();
  r.write({Pods: ['shop/web-1']});
  const answer = why(r, 'Workloads', 'shop/web-1');
  expect(answer).toMatchObject({outcome: 'deleted', run: null});
  expect(answer.sentence).toBe(
    'Workload shop/web-1 was deleted because its input Pod shop/web-1 was deleted.',
  );
  expect(answer.causes.map(h => [h.collection, h.event])).toEqual([
    ['Workloads', 'delete'],
    ['Pods', 'delete'],
  ]);
});

test('an input without output is explained by its last run', () => {
  const r = shop();
  r.write({Pods: [pod('web-2', {app: 'web'}, {phase: 'Pending'})]});
  const answer = why(r, 'Workloads', 'shop/web-2');
  expect(answer.outcome).toBe('empty');
  expect(answer.sentence).toBe(
    'Workload shop/web-2 is empty: its formula returned nothing. It ran because its input Pod shop/web-2 was added.',
  );
});

test('a source is explained by its write', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'web', tier: 'x'})]}, {manager: 'helm', operation: 'Apply'});
  const answer = why(r, 'Pods', 'shop/web-1');
  expect(answer.sentence).toBe('Pod shop/web-1 got label tier=x, written by helm.');
  expect(answer.run).toBeNull();
  expect(answer.effects.some(e => e.collection === 'Workloads' && e.outcome === 'changed')).toBe(true);
});

test('any recorded moment can be asked about, and one that is not kept is refused with the nearest', () => {
  const r = createTestGraphHost(undefined, {runs: 6, megabytes: 64});
  r.sync();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  const before = r.records.newest();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'a'})]});
  const then = r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'b'})]});
  for (const label of ['c', 'd'])
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': label})]});
  expect(why(r, 'Workloads', 'shop/web-1').sentence).toContain('from c to d');
  if (r.records.oldest() <= then)
    expect(why(r, 'Workloads', 'shop/web-1', {at: then}).sentence).toContain('from a to b');
  for (let i = 0; i < 20; i++)
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': String(i)})]});
  expect(() => why(r, 'Workloads', 'shop/web-1', {at: before})).toThrow(/nearest kept/);
});

test('an item whose batch has rolled off still has its why', () => {
  const r = createTestGraphHost(undefined, {runs: 4, megabytes: 64});
  r.sync();
  r.write({
    Namespaces: [namespace('shop'), namespace('other')],
    Pods: [pod('web-1'), pod('x', {}, {namespace: 'other'})],
  });
  for (let i = 0; i < 30; i++)
    r.write({Namespaces: [namespace('other', {'istio.io/use-waypoint': String(i)})]});
  expect(r.records.oldest()).toBeGreaterThan(3);
  const answer = why(r, 'Workloads', 'shop/web-1');
  expect(answer.run).not.toBeNull();
  expect(answer.sentence).toContain(
    'Workload shop/web-1 was added because its input Pod shop/web-1 was added',
  );
});

test('what changed in the same batch without being a cause is named with the reason', () => {
  const r = shop();
  r.write({
    Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'}), namespace('ops')],
    ConfigMaps: [{metadata: {name: 'c', namespace: 'shop'}}],
  });
  const {together} = why(r, 'Workloads', 'shop/web-1');
  expect(together).toEqual([
    {collection: 'Namespaces', key: 'ops', event: 'add', reason: 'filter miss, key differs'},
    {collection: 'ConfigMaps', key: 'shop/c', event: 'add', reason: 'no dependency recorded'},
  ]);
});

test('a name that does not exist is refused with the nearest one', () => {
  const r = shop();
  expect(() => why(r, 'Workload', 'x')).toThrow(/no collection "Workload"/);
  try {
    why(r, 'Workloads', 'shop/wb-1');
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({code: 'unknown-key', hint: 'did you mean shop/web-1?'});
  }
});

test('a run that a sync woke says so and names the input as it stood', () => {
  const r = createTestGraphHost();
  r.sync('Namespaces', 'Pods');
  r.write(
    {Namespaces: [namespace('shop')], Pods: [pod('web-1'), pod('web-2')]},
    {manager: 'kubelet', operation: 'Update'},
  );
  r.report('Namespaces', {state: 'synced', synced: true});
  r.report('Pods', {state: 'synced', synced: true});
  const answer = why(r, 'Workloads', 'shop/web-1');
  expect(answer.sentence).toBe(
    'Workload shop/web-1 was added because Pods synced, 2 objects; its input is Pod shop/web-1, written by kubelet.',
  );
  expect(answer.causes.map(h => [h.kind, h.collection, h.key, h.text])).toEqual([
    ['run', 'Workloads', 'shop/web-1', undefined],
    ['change', 'Pods', '', 'Pods synced, 2 objects'],
    ['write', 'Pods', 'shop/web-1', undefined],
  ]);
});

test.each(['why', 'why-not', 'why-empty', 'fields', 'item'] as const)(
  '%s at a sequence that has not happened yet is refused',
  ask => {
    const r = shop();
    const asked = {ask, collection: 'Workloads', key: 'shop/web-1', at: r.records.newest() + 1};
    expect(() => r.ask(asked)).toThrow('has not happened yet');
  },
);

test('a row is told by what became of it, not by what became of the other rows of its run', () => {
  const r = shop();
  r.write({Services: [service('web', {app: 'web'}, [80, 90])]}, {manager: 'helm', operation: 'Apply'});
  const ip = (r.records.value('Workloads', 'shop/web-1') as {ip: string}).ip;
  const added = why(r, 'Endpoints', `shop/web/${ip}:90/p90`);
  expect(added.run?.outcome).toBe('changed');
  expect(added.outcome).toBe('added');
  expect(added.sentence).toContain(
    `Endpoint shop/web/${ip}:90/p90 was added because Service shop/web got spec.ports[1]`,
  );
  expect(added.effects.map(e => `${e.collection}/${e.key}`)).toContain(`Backends/shop/web/${ip}:90/p90`);
  expect(why(r, 'Endpoints', `shop/web/${ip}:80/p80`)).toMatchObject({outcome: 'added', equalSince: 1});
  const stayed = why(r, 'Endpoints', `shop/web/${ip}:80/p80`, {run: 'latest'});
  expect(stayed.outcome).toBe('equal');
  expect(stayed.sentence).toContain(
    'was recomputed and stayed equal (other rows of the same run: 1 added) because',
  );
  expect(stayed.effects).toEqual([]);
  const {items} = r.ask<Items>({ask: 'items', collection: 'Endpoints'});
  expect(items.map(({key, outcome}) => [key, outcome])).toEqual([
    [`shop/web/${ip}:80/p80`, 'equal'],
    [`shop/web/${ip}:90/p90`, 'added'],
  ]);
});

test('what belongs to a first list says who took it in, and blames no filter', () => {
  const r = createTestGraphHost();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.sync();
  const {effects} = why(r, 'Pods', 'shop/web-1');
  expect(effects.find(e => e.collection === 'Workloads')).toMatchObject({
    key: 'shop/web-1',
    outcome: 'added',
    run: expect.any(String),
  });
  expect(effects.find(e => e.collection === 'ServiceInfos')?.stopped).toEqual({
    reason: 'suspended',
    text: 'ServiceInfos had not synced yet and read it later',
  });
  expect(effects.some(e => e.stopped?.reason === 'filter-miss')).toBe(false);
  expect(why(r, 'Workloads', 'shop/web-1').effects.length).toBeGreaterThan(0);
});

test('the change that is named is the one that an index or a list was read for', () => {
  const r = shop();
  const ready = (status: string) => ({
    status: {
      phase: 'Running',
      podIP: '10.0.0.5',
      conditions: [
        {type: 'Initialized', status},
        {type: 'Ready', status},
      ],
    },
  });
  r.write({Pods: [pod('web-1', {app: 'web'}, ready('False'))]});
  const info = why(r, 'ServiceInfos', 'shop/web');
  expect(info.causes[1]!.changes.filter(c => c.read).map(c => c.path)).toContain(
    'status.conditions[1].status',
  );
  expect(info.causes[1]!.changes.find(c => c.path === 'status.conditions[1].status')?.read).toBe(true);
  const slice = (ready: boolean): HostTestObject => ({
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      labels: {
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
    },
    endpoints: [{addresses: ['10.0.0.5'], conditions: {ready}}],
    ports: [{name: 'p80', port: 80}],
  });
  r.write({EndpointSlices: [slice(false)]});
  const summary = why(r, 'ClusterSummary', 'cluster');
  expect(summary.sentence).toContain(
    'changed agreement from only-pods to agree (matched fetch(Backends, index',
  );
});

test('an input that never had a row, and is gone, says so', () => {
  const r = shop();
  r.write({Pods: [pod('idle', {}, {phase: 'Pending'})]});
  r.write({Pods: ['shop/idle']});
  const answer = why(r, 'Workloads', 'shop/idle');
  expect(answer).toMatchObject({outcome: 'deleted', run: null});
  expect(answer.sentence).toBe(
    'Workload shop/idle is no longer computed because Pod shop/idle was deleted. Its last outcome was empty.',
  );
  expect(answer.causes).toMatchObject([{kind: 'write', collection: 'Pods', event: 'delete'}]);
});

test('an input that has gone and come back without a row is explained by its coming back', () => {
  const r = shop();
  r.write({Pods: [pod('idle', {}, {phase: 'Pending'})]});
  r.write({Pods: ['shop/idle']});
  r.write({Pods: [pod('idle', {}, {phase: 'Pending'})]}, {manager: 'helm', operation: 'Apply'});
  const back = r.records.newest();
  r.write({Pods: [pod('idle', {tier: 'x'}, {phase: 'Pending'})]});
  const answer = why(r, 'Workloads', 'shop/idle');
  expect(answer).toMatchObject({sequence: back, equalSince: 1});
  expect(answer.sentence).toBe(
    'Workload shop/idle is empty: its formula returned nothing. It ran because its input Pod shop/idle was added, written by helm.',
  );
});

test('a row of a join that is gone lost a part, not an input', () => {
  const r = shop();
  const ip = (r.records.value('Workloads', 'shop/web-1') as {ip: string}).ip;
  r.write({Pods: ['shop/web-1']});
  expect(why(r, 'Backends', `shop/web/${ip}:80/p80`).sentence).toContain(
    `was deleted because its part Endpoint shop/web/${ip}:80/p80 was deleted; the first cause is Pod shop/web-1 (deleted)`,
  );
});

test('a moment that has not come is refused', () => {
  expect(() => why(shop(), 'Workloads', 'shop/web-1', {at: 99_999})).toThrow(/has not happened yet/);
});

test('fields of an earlier moment are those of the run that was the last then', () => {
  const r = shop();
  const then = r.records.newest();
  r.write({Namespaces: [namespace('ops')]});
  const fields = () =>
    r.ask<FieldsAnswer>({ask: 'fields', collection: 'Workloads', key: 'shop/web-1', at: then});
  const before = fields();
  expect(before.sequence).toBe(then);
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})], Services: ['shop/web']});
  expect(fields()).toEqual(before);
});

test('an answer carries the runs around the one it tells, and says how many more there are', () => {
  const r = shop();
  const early = r.write({Pods: [pod('web-1', {app: 'web'}, {ip: '10.1.0.0'})]});
  for (let n = 1; n <= 250; n++) r.write({Pods: [pod('web-1', {app: 'web'}, {ip: `10.1.0.${n}`})]});
  const newest = why(r, 'Workloads', 'shop/web-1');
  const all = newest.beyond.before + newest.strip.length + newest.beyond.after;
  expect([newest.strip.length, newest.beyond.after, all]).toEqual([200, 0, 252]);
  expect(newest.strip.at(-1)!.id).toBe(newest.run!.id);
  const old = why(r, 'Workloads', 'shop/web-1', {at: early});
  expect(old.beyond).toEqual({before: 0, after: 52});
  expect(old.strip[1]!.id).toBe(old.run!.id);
  // Stepping skips no run: each strip holds its own run and both neighbours.
  const middle = why(r, 'Workloads', 'shop/web-1', {run: newest.strip[20]!.id});
  const at = middle.strip.findIndex(mark => mark.id === middle.run!.id);
  expect(middle.beyond.before + at).toBe(newest.beyond.before + 20);
  expect(middle.strip[at - 1]!.id).toBe(newest.strip[19]!.id);
  expect(middle.strip[at + 1]!.id).toBe(newest.strip[21]!.id);
  const detail = r.ask<ItemDetail>({ask: 'item', collection: 'Workloads', key: 'shop/web-1', at: early});
  expect([detail.strip.length, detail.beyond]).toEqual([200, {before: 0, after: 52}]);
});
