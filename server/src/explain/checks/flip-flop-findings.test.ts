import {type Check, type Checks, checksSchema} from '@krtscope/shared/checks.ts';
import {expect, test} from 'vitest';
import {
  createTestGraphHost,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';

const checks = (r: TestGraphHost, more = {}) => checksSchema.parse(r.ask<Checks>({ask: 'checks', ...more}));
const _found = (r: TestGraphHost, code: string): Check | undefined =>
  checks(r).checks.find(c => c.code === code);

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
