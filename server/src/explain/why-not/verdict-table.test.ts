// The ten verdicts through chains, joins, indexes and singletons. Verdict and evidence always agree.

import {verdicts} from '@krtscope/shared/vocabulary.ts';
import type {WhyNot} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {reopenAsFile} from '../../engine/host/query/testing-reopened-file.ts';

const helm = {manager: 'helm', operation: 'Apply'};
const ip = '10.0.0.5';
const endpoint = `shop/web/${ip}:80/p80`;

function slice(ready = true): HostTestObject {
  return {
    metadata: {
      name: 'web-x',
      namespace: 'shop',
      labels: {
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
    },
    addressType: 'IPv4',
    ports: [{name: 'p80', port: 80}],
    endpoints: [
      {addresses: [ip], conditions: {ready}, targetRef: {kind: 'Pod', name: 'web-1', namespace: 'shop'}},
    ],
  };
}

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [service('web', {app: 'web'})],
    Pods: [pod('web-1')],
    EndpointSlices: [slice()],
  });
  r.sync();
  return r;
}

/** Asks live and from a file. Exactly this verdict holds, and none before it. */
function whyNot(r: TestGraphHost, collection: string, key: string, expected: string): WhyNot {
  const [of = '', ...rest] = expected.split('/');
  const question = {
    ask: 'why-not' as const,
    collection,
    key,
    expected: {collection: of, key: rest.join('/')},
  };
  const answer = r.ask<WhyNot>(question);
  const {ruled} = answer.evidence;
  expect(ruled.map(one => one.verdict)).toEqual([...verdicts]);
  expect(ruled.filter(one => one.held).map(one => one.verdict)).toEqual([answer.verdict]);
  expect(reopenAsFile(r).ask<WhyNot>(question).sentence).toBe(answer.sentence);
  return answer;
}

test('a join looks through its parts: what one of them reads, it reads', () => {
  const r = shop();
  r.write({EndpointSlices: [slice(false)]}, helm);
  const {verdict, sentence} = whyNot(r, 'Backends', endpoint, 'EndpointSlices/shop/web-x');
  expect([verdict, sentence]).toEqual([
    'reacted',
    expect.stringContaining(`Backend ${endpoint} did react: `),
  ]);
  expect(whyNot(r, 'Backends', endpoint, 'ConfigMaps/shop/x').verdict).toBe('did-not-look');
});

test('a wave that ended at an equal row further up is told as that, with the row', () => {
  const r = shop();
  r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': 'wp'})]}, helm);
  const {verdict, sentence} = whyNot(r, 'Endpoints', endpoint, 'Namespaces/shop');
  expect(verdict).toBe('equal');
  expect(sentence).toMatch(/WorkloadService shop\/web-1\/web ran in #\d+ .* So Endpoint .* did not run\.$/);
});

test('a singleton is reached through an index and what is in it', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'web', v: '2'})]}, helm);
  const {verdict, sentence} = whyNot(r, 'ClusterSummary', 'cluster', 'Pods/shop/web-1');
  expect(verdict).toBe('equal');
  expect(sentence).toContain('ClusterSummary cluster ran in');
  r.write({Pods: [pod('web-1', {app: 'web'}, {phase: 'Failed'})]}, helm);
  expect(whyNot(r, 'ClusterSummary', 'cluster', 'Pods/shop/web-1').verdict).toBe('reacted');
});

test('a row that is gone is gone, whatever was asked for', () => {
  const r = shop();
  r.write({Pods: [pod('web-1', {app: 'wbe'})]}, helm);
  const gone = whyNot(r, 'WorkloadServices', 'shop/web-1/web', 'Services/shop/web');
  expect(gone.verdict).toBe('gone');
  expect(gone.sentence).toContain('because Workload shop/web-1 changed services from ["web"] to []');
  expect(whyNot(r, 'Endpoints', endpoint, 'Pods/shop/web-1').verdict).toBe('gone');
});

test('a looker whose own filter changed says what it asked until then, and who wrote that', () => {
  const r = shop();
  r.write({Services: [service('web', {app: 'other'})]}, helm);
  const {verdict, sentence, evidence} = whyNot(r, 'ServiceInfos', 'shop/web', 'Pods/shop/web-1');
  expect(verdict).toBe('looked-elsewhere');
  expect(sentence).toMatch(
    /It asked fetch\(Pods, namespace shop and labels app=web\), which found it, until #\d+, when Service shop\/web changed spec\.selector\.app from web to other, written by helm\.$/,
  );
  expect(evidence.run?.fetches[0]?.filter).toContain('app=other');
  expect(evidence.command).toBe(
    `kubectl -n shop patch service web --type=merge -p '{"spec":{"selector":{"app":"web"}}}'`,
  );
  expect(evidence.commandNote).toBe(
    'Helm manages Service shop/web and will overwrite a manual change: change it at its source.',
  );
  expect(evidence.reacted.some(one => one.collection === 'ServiceInfos' && one.runs > 0)).toBe(false);
});

test('has and wants are the same in the sentence and in the nearest miss, from either side', () => {
  const r = shop();
  r.write({Pods: [pod('web-2', {app: 'wbe'})]}, helm);
  const fromService = whyNot(r, 'ServiceInfos', 'shop/web', 'Pods/shop/web-2');
  expect(fromService.sentence).toContain('it selects app=web, and Pod shop/web-2 has app=wbe');
  const fromPod = whyNot(r, 'Workloads', 'shop/web-2', 'Services/shop/web');
  expect(fromPod.sentence).toContain('Service shop/web does not select Pod shop/web-2: it selects app=web');
  for (const {evidence} of [fromService, fromPod])
    expect(evidence.nearest).toMatchObject({wants: 'web', has: 'wbe'});
});

test('an object that never was changed nothing', () => {
  const r = shop();
  const {verdict, sentence} = whyNot(r, 'ServiceInfos', 'shop/web', 'Pods/shop/nobody');
  expect([verdict, sentence]).toEqual([
    'no-change',
    'Pod shop/nobody does not exist and is not in the recording.',
  ]);
});

test('why-empty has what decided it also where every fetch found something', () => {
  const r = shop();
  r.write({
    Services: [
      {
        metadata: {name: 'web', namespace: 'shop'},
        spec: {selector: {app: 'web'}, ports: [{name: 'x', port: 80, targetPort: 'nope'}]},
      },
    ],
  });
  const answer = r.ask<WhyNot>({ask: 'why-empty', collection: 'Endpoints', key: 'shop/web-1/web'});
  expect(answer.verdict).toBe('equal');
  expect(answer.sentence).toMatch(/of Pod shop\/web-1/);
  expect(answer.sentence).toMatch(/of Service shop\/web/);
});

test('who did react never lists the one that is asked about', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})], Pods: [pod('web-1')]});
  r.write({Services: [service('web', {app: 'wbe'})]}, {manager: 'helm', operation: 'Update'});
  const asked = {
    collection: 'ServiceInfos',
    key: 'shop/web',
    expected: {collection: 'Pods', key: 'shop/web-1'},
  };
  const {evidence} = r.ask<WhyNot>({ask: 'why-not', ...asked});
  expect(evidence.reacted.map(({collection}) => collection)).toEqual(['Workloads', 'ClusterSummary']);
});
