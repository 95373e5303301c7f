import {type Check, type Checks, checksSchema} from '@krtscope/shared/checks.ts';
import {expect, test, vi} from 'vitest';
import type {LiveGraphBuilder} from '../../engine/host/live-graph/live-graph.ts';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {
  fetch,
  filterGeneric,
  filterKey,
  newCollection,
  newManyCollection,
  newStaticCollection,
} from '../../krt/index.ts';

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

test('a value that goes back and forth is a flip-flop, with both values', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  for (let i = 0; i < 8; i++) r.write({Pods: [pod('web-1', {app: i % 2 === 0 ? 'api' : 'web'})]});
  const check = checks(r).checks.find(c => c.code === 'flip-flop')!;
  expect(check).toMatchObject({collection: 'Pods', keys: ['shop/web-1']});
  expect(check.title).toBe('Workload shop/web-1 alternates between 2 values, 8 times');
  expect(check.message).toContain('Workload shop/web-1 alternates between labels.app ');
  expect(check.message).toContain('cause: Pod shop/web-1');
  expect(check.hint).toBe('Pod shop/web-1 alternates itself: its Why says who writes it');
  const promise = checks(r).promises.find(p => p.name === 'No flip-flop')!;
  expect(promise.failing).toBeGreaterThan(0);
});

test('a Pod that flaps, and the slice that says so, are one finding', () => {
  const r = createTestGraphHost();
  r.sync();
  const labels = {'kubernetes.io/service-name': 'web'};
  r.write({Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  for (let i = 0; i < 8; i++) {
    r.write({Pods: [pod('web-1', {app: i % 2 === 0 ? 'api' : 'web'})]});
    const targetRef = {kind: 'Pod', namespace: 'shop', name: 'web-1'};
    const endpoints = [{addresses: ['10.0.0.5'], conditions: {ready: i % 2 === 1}, targetRef}];
    const ports = [{name: 'p80', port: 80}];
    r.write({EndpointSlices: [{metadata: {name: 'web-x', namespace: 'shop', labels}, endpoints, ports}]});
  }
  const found = checks(r).checks.filter(c => c.code === 'flip-flop');
  expect(found.map(c => [c.collection, c.keys])).toEqual([['Pods', ['shop/web-1']]]);
});

test('what goes back and forth for one reason is one finding, and later runs for another do not hide it', () => {
  const r = createTestGraphHost();
  r.sync();
  const pods = Array.from({length: 6}, (_, i) => pod(`web-${i}`));
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: pods});
  for (let i = 0; i < 6; i++)
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': i % 2 === 0 ? 'a' : 'b'})]});
  for (let i = 0; i < 3; i++) r.write({Pods: [{...pod('web-0'), note: i}]});
  const found = checks(r).checks.filter(c => c.code === 'flip-flop');
  expect(found.map(c => [c.collection, c.keys])).toEqual([['Namespaces', ['shop']]]);
  expect(found[0]!.message).toMatch(
    /alternates between waypoint \w and waypoint \w, \d times in 1 s, and so do 5 more rows; cause: Namespace shop$/,
  );
});

interface Named {
  metadata: {name: string};
}

const wasteful: LiveGraphBuilder = {
  sources: ['Policies', 'Pods', 'Unread'],
  build: (_, source) => {
    const pods = source('Pods');
    newManyCollection(
      source('Policies'),
      (ctx, policy) => {
        const {name} = (policy as Named).metadata;
        if (name === 'boom') throw new Error('cannot bind');
        const hit = fetch(
          ctx,
          pods,
          filterGeneric(function startsWithName(p) {
            return (p as Named).metadata.name.startsWith(name);
          }),
        );
        return [
          {metadata: {name}, hit: hit.length},
          ...(name === 'twice' ? [{metadata: {name}, hit: -1}] : []),
        ];
      },
      {name: 'Bindings'},
    );
  },
};

const many = (prefix: string, count: number): HostTestObject[] =>
  Array.from({length: count}, (_, i) => ({metadata: {name: `${prefix}${i}`}}));

test('a scan is told with its cost and the index that would help; unused and failing collections are told too', () => {
  const r = createTestGraphHost(wasteful);
  r.sync();
  r.write({
    Pods: many('p', 80),
    Policies: [...many('q', 3), {metadata: {name: 'boom'}}, {metadata: {name: 'twice'}}],
  });
  const scan = found(r, 'full-scan')!;
  expect(scan.collection).toBe('Bindings');
  expect(scan.message).toContain('compares all 80 Pods');
  // Five runs that each scanned all of them, except the one that failed before.
  expect(scan.message).toMatch(/400 items compared in the last minute$/);
  expect(scan.hint).toContain('startsWithName');
  expect(found(r, 'unused')).toMatchObject({collection: 'Unread', severity: 'info'});
  expect(found(r, 'failed')).toMatchObject({message: 'Binding boom: cannot bind', keys: ['boom']});
  expect(found(r, 'duplicate-in-result')).toMatchObject({collection: 'Bindings', severity: 'error'});
  expect(checks(r).promises.find(p => p.name === 'Unique keys')).toMatchObject({
    failing: 1,
    severity: 'error',
  });
  expect(checks(r).checks.map(c => c.severity)).toEqual(
    checks(r)
      .checks.map(c => c.severity)
      .toSorted((a, b) => 'error warning info'.indexOf(a) - 'error warning info'.indexOf(b)),
  );
});

test('runs that change nothing are counted, and the item that runs all the time', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Pods: [pod('web-1')]});
  expect(found(r, 'hot-item')).toBeUndefined();
  for (let i = 0; i < 40; i++) r.write({Namespaces: [namespace('shop', {n: String(i)})]});
  const wasted = checks(r).checks.find(c => c.code === 'wasted-runs' && c.collection === 'Workloads')!;
  expect(wasted.message).toMatch(
    /^Workloads ran 41 times in the last minute, and 40 runs changed nothing; the last one ran because of Namespace shop$/,
  );
  expect(found(r, 'hot-item'), 'less than once a second').toBeUndefined();
  for (let i = 0; i < 100; i++) r.write({Namespaces: [namespace('shop', {n: `x${i}`})]});
  expect(found(r, 'hot-item')).toMatchObject({collection: 'Workloads', keys: ['shop/web-1'], count: 141});
});

test('a formula that asks for everything is told what that costs, which is no scan', () => {
  const r = createTestGraphHost({
    sources: ['Settings', 'Targets'],
    build: (_, source) => {
      newCollection(
        source('Settings'),
        (ctx, item) => ({
          metadata: (item as Named).metadata,
          all: fetch(ctx, source('Targets')).length,
        }),
        {name: 'Everything'},
      );
    },
  });
  r.sync();
  r.write({Targets: many('t', 60), Settings: many('s', 4)});
  const scan = found(r, 'full-scan')!;
  expect(scan.message).toContain(
    'asks fetch(Targets, all), which compares all 60 Targets and finds 60; each change of one of them runs all 4 inputs',
  );
  expect(scan.hint).toContain('narrow the fetch to what the formula needs');
});

test('an input that discarded and reads only what has stopped is an orphan', () => {
  let stop = (): void => {};
  const r = createTestGraphHost({
    sources: ['Settings'],
    build: (engine, source) => {
      const temporary = newStaticCollection(engine, [{metadata: {name: 't'}}], {name: 'Temporary'});
      stop = () => temporary.stop();
      newCollection(
        source('Settings'),
        (ctx, item) => {
          fetch(ctx, temporary, filterKey('t'));
          ctx.discardResult();
          return {metadata: (item as Named).metadata};
        },
        {name: 'Results'},
      );
    },
  });
  r.sync();
  r.write({Settings: [{metadata: {name: 'a'}}]});
  r.write({Settings: [{metadata: {name: 'a'}, v: 2}]});
  expect(found(r, 'discards')).toMatchObject({collection: 'Results', keys: ['a']});
  expect(found(r, 'orphan')).toBeUndefined();
  stop();
  r.write({Settings: [{metadata: {name: 'b'}}]});
  expect(found(r, 'orphan')).toMatchObject({
    collection: 'Results',
    keys: ['a'],
    title: '1 orphan in Results',
  });
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
