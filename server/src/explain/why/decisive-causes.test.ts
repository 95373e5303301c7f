// Why names the run, the cause and the field that made the difference.
import type {Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {FieldsAnswer, Why} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {reopenAsFile} from '../../engine/host/query/testing-reopened-file.ts';

const kubectl = {manager: 'kubectl-label', operation: 'Update'};

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.sync();
  return r;
}

const why = (
  r: Pick<TestGraphHost, 'ask'>,
  collection: string,
  key: string,
  more: {run?: string; at?: number} = {},
) => r.ask<Why>({ask: 'why', collection, key, ...more});

/** Asks live and from a file. */
function both(
  r: TestGraphHost,
  collection: string,
  key: string,
  more: {run?: string; at?: number} = {},
): Why {
  const now = why(r, collection, key, more);
  expect(why(reopenAsFile(r), collection, key, more).sentence).toBe(now.sentence);
  return now;
}

test('why tells of the last run that did something, and how many came after it', () => {
  const r = shop();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]}, kubectl);
  for (const note of ['a', 'b', 'c'])
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp', note})]});
  const told = both(r, 'Workloads', 'shop/web-1');
  expect(told.equalSince).toBe(3);
  expect(told.sentence).toContain('got label istio.io/use-waypoint=wp');
  const latest = both(r, 'Workloads', 'shop/web-1', {run: 'latest'});
  expect([latest.outcome, latest.equalSince, latest.effects]).toEqual(['equal', 0, []]);
  // The item keeps the outcome of its last run.
  const {items} = r.ask<Items>({ask: 'items', collection: 'Workloads'});
  expect(items[0]?.outcome).toBe('equal');
});

test('the input that counts is named, not the first in the list', () => {
  const r = shop();
  // In one batch: a Service whose ports no formula reads, and a Namespace, which is counted.
  r.write({Services: [service('web', {app: 'web'}, [81])], Namespaces: [namespace('ops')]}, kubectl);
  const {sentence, causes} = both(r, 'ClusterSummary', 'cluster');
  expect(sentence).toContain('because Namespace ops was added');
  expect(causes[1]).toMatchObject({collection: 'Namespaces', key: 'ops'});
});

test('of several writes in a batch the one from which the most follows is named, not the first in a list', () => {
  const r = shop();
  // The Node counts once and is read first. The Pod counts as not running and leaves its Service without endpoints.
  r.write(
    {Nodes: [{metadata: {name: 'n2'}}], Pods: [pod('web-1', {app: 'web'}, {phase: 'Pending'})]},
    kubectl,
  );
  const {causes, sentence} = both(r, 'ClusterSummary', 'cluster');
  expect(causes.at(-1)).toMatchObject({collection: 'Pods', key: 'shop/web-1'});
  expect(sentence).toContain('the first cause is Pod shop/web-1, written by kubectl-label');
  const origin = r.ask<Origin>({ask: 'origin', collection: 'ClusterSummary', key: 'cluster'});
  expect(origin.write).toMatchObject({collection: 'Pods', key: 'shop/web-1'});
});

test('the field that made the difference is named, not one that the formula does not read', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'wbe', tier: 'front'})]}, kubectl);
  const gone = both(r, 'WorkloadServices', 'shop/web-1/web');
  expect(gone.sentence).toBe(
    'WorkloadService shop/web-1/web was deleted because its input Workload shop/web-1 changed services from ["web"] to []; the first cause is Pod shop/web-1, written by kubectl-label.',
  );
  expect(gone.causes.at(-1)?.changes[0]).toMatchObject({path: 'metadata.labels.app', needed: true});
});

test('a filter that changed with its own input is told as that', () => {
  const r = shop();
  r.write({Services: [service('web', {app: 'other'})]}, {manager: 'helm', operation: 'Apply'});
  expect(both(r, 'ServiceInfos', 'shop/web').sentence).toBe(
    'ServiceInfo shop/web changed because its input Service shop/web changed spec.selector.app from web to other, written by helm; it now asks fetch(Pods, namespace shop and labels app=other) instead of fetch(Pods, namespace shop and labels app=web).',
  );
});

test('an object that was replaced, and one that was asked to go, are told as that', () => {
  const r = shop();
  const born = (uid: string, ip: string, more: object = {}) => {
    const made = pod('web-1', {app: 'web'}, {ip});
    return {...made, metadata: {...made.metadata, uid, ...more}};
  };
  r.write({Pods: [born('one', '10.0.0.1')]});
  r.write({Pods: [born('two', '10.0.0.2')]});
  expect(both(r, 'Pods', 'shop/web-1').sentence).toBe(
    'Pod shop/web-1 was replaced by another object of the same name (new uid).',
  );
  expect(both(r, 'Workloads', 'shop/web-1').sentence).toContain(
    'was replaced by another object of the same name',
  );
  r.write({Pods: [born('two', '10.0.0.2', {deletionTimestamp: '2026-11-16T00:00:00Z'})]});
  expect(both(r, 'Pods', 'shop/web-1').sentence).toBe('Pod shop/web-1 is being deleted.');
});

test('a first run that gave nothing is not told as if there had been one before', () => {
  const r = shop();
  r.write({Pods: [pod('new', {app: 'web'}, {phase: 'Pending'})]});
  const {effects} = why(r, 'Pods', 'shop/new');
  const workload = effects.find(e => e.collection === 'Workloads');
  expect(workload?.stopped?.text).toBe('returned nothing, so nothing else ran');
  r.write({Pods: [pod('new', {app: 'web', x: 'y'}, {phase: 'Pending'})]});
  const again = why(r, 'Pods', 'shop/new').effects.find(e => e.collection === 'Workloads');
  expect(again?.stopped?.text).toBe('returned nothing, as before, so nothing else ran');
  expect(why(r, 'Workloads', 'shop/new')).toMatchObject({outcome: 'empty', equalSince: 1});
});

test('what waits for a forbidden source says that, and blames no sync', () => {
  const r = createTestGraphHost();
  r.write({Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.sync('Namespaces');
  r.report('Namespaces', {state: 'forbidden', synced: false, reason: 'you may not list namespaces'});
  expect(why(r, 'Workloads', 'shop/web-1').sentence).toBe(
    'Workload shop/web-1 is suspended: it reads Namespaces, and Namespaces is forbidden (you may not list namespaces).',
  );
});

test('a run is told in the same words while it is the last, later, and from a file', () => {
  const r = shop();
  const told = new Map<string, string>();
  const tell = (): void => {
    for (const [collection, key] of [
      ['Workloads', 'shop/web-1'],
      ['ServiceInfos', 'shop/web'],
      ['ClusterSummary', 'cluster'],
    ] as const) {
      const {run, sentence} = why(r, collection, key, {run: 'latest'});
      if (run) told.set(`${collection} ${key} ${run.id}`, sentence);
    }
  };
  const writes = [
    () => r.write({Pods: [pod('web-1', {app: 'web', v: '2'})]}, kubectl),
    () => r.write({Services: [service('web', {app: 'wbe'})], Namespaces: [namespace('shop', {a: 'b'})]}),
    () => r.write({Pods: [pod('web-2', {app: 'wbe'})], Services: [service('db', {app: 'db'})]}),
    () => r.write({Pods: ['shop/web-2'], Services: [service('web', {app: 'web'})]}, kubectl),
  ];
  for (const write of writes) {
    write();
    tell();
  }
  const file = reopenAsFile(r);
  expect(told.size).toBeGreaterThan(8);
  for (const [id, sentence] of told) {
    const [collection, key, run] = id.split(' ') as [string, string, string];
    expect([id, why(r, collection, key, {run}).sentence]).toEqual([id, sentence]);
    expect([id, why(file, collection, key, {run}).sentence]).toEqual([id, sentence]);
  }
});

test('fields have what filters read, and what the formula reads, of the run itself', () => {
  const r = shop();
  const fields = r.ask<FieldsAnswer>({ask: 'fields', collection: 'Workloads', key: 'shop/web-1'});
  const read = new Map(fields.reads.map(one => [one.collection, one.paths]));
  expect(read.get('Services')).toEqual(['metadata.name', 'metadata.namespace', 'spec.selector.app']);
  expect(read.get('Pods')).toEqual(expect.arrayContaining(['status.phase', 'metadata.labels.app']));
  expect(fields.fetches?.[0]?.line).toMatch(/^workloads\.ts:\d+$/);
  expect(
    reopenAsFile(r).ask<FieldsAnswer>({ask: 'fields', collection: 'Workloads', key: 'shop/web-1'}),
  ).toEqual(fields);
});

test('of several paths that made a difference the one from which the most follows is named first, then the others', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {aaa: 'noise', app: 'wbe'})]}, kubectl);
  const {sentence, causes} = r.ask<Why>({ask: 'why', collection: 'Workloads', key: 'shop/web-1'});
  expect(sentence).toContain('changed label app from web to wbe and got label aaa=noise');
  expect(
    causes
      .at(-1)
      ?.changes.filter(one => one.needed)
      .map(one => one.path),
  ).toEqual(['metadata.labels.app', 'metadata.labels.aaa']);
  const origin = r.ask<Origin>({ask: 'origin', collection: 'Workloads', key: 'shop/web-1'});
  expect(origin.write?.path).toBe('metadata.labels.app');
  expect(origin.steps[0]?.sentence).toMatch(
    /^Workload shop\/web-1 changed services from \["web"\] to \[\] because /,
  );
});
