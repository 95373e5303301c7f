import {shippedSources} from '@krtscope/shared/sources.ts';
import {expect, test} from 'vitest';
import {type Collection, createEngine, newStaticCollection, type StaticCollection} from '../krt/index.ts';
import {buildShippedGraph} from './shipped-graph.ts';
import {makeCluster} from './testing-cluster.ts';

type Row = Record<string, unknown>;

function shop() {
  const engine = createEngine({checks: 'all'});
  const sources = new Map<string, StaticCollection<unknown>>();
  for (const name of Object.keys(shippedSources))
    sources.set(name, newStaticCollection<unknown>(engine, [], {name}));
  buildShippedGraph(engine, name => sources.get(name) as Collection<unknown>);
  const rows = (name: string): Record<string, Row> => {
    const found = engine.dump().find(entry => entry.name === name);
    return (found?.state.outputs ?? {}) as Record<string, Row>;
  };
  const put = (name: string, object: object) => sources.get(name)?.updateObject(object);
  const remove = (name: string, key: string) => sources.get(name)?.deleteObject(key);
  return {engine, rows, put, remove};
}

function pod(name: string, {phase = 'Running', ready = 'True', app = 'web'} = {}) {
  return {
    metadata: {
      name,
      namespace: 'shop',
      labels: {app},
      ownerReferences: [{kind: 'ReplicaSet', name: 'web-1', controller: true}],
    },
    spec: {nodeName: 'n1', containers: [{name: 'c', ports: [{name: 'http', containerPort: 8080}]}]},
    status: {phase, podIP: '10.0.0.1', conditions: [{type: 'Ready', status: ready}]},
  };
}

const service = {
  metadata: {name: 'web', namespace: 'shop'},
  spec: {selector: {app: 'web'}, ports: [{name: 'http', port: 80, targetPort: 'http'}]},
};

function slice(ready: boolean, manager = 'endpointslice-controller.k8s.io') {
  const ip = '10.0.0.1';
  const labels = {'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': manager};
  return {
    metadata: {name: 'web-x', namespace: 'shop', labels},
    endpoints: [{addresses: [ip], conditions: {ready}, targetRef: {kind: 'Pod', name: 'a'}}],
    ports: [{name: 'http', port: 8080}],
  };
}

test('a Workload is a running Pod with its owner, its Services and the waypoint of its namespace', () => {
  const {rows, put} = shop();
  put('Pods', pod('a'));
  put('Pods', pod('waiting', {phase: 'Pending'}));
  put('Services', service);
  put('Services', {metadata: {name: 'empty', namespace: 'shop'}, spec: {}});
  put('Namespaces', {metadata: {name: 'shop', labels: {'istio.io/use-waypoint': 'gate'}}});
  put('ReplicaSets', {
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      ownerReferences: [{kind: 'Deployment', name: 'web', controller: true}],
    },
  });
  expect(rows('Workloads')).toEqual({
    'shop/a': {
      namespace: 'shop',
      name: 'a',
      owner: 'Deployment/web',
      node: 'n1',
      ip: '10.0.0.1',
      waypoint: 'gate',
      services: ['web'],
      labels: {app: 'web'},
    },
  });
  expect(rows('WorkloadsByNode').n1).toMatchObject({Key: 'n1'});
});

test('a ServiceInfo counts the Pods it selects; one without a selector selects none', () => {
  const {rows, put} = shop();
  put('Services', service);
  put('Services', {metadata: {name: 'bare', namespace: 'shop'}, spec: {ports: []}});
  put('Pods', pod('a'));
  put('Pods', pod('b', {ready: 'False'}));
  put('Pods', pod('c', {app: 'other'}));
  expect(rows('ServiceInfos')['shop/web']).toMatchObject({pods: 2, ready: 1});
  expect(rows('ServiceInfos')['shop/bare']).toMatchObject({pods: 0, ready: 0});
});

test('Backends say where Pods and EndpointSlices agree, and a named target port is the container port', () => {
  const {rows, put, remove} = shop();
  const key = 'shop/web/10.0.0.1:8080/http';
  put('Services', service);
  put('Pods', pod('a'));
  expect(Object.keys(rows('WorkloadServices'))).toEqual(['shop/a/web']);
  expect(rows('Endpoints')[key]).toMatchObject({workload: 'a', ready: true, from: 'pods'});
  expect(rows('Backends')[key]).toMatchObject({agreement: 'only-pods', pods: true});
  put('EndpointSlices', slice(true));
  expect(rows('SliceEndpoints')[key]).toMatchObject({workload: 'a', from: 'slices'});
  expect(rows('Backends')[key]).toMatchObject({agreement: 'agree', pods: true, slices: true});
  put('EndpointSlices', slice(false));
  expect(rows('Backends')[key]).toMatchObject({agreement: 'ready-differs'});
  expect(rows('ClusterSummary').cluster).toMatchObject({disagreements: 1});
  remove('Pods', 'shop/a');
  expect(rows('Backends')[key]).toMatchObject({agreement: 'only-slices'});
  put('EndpointSlices', slice(true, 'me'));
  expect(rows('Backends')[key]).toMatchObject({agreement: 'by-hand'});
  expect(rows('ClusterSummary').cluster).toMatchObject({disagreements: 0});
});

test('PolicyBindings hold for labels and expressions, and for all Pods of the namespace without a selector', () => {
  const {rows, put} = shop();
  put('Pods', pod('a'));
  put('Pods', pod('b', {app: 'other'}));
  const policy = (name: string, podSelector: object) =>
    put('NetworkPolicies', {metadata: {name, namespace: 'shop'}, spec: {podSelector}});
  policy('labels', {matchLabels: {app: 'web'}});
  policy('expressions', {matchExpressions: [{key: 'app', operator: 'NotIn', values: ['web']}]});
  policy('all', {});
  policy('inherited', {matchExpressions: [{key: 'constructor', operator: 'Exists'}]});
  expect(Object.keys(rows('PolicyBindings')).sort()).toEqual([
    'shop/all/a',
    'shop/all/b',
    'shop/expressions/b',
    'shop/labels/a',
  ]);
});

test('ClusterSummary counts, and nothing in the graph breaks a promise', () => {
  const {engine, rows, put} = shop();
  engine.batch(() => {
    for (const [name, , object] of makeCluster({pods: 60, namespaces: 3, services: 6, nodes: 4}))
      put(name, object);
    put('Pods', pod('pending', {phase: 'Pending'}));
  });
  expect(rows('ClusterSummary').cluster).toEqual({
    namespaces: 3,
    nodes: 4,
    nodesReady: 4,
    running: 60,
    notRunning: 1,
    services: 6,
    servicesWithoutReadyPods: 0,
    deployments: 6,
    deploymentsAvailable: 6,
    configMaps: 6,
    secrets: 0,
    disagreements: 0,
  });
  expect(engine.violations()).toEqual([]);
});
