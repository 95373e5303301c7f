import {type Check, type Checks, checksSchema} from '@krtscope/shared/checks.ts';
import {expect, test, vi} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';

const checks = (r: TestGraphHost, more = {}) => checksSchema.parse(r.ask<Checks>({ask: 'checks', ...more}));
const found = (r: TestGraphHost, code: string): Check | undefined =>
  checks(r).checks.find(c => c.code === code);

function owned(name: string, labels: Record<string, string>, more = {}): HostTestObject {
  const made = pod(name, labels, more);
  const ownerReferences = [{kind: 'StatefulSet', name: 'catalog', uid: 'u', controller: true}];
  return {...made, metadata: {...made.metadata, ownerReferences}};
}

test('a Service that selects nothing is named with what it wants and the nearest Pod', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Services: [service('recommendations', {app: 'recommendations'})],
    Pods: [pod('r-1', {app: 'recommender'}), pod('w-1')],
  });
  expect(found(r, 'selects-nothing')).toMatchObject({
    severity: 'warning',
    title: 'Service shop/recommendations selects no Pod',
    message:
      'Service shop/recommendations selects app=recommendations, and none of the 2 Pods in namespace shop has that',
    evidence: {
      item: {collection: 'ServiceInfos', key: 'shop/recommendations'},
      expected: {collection: 'Pods', key: 'shop/r-1'},
    },
  });
});

test('a mislabelled Pod is told from its siblings, with the command that heals it', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Services: [service('catalog', {app: 'catalog'})],
    Pods: [
      owned('c-0', {app: 'catalog'}),
      owned('c-1', {app: 'catalog'}),
      owned('c-2', {app: 'catlog'}),
      pod('alone', {app: 'x'}),
    ],
  });
  const check = found(r, 'unselected-pod');
  expect(check).toMatchObject({
    keys: ['shop/c-2'],
    message:
      'Pod shop/c-2 has app=catlog, and Service shop/catalog selects app=catalog; 2 siblings have app=catalog',
    hint: 'kubectl -n shop label pod c-2 app=catalog --overwrite',
  });
  const {item, expected} = check!.evidence!;
  expect(r.ask({ask: 'why-not', ...item, expected})).toMatchObject({verdict: 'looked-elsewhere'});
});

test('a Pod that its owner let go when it was relabelled still has its siblings', () => {
  const r = createTestGraphHost();
  r.sync();
  const made = ({metadata, ...rest}: HostTestObject): HostTestObject => ({
    ...rest,
    metadata: {...metadata, generateName: 'catalog-5d8f-'},
  });
  r.write({
    Services: [service('catalog', {app: 'catalog'})],
    Pods: [
      made(owned('catalog-5d8f-a', {app: 'catalog'})),
      made(pod('catalog-5d8f-b', {app: 'catlog'})),
      pod('alone', {app: 'x'}),
    ],
  });
  expect(found(r, 'unselected-pod')).toMatchObject({
    keys: ['shop/catalog-5d8f-b'],
    message:
      'Pod shop/catalog-5d8f-b has app=catlog, and Service shop/catalog selects app=catalog; 1 sibling has app=catalog',
  });
});

test('a rollout, which makes its siblings anew under another hash, does not hide a relabelled Pod', () => {
  const r = createTestGraphHost();
  r.sync();
  const made = ({metadata, ...rest}: HostTestObject, hash: string): HostTestObject => ({
    ...rest,
    metadata: {
      ...metadata,
      generateName: `catalog-${hash}-`,
      labels: {...metadata.labels, 'pod-template-hash': hash},
    },
  });
  const lost = made(pod('catalog-5d8f-b', {app: 'catlog'}), '5d8f');
  r.write({
    Services: [service('catalog', {app: 'catalog'})],
    Pods: [made(owned('catalog-5d8f-a', {app: 'catalog'}), '5d8f'), lost],
  });
  expect(found(r, 'unselected-pod')?.keys).toEqual(['shop/catalog-5d8f-b']);
  r.write({Pods: ['shop/catalog-5d8f-a', made(owned('catalog-77aa-x', {app: 'catalog'}), '77aa')]});
  expect(found(r, 'unselected-pod')?.keys).toEqual(['shop/catalog-5d8f-b']);
});

test('a crash-looping Pod comes first', () => {
  const r = createTestGraphHost();
  r.sync();
  const sick = pod('pay-1');
  const containerStatuses = [
    {
      name: 'c',
      restartCount: 14,
      state: {waiting: {reason: 'CrashLoopBackOff'}},
      lastState: {terminated: {exitCode: 1, reason: 'Error'}},
    },
  ];
  r.write({
    Pods: [{...sick, status: {...(sick.status as object), containerStatuses}}],
    Services: [service('x', {app: 'none'})],
  });
  expect(checks(r).checks[0]).toMatchObject({
    code: 'crash-loop',
    severity: 'error',
    message: 'Pod shop/pay-1 is in CrashLoopBackOff: container c restarted 14 times, exit code 1 (Error)',
    hint: 'kubectl -n shop logs pay-1 --previous -c c',
  });
});

test('a forbidden kind, and who waits for it', () => {
  const r = createTestGraphHost();
  r.sync('Namespaces');
  r.report('Namespaces', {
    state: 'forbidden',
    synced: false,
    reason: 'system:serviceaccount:ops:krtscope cannot list',
  });
  r.write({Pods: [pod('web-1')]});
  expect(found(r, 'forbidden')).toMatchObject({
    title: 'Listing Namespaces is not permitted',
    hint: 'kubectl auth can-i list namespaces',
  });
  const waiting = found(r, 'not-synced')!;
  expect(waiting.collection).toBe('Namespaces');
  expect(waiting.keys).toContain('Workloads');
  expect(waiting.message).toContain('waits for Namespaces (system:serviceaccount:ops:krtscope cannot list)');
});

test('start-up is not an incident: collections that wait for the first runs of another are a note', () => {
  const r = createTestGraphHost();
  r.write({Pods: Array.from({length: 3000}, (_, n) => pod(`web-${n}`))});
  r.sync();
  expect(found(r, 'not-synced')).toMatchObject({collection: 'Workloads', severity: 'info'});
  r.runChecks();
  expect(r.ask<{incidents: unknown[]}>({ask: 'incidents', state: 'all'}).incidents).toEqual([]);
});

test('a gap is a finding with its length', () => {
  const r = createTestGraphHost();
  r.sync();
  const now = r.records.now();
  r.history.gaps.push({
    kind: 'watch',
    from: now - 4000,
    to: now - 800,
    sequence: 1,
    text: 'Pods watch closed (too old); 41 relisted',
  });
  expect(found(r, 'watch-gap')).toMatchObject({
    title: 'Watch lost and relisted, 3.2 s gap',
    message: 'Pods watch closed (too old); 41 relisted',
  });
});

test('a restart of krtscope is told, and opens no incident', () => {
  const r = createTestGraphHost();
  r.sync();
  const now = r.records.now();
  const text = 'krtscope was not running for 3 s. 12 objects were replayed.';
  r.history.gaps.push({kind: 'engine', from: now - 4000, to: now - 800, sequence: 1, text});
  expect(found(r, 'engine-gap')).toMatchObject({
    title: 'krtscope was not running, 3.2 s gap',
    severity: 'info',
  });
  r.runChecks();
  expect(r.ask<{incidents: unknown[]}>({ask: 'incidents', state: 'all'}).incidents).toEqual([]);
});

test('Endpoints that disagree with the slices are told once the difference has lasted', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Services: [service('web', {app: 'web'}), service('kubernetes', {})], Pods: [pod('web-1')]});
  const labels = {'kubernetes.io/service-name': 'kubernetes'};
  const byHand = {endpoints: [{addresses: ['10.9.9.9']}], ports: [{name: 'https', port: 6443}]};
  r.write({EndpointSlices: [{metadata: {name: 'k', namespace: 'shop', labels}, ...byHand}]});
  expect(found(r, 'endpoints-disagree')).toBeUndefined();
  const then = r.records.newest();
  const clock = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(clock + 6000);
  // By the clock of its batch it has not lasted long enough, whenever the question comes.
  expect(found(r, 'endpoints-disagree')).toBeUndefined();
  r.write({Namespaces: [namespace('other')]});
  expect(checks(r, {at: then}).checks.some(c => c.code === 'endpoints-disagree')).toBe(false);
  const told = checks(r).checks.filter(c => c.code === 'endpoints-disagree');
  expect(told).toHaveLength(1);
  const [past] = told;
  expect(past).toMatchObject({
    title: 'Endpoints of Service shop/web disagree with its EndpointSlices',
    keys: ['shop/web/10.0.0.5:80/p80'],
  });
  expect(past?.message).toContain('is in no EndpointSlice');
});

test('a healthy cluster has no findings but what is unused, and every promise holds', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Pods: [pod('web-1')]});
  expect(checks(r).checks.filter(c => c.severity !== 'info')).toEqual([]);
  expect(checks(r).promises.every(p => p.failing === 0)).toBe(true);
});

test('nothing is said to be unused while some have not run: they may read it yet', () => {
  const r = createTestGraphHost();
  r.sync('Pods', 'Secrets');
  r.report('Pods', {state: 'forbidden', synced: false, reason: '403'});
  r.report('Secrets', {state: 'forbidden', synced: false, reason: '403'});
  expect(checks(r).checks.filter(c => c.code === 'unused')).toEqual([]);
  expect(
    checks(r)
      .checks.filter(c => c.code === 'not-synced')
      .map(c => c.collection),
  ).toEqual(['Pods']);
  expect(
    r.ask<{sentence: string}>({ask: 'why', collection: 'ClusterSummary', key: 'cluster'}).sentence,
  ).toMatch(/^ClusterSummary is suspended: it reads WorkloadsByNode/);
});
