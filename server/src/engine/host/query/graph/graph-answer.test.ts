import {toDot, toMermaid} from '@krtscope/shared/diagram.ts';
import {type Graph, graphSchema} from '@krtscope/shared/graph.ts';
import {type Diff, type ItemDetail, itemDetailSchema, type SearchAnswer} from '@krtscope/shared/items.ts';
import type {TraceAnswer} from '@krtscope/shared/run.ts';
import {type Stats, statsSchema, type Timeline, timelineSchema} from '@krtscope/shared/timeline.ts';
import {expect, test} from 'vitest';
import {newCollection} from '../../../../krt/index.ts';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../testing-graph-host.ts';

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop'), namespace('ops')],
    Services: [service('web', {app: 'web'}), service('job', {app: 'job'})],
    Pods: [
      pod('web-1', {app: 'web'}, {ip: '10.0.0.1'}),
      pod('job-1', {app: 'job'}, {ip: '10.0.0.4'}),
      pod('x', {app: 'x'}, {namespace: 'ops'}),
    ],
  });
  return r;
}

const graph = (r: TestGraphHost, more = {}) => graphSchema.parse(r.ask<Graph>({ask: 'graph', ...more}));

test('edges say what is asked for: a value that follows the input as its path, marked inferred', () => {
  const {edges} = graph(shop());
  expect(edges).toContainEqual({from: 'Pods', to: 'Workloads', kind: 'input', filters: []});
  expect(edges.find(e => e.from === 'Namespaces' && e.to === 'Workloads')).toMatchObject({
    kind: 'fetch',
    filters: ['key = metadata.namespace'],
    inferred: [0],
  });
  expect(edges.find(e => e.from === 'Services' && e.to === 'Workloads')?.filters).toEqual([
    'namespace = metadata.namespace and selects non-empty = metadata.labels',
  ]);
  expect(edges.find(e => e.from === 'Pods' && e.to === 'ServiceInfos')?.filters).toEqual([
    'namespace = metadata.namespace and labels = spec.selector',
  ]);
  expect(edges.find(e => e.from === 'Pods' && e.to === 'Endpoints')?.filters).toEqual(['key (2 values)']);
  expect(edges.find(e => e.from === 'Nodes' && e.to === 'ClusterSummary')?.filters).toEqual(['all']);
  expect(edges.find(e => e.from === 'Backends' && e.to === 'ClusterSummary')?.filters).toContain(
    'index disagreeing = yes',
  );
});

test('collections carry their numbers, kinds and the fields that tell rows apart', () => {
  const r = shop();
  const {collections} = graph(r);
  const workloads = collections.find(c => c.name === 'Workloads')!;
  expect(workloads).toMatchObject({kind: 'derived', size: 3, synced: true, runs: 3, failed: 0, rate: 3});
  expect(workloads.fields).toContain('services');
  expect(collections.find(c => c.name === 'Pods')).toMatchObject({
    kind: 'source',
    state: 'synced',
    runs: 0,
    resource: {kind: 'Pod'},
  });
  expect(workloads.spark.reduce((a, b) => a + b, 0)).toBe(3);
  r.write({Pods: [pod('web-2')]});
  expect(graph(r).collections.find(c => c.name === 'Pods')?.last).toMatchObject({
    key: 'shop/web-2',
    outcome: 'added',
  });
});

test('a past graph has the sizes at that time', () => {
  const r = shop();
  const then = r.records.newest();
  r.write({Pods: ['shop/web-1']});
  expect(graph(r, {at: then}).collections.find(c => c.name === 'Pods')?.size).toBe(3);
  expect(graph(r).collections.find(c => c.name === 'Pods')?.size).toBe(2);
});

test('a past graph counts the runs up to that time; an unsynced collection says only what it waited for', () => {
  const r = createTestGraphHost();
  r.write({Namespaces: [namespace('shop')]});
  const before = r.records.newest();
  r.write({Pods: [pod('web-1')]});
  r.sync();
  const synced = r.records.newest();
  for (let i = 0; i < 3; i++)
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': String(i)})]});
  const of = (name: string, more = {}) => graph(r, more).collections.find(c => c.name === name)!;
  expect(of('Workloads').runs - of('Workloads', {at: synced}).runs).toBe(3);
  expect(of('Workloads', {at: before})).toMatchObject({runs: 0, synced: false, waitingFor: 'Pods'});
  expect(of('Pods', {at: before})).toMatchObject({size: 0, synced: false});
  expect(of('Pods', {at: before}).state).toBeUndefined();
  expect(of('Pods', {at: synced}).state).toBe('synced');
});

test('the graph of the past counts what failed then', () => {
  const r = createTestGraphHost({
    sources: ['Pods'],
    build: (_, source) => {
      newCollection(
        source('Pods'),
        (_ctx, one) => {
          if ((one as HostTestObject).metadata.labels?.app === 'bad') throw new Error('cannot');
          return {metadata: (one as HostTestObject).metadata};
        },
        {name: 'Copies'},
      );
    },
  });
  r.sync();
  const moments = [
    r.write({Pods: [pod('a', {app: 'bad'}), pod('b', {app: 'bad'}), pod('c')]}),
    r.write({Pods: [pod('a')]}),
    r.write({Pods: ['shop/b']}),
  ];
  r.write({Pods: [pod('c', {app: 'bad'})]});
  const failed = (at?: number) =>
    graph(r, at === undefined ? {} : {at}).collections.find(c => c.name === 'Copies')?.failed;
  expect(moments.map(at => failed(at))).toEqual([2, 1, 0]);
  expect(failed()).toBe(1);
});

test('Mermaid and Graphviz texts name every collection and escape what could break them', () => {
  const answer = graph(shop());
  answer.collections[0]!.name = 'a "b" [c]';
  const mermaid = toMermaid(answer);
  expect(mermaid.startsWith('flowchart LR\n')).toBe(true);
  expect(mermaid).not.toContain('a "b"');
  expect(mermaid.split('\n').filter(l => /==>|-\.->|-->/.test(l))).toHaveLength(answer.edges.length);
  expect(toDot(answer)).toContain('label="a \\"b\\" [c]\\n');
});

test('search finds names, addresses inside values, labels and collections, grouped and best first', () => {
  const r = shop();
  const search = (q: string) => r.ask<SearchAnswer>({ask: 'search', q}).hits;
  expect(search('web-1')[0]).toMatchObject({collection: 'Pods', key: 'shop/web-1', where: 'key'});
  expect(search('10.0.0.4').map(h => h.collection)).toEqual(
    expect.arrayContaining(['Pods', 'Workloads', 'Endpoints', 'Backends', 'WorkloadServices']),
  );
  expect(search('10.0.0.4').find(h => h.collection === 'Pods')).toMatchObject({
    where: 'status.podIP',
    text: '10.0.0.4',
  });
  expect(search('app=job').find(h => h.collection === 'Pods')).toMatchObject({
    key: 'shop/job-1',
    where: 'label app',
  });
  expect(search('backends')[0]).toMatchObject({collection: 'Backends', where: 'collection'});
  expect(search('shop web').every(h => /web/.test(JSON.stringify(h)))).toBe(true);
  expect(r.ask<SearchAnswer>({ask: 'search', q: 'shop', limit: 3})).toMatchObject({hits: {length: 3}});
  const order = search('shop').map(h => h.collection);
  expect(order).toEqual([...new Set(order)].flatMap(name => order.filter(o => o === name)));
});

test('an item in full: neighbours, runs, the sentence', () => {
  const r = shop();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]});
  const detail = itemDetailSchema.parse(
    r.ask<ItemDetail>({ask: 'item', collection: 'Workloads', key: 'shop/web-1'}),
  );
  expect(detail).toMatchObject({
    inputs: ['shop/web-1'],
    outputs: ['shop/web-1'],
    outcome: 'changed',
    runs: 2,
    changed: ['waypoint'],
  });
  expect(detail.precedents.map(p => `${p.collection}/${p.key}`)).toEqual([
    'Pods/shop/web-1',
    'Services/shop/web',
    'Namespaces/shop',
  ]);
  expect(detail.dependents.map(p => `${p.collection}/${p.key}`)).toContain('WorkloadServices/shop/web-1/web');
  expect(detail.strip).toHaveLength(2);
  expect(detail.sentence).toContain('because Namespace shop got label');
  const input = r.ask<ItemDetail>({ask: 'item', collection: 'Pods', key: 'shop/web-1'});
  expect(input).toMatchObject({inputs: [], runs: 0, outcome: 'added'});
});

test('the trace is filtered and paged both ways', () => {
  const r = shop();
  const since = r.records.newest();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]});
  const trace = (more = {}) => r.ask<TraceAnswer>({ask: 'trace', ...more});
  const whole = trace({since});
  expect(whole.runs.filter(x => x.collection === 'Workloads')).toHaveLength(2);
  expect(trace({since, outcome: 'changed'}).runs.map(x => x.collection)).toEqual(['Workloads', 'Workloads']);
  const first = trace({since, limit: 2});
  const second = trace({since, limit: 1000, cursor: first.cursor!});
  expect([...first.runs, ...second.runs].map(x => x.id)).toEqual(whole.runs.map(x => x.id));
  const newest = trace({limit: 1});
  expect(newest.runs[0]!.id).toBe(whole.runs.at(-1)!.id);
  expect(trace({key: 'shop/web-1', collection: 'Workloads'}).runs).toHaveLength(2);
  expect(() => trace({collection: 'Workload'})).toThrow('there is no collection "Workload"');
});

test('differences between two moments are net', () => {
  const r = shop();
  const from = r.records.newest();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})], Pods: [pod('tmp', {})]});
  r.write({Pods: ['shop/tmp']});
  const diff = r.ask<Diff>({ask: 'diff', from, to: r.records.newest()});
  expect(Object.keys(diff.collections).sort()).toEqual(['Namespaces', 'Workloads', 'WorkloadsByNode']);
  expect(diff.collections.Workloads!.map(x => x.key)).toEqual(['shop/job-1', 'shop/web-1']);
  expect(() => r.ask({ask: 'diff', from: 9, to: 2})).toThrow(/after/);
});

test('timeline buckets and stats add up to what ran', () => {
  const r = shop();
  r.write({Namespaces: [namespace('shop', {team: 'x'})]}, {manager: 'kubectl', operation: 'Update'});
  const timeline = timelineSchema.parse(r.ask<Timeline>({ask: 'timeline', buckets: 10}));
  const total = timeline.buckets.reduce((sum, b) => sum + b.changed + b.equal + b.failed, 0);
  expect(total).toBe(graph(r).collections.reduce((sum, c) => sum + c.runs, 0));
  expect(timeline.buckets.at(-1)!.sequence).toBe(r.records.newest());
  const stats = statsSchema.parse(r.ask<Stats>({ask: 'stats'}));
  expect(stats.writes[0]).toMatchObject({
    collection: 'Namespaces',
    key: 'shop',
    event: 'update',
    writer: {manager: 'kubectl'},
    runs: 3,
    changed: 0,
  });
  expect(stats.busiest[0]!.runs).toBeGreaterThan(0);
  expect(measured(stats)).toBeGreaterThan(0);
  expect(stats.runsPerMinute).toBe(total);
});

/** The number of batches behind the measured lag. */
function measured({lag}: Stats): number {
  return lag.histogram.reduce((sum, {count}) => sum + count, 0);
}

test('what came with the first list is no news: not among the last writes, not in the lag', () => {
  const r = createTestGraphHost();
  r.write({Namespaces: [namespace('shop')], Pods: [pod('old')]});
  r.sync();
  const listed = r.ask<Stats>({ask: 'stats'});
  expect([listed.writes, measured(listed)]).toEqual([[], 0]);
  expect(r.ask<Timeline>({ask: 'timeline', buckets: 3}).buckets.every(b => b.failed === 0)).toBe(true);
  const creationTimestamp = '2020-01-01T00:00:00Z';
  r.write({ConfigMaps: [{metadata: {name: 'old', creationTimestamp}}]});
  r.write({Pods: [pod('new')]});
  const stats = r.ask<Stats>({ask: 'stats'});
  expect(stats.writes.map(w => w.key)).toEqual(['shop/new']);
  expect(measured(stats)).toBeGreaterThan(0);
});
