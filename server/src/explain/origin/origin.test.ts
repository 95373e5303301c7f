// Origin: from a row, a field or an empty cell back to the outside write behind it.
import {type Origin, originSchema} from '@krtscope/shared/origin.ts';
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
const helm = {manager: 'helm', operation: 'Apply'};

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.sync();
  return r;
}

interface More {
  field?: string;
  input?: boolean;
  at?: number;
}

/** Asks live and from a file; both answers are equal. Times are removed because they vary. */
function origin(r: TestGraphHost, collection: string, key: string, more: More = {}): Origin {
  const question = {ask: 'origin' as const, collection, key, ...more};
  const now = originSchema.parse(r.ask(question));
  expect(reopenAsFile(r).ask<Origin>(question)).toEqual(now);
  return {...now, sentence: now.sentence.replaceAll(/ at \d\d:\d\d:\d\d/g, '')};
}

test('an empty cell at any depth goes back to the write that emptied it, with the command that mends it', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'wbe'})]}, kubectl);
  const write = {
    collection: 'Pods',
    key: 'shop/web-1',
    path: 'metadata.labels.app',
    old: 'web',
    new: 'wbe',
    manager: 'kubectl-label',
    sequence: r.records.newest(),
  };
  const fix = 'kubectl -n shop label pod web-1 app=web --overwrite';
  const ip = '10.0.0.5';
  for (const [collection, key, more] of [
    ['Workloads', 'shop/web-1', {field: 'services'}],
    ['WorkloadServices', 'shop/web-1', {input: true}],
    ['WorkloadServices', 'shop/web-1/web', {}],
    // There is no input with that key: the Sheet asks with the key of the row it shows.
    ['Endpoints', 'shop/web-1', {input: true}],
    ['Endpoints', `shop/web/${ip}:80/p80`, {}],
    ['Backends', `shop/web/${ip}:80/p80`, {}],
  ] as const)
    expect([collection, origin(r, collection, key, more)]).toMatchObject([collection, {write, fix}]);
  const {sentence, steps} = origin(r, 'WorkloadServices', 'shop/web-1', {input: true});
  expect(sentence).toBe(
    'No Service selects Pod shop/web-1: it has app=wbe, and Service shop/web selects app=web. kubectl-label changed label app of Pod shop/web-1 from web to wbe (#13), so Workload shop/web-1 changed services from ["web"] to [], so WorkloadService shop/web-1 lost its rows.',
  );
  expect(steps.map(step => [step.collection, step.kind, step.evidence.repeat])).toEqual([
    ['WorkloadServices', 'empty', 'same'],
    ['Workloads', 'empty', 'same'],
  ]);
  expect(steps[1]?.evidence).toMatchObject({
    candidate: {collection: 'Services', key: 'shop/web'},
    clauses: [
      {clause: 'metadata.namespace', matchesNew: true},
      {clause: 'selector.app', wants: '= wbe', new: 'web', matchesNew: false},
    ],
    causes: [{collection: 'Pods', weight: 'needed', followed: true}],
  });
});

test('a row that other things changed goes back to the one that it shows', () => {
  const r = shop();
  r.write({Namespaces: [namespace('ops')], Pods: [pod('web-1', {app: 'web', v: '2'})]}, kubectl);
  expect(origin(r, 'ClusterSummary', 'cluster', {field: 'namespaces'}).write).toMatchObject({
    collection: 'Namespaces',
    key: 'ops',
    event: 'add',
  });
  expect(origin(r, 'Workloads', 'shop/web-1', {field: 'labels.v'}).write?.path).toBe('metadata.labels.v');
  // The batch did not touch it.
  expect(origin(r, 'ClusterSummary', 'cluster', {field: 'running'}).write?.sequence).toBeLessThan(
    r.records.newest(),
  );
});

test('two writes of one batch that are both needed are both named, and so are two that suffice alone', () => {
  const r = shop();
  r.write({Services: [service('a', {app: 'web'}), service('b', {app: 'web'})]}, helm);
  const both = origin(r, 'Workloads', 'shop/web-1', {field: 'services'});
  expect(both.steps[0]?.evidence.causes.map(c => [c.key, c.weight])).toEqual([
    ['shop/a', 'needed'],
    ['shop/b', 'also-needed'],
  ]);
  // Either of them alone leaves the Service without a ready Pod.
  const other = createTestGraphHost();
  other.write({Namespaces: [namespace('shop')], Pods: [pod('p')], Services: [service('web', {app: 'web'})]});
  other.sync();
  other.write({Services: [service('web', {app: 'x'})], Pods: [pod('p', {app: 'y'})]}, helm);
  const either = origin(other, 'ServiceInfos', 'shop/web', {field: 'pods'});
  expect(either.steps[0]?.evidence.causes.map(c => [c.collection, c.weight])).toEqual([
    ['Services', 'either'],
    ['Pods', 'either'],
  ]);
  expect(either.sentence).toContain('Service shop/web');
});

test('what never matched stands side by side with what came nearest', () => {
  const r = shop();
  r.write({Pods: [pod('new', {app: 'wb'})]}, helm);
  const answer = origin(r, 'WorkloadServices', 'shop/new', {input: true});
  expect(answer.sentence).toBe(
    'No Service selects Pod shop/new: it has app=wb, and Service shop/web selects app=web. Pod shop/new was created by helm (#13), so services of Workload shop/new is empty, so WorkloadService shop/new has no row.',
  );
  expect(answer.steps.map(step => step.kind)).toEqual(['absent', 'missed']);
  expect(answer.fix).toBe('kubectl -n shop label pod new app=web --overwrite');
});

test('what its formula makes nothing of goes back to the path that it read', () => {
  const r = shop();
  r.write({Pods: [pod('new', {app: 'web'}, {phase: 'Pending'})]}, helm);
  r.write({Pods: [pod('new', {app: 'web', x: 'y'}, {phase: 'Pending'})]}, kubectl);
  const answer = origin(r, 'WorkloadServices', 'shop/new', {input: true});
  expect(answer.write).toMatchObject({key: 'shop/new', event: 'add', manager: 'helm'});
  expect(answer.sentence).toContain('Workload shop/new has no row; it read status.phase Pending');
});

test('a row that is gone goes back to the deletion, and what is forbidden to no write at all', () => {
  const r = shop();
  r.write({Pods: ['shop/web-1']});
  expect(origin(r, 'Workloads', 'shop/web-1').write).toMatchObject({key: 'shop/web-1', event: 'delete'});
  const held = createTestGraphHost();
  held.write({Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  held.sync('Namespaces');
  held.report('Namespaces', {state: 'forbidden', synced: false, reason: '403'});
  expect(origin(held, 'Workloads', 'shop/web-1')).toMatchObject({
    write: null,
    sentence: 'Workload shop/web-1 waits for Namespaces, which is forbidden (403). No write caused this.',
    steps: [{kind: 'suspended'}],
  });
});

test('a row that no write made goes back to what woke its formula, and not to a time before the recording', () => {
  const r = createTestGraphHost();
  r.sync();
  const {sentence, write} = origin(r, 'ClusterSummary', 'cluster');
  expect([sentence, write]).toEqual([
    'ClusterSummary cluster was added. It ran when Secrets synced in #10, and no lookup found anything.',
    null,
  ]);
});

test('an earlier moment has the origin that it had then', () => {
  const r = shop();
  const then = r.records.newest();
  const before = origin(r, 'Workloads', 'shop/web-1', {field: 'services', at: then});
  r.write({Pods: [pod('web-1', {app: 'wbe'})]}, kubectl);
  r.write({Services: [service('web', {app: 'wbe'})]}, helm);
  expect(origin(r, 'Workloads', 'shop/web-1', {field: 'services', at: then})).toEqual(before);
  expect(origin(r, 'Workloads', 'shop/web-1', {field: 'services'}).write).toMatchObject({
    collection: 'Services',
    path: 'spec.selector.app',
    manager: 'helm',
  });
});

test('what is older than the recording says so, and what never was is refused', () => {
  const r = createTestGraphHost(undefined, {runs: 20, megabytes: 64});
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.sync();
  for (let i = 0; i < 40; i++) r.write({Pods: [pod('other', {n: `${i}`})]});
  const {write, sentence} = origin(r, 'Workloads', 'shop/web-1', {field: 'services'});
  expect([write, sentence]).toEqual([
    null,
    expect.stringMatching(/ What made it so is older than the recording, which begins at #\d+\.$/),
  ]);
  expect(() => r.ask({ask: 'origin', collection: 'Workloads', key: 'shop/nobody'})).toThrow(/has no item/);
});

test('the first fix is to revert the write, with a note where a tool will overwrite that', () => {
  const r = shop();
  r.write({Services: [service('web', {app: 'other'})]}, {manager: 'kubectl-patch', operation: 'Update'});
  const byHand = origin(r, 'ServiceInfos', 'shop/web', {field: 'pods'});
  expect(byHand.fix).toBe(
    `kubectl -n shop patch service web --type=merge -p '{"spec":{"selector":{"app":"web"}}}'`,
  );
  expect(byHand.fixNote).toBeUndefined();
  const managed = shop();
  const changed = service('web', {app: 'other'});
  const annotations = {'meta.helm.sh/release-name': 'store', 'meta.helm.sh/release-namespace': 'shop'};
  managed.write({Services: [{...changed, metadata: {...changed.metadata, annotations}}]}, helm);
  const byHelm = origin(managed, 'ServiceInfos', 'shop/web', {field: 'pods'});
  expect(byHelm.fix).toBe(byHand.fix);
  expect(byHelm.fixNote).toBe(
    'Helm manages Service shop/web (release store in namespace shop) and will overwrite a manual change: change it at its source.',
  );
  // Once the value has changed again, the revert would not help.
  r.write({Services: [service('web', {app: 'third'})]}, helm);
  expect(origin(r, 'Workloads', 'shop/web-1', {field: 'services'}).fix ?? '').not.toContain('"app":"other"');
});

test('a revert that would not help any more is not offered', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'wbe'})]}, kubectl);
  expect(origin(r, 'Workloads', 'shop/web-1', {field: 'services'}).fix).toContain('app=web');
  // Another Service would select it now.
  r.write({Services: [service('web', {app: 'frontend'})]}, helm);
  expect(origin(r, 'Workloads', 'shop/web-1', {field: 'services'}).fix).toBeUndefined();
});
