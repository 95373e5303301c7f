import {expect, test} from 'vitest';
import type {ClusterObjects, KindObjects} from './cluster-objects.ts';
import {isOlder} from './cluster-objects.ts';
import {InformerLag} from './informer-lag.ts';

type Versions = Record<string, string>;

const objectOf = (uid: string, resourceVersion: string) => ({metadata: {uid, resourceVersion}});
const rowsOf = (versions: Versions) =>
  new Map(Object.entries(versions).map(([key, version]) => [key, objectOf(`uid-${key}`, version)]));

function kindOf(resource: string, kind: string, versions: Versions, group = ''): KindObjects {
  return {
    resource: {group, version: 'v1', resource, kind, namespaced: true},
    current: true,
    keys: () => Object.keys(versions),
    writers: () => [],
    version: key =>
      versions[key] === undefined ? undefined : {uid: `uid-${key}`, resourceVersion: versions[key]},
  };
}

/** A cluster with Services, whose versions the test changes. */
function serviceCluster(services: Versions, namespaces: string[] = []): ClusterObjects {
  return {session: 'prod', namespaces, kinds: () => [kindOf('services', 'Service', services)]};
}

test('rows that differ count from the second document on, with the time since the first', () => {
  const services: Versions = {'a/one': '10', 'a/two': '11'};
  const lag = new InformerLag(() => [serviceCluster(services)]);
  const compare = (versions: Versions, at: number) => {
    lag.compare(new Map([['informer/Services', rowsOf(versions)]]), at);
    return lag.answer.collections[0];
  };
  const both = {...services};
  compare(both, 0);
  expect(compare(both, 1000)).toEqual({
    name: 'informer/Services',
    resource: 'services',
    same: 2,
    behind: 0,
    missing: 0,
    extra: 0,
    behindSeconds: 0,
    rows: [],
  });
  // The cluster moves on: a newer version, a new object, a deleted one.
  services['a/one'] = '20';
  services['a/new'] = '21';
  delete services['a/two'];
  expect(compare(both, 2000)).toMatchObject({same: 2, behind: 0, missing: 0, extra: 0});
  expect(compare(both, 5000)).toMatchObject({
    same: 0,
    behind: 1,
    missing: 1,
    extra: 1,
    behindSeconds: 3,
    rows: [
      {key: 'a/new', state: 'missing', seconds: 3},
      {key: 'a/one', state: 'behind', seconds: 3},
      {key: 'a/two', state: 'extra', seconds: 3},
    ],
  });
  expect(lag.lastingLonger(10_000)).toEqual([]);
  compare(both, 13_000);
  expect(lag.lastingLonger(10_000)).toEqual([
    {
      collection: 'informer/Services',
      resource: 'services',
      rows: [
        {key: 'a/new', state: 'missing', since: 2000},
        {key: 'a/one', state: 'behind', since: 2000},
        {key: 'a/two', state: 'extra', since: 2000},
      ],
    },
  ]);
  expect(compare({...services}, 14_000)).toMatchObject({same: 2, behind: 0, missing: 0, extra: 0, rows: []});
  expect(lag.lastingLonger(10_000)).toEqual([]);
});

test('a program that follows a busy object at a distance of one version is not behind for long', () => {
  const services: Versions = {'a/one': '10'};
  const lag = new InformerLag(() => [serviceCluster(services)]);
  for (let version = 10; version < 40; version++) {
    const own = String(version);
    services['a/one'] = String(version + 1);
    lag.compare(new Map([['informer/Services', rowsOf({'a/one': own})]]), version * 1000);
    expect(lag.answer.collections[0]?.behindSeconds).toBeLessThanOrEqual(1);
  }
});

test('objects that an informer left out from the start are counted and are no finding', () => {
  const services: Versions = {'a/one': '10', 'a/filtered': '11'};
  const lag = new InformerLag(() => [serviceCluster(services)]);
  for (const at of [0, 20_000, 40_000])
    lag.compare(new Map([['informer/Services', rowsOf({'a/one': '10'})]]), at);
  expect(lag.answer.collections[0]).toMatchObject({missing: 1, selective: true, behindSeconds: 0, rows: []});
  expect(lag.lastingLonger(10_000)).toEqual([]);
});

test('the cluster is the one with the same uids; without one nothing is compared', () => {
  const other: ClusterObjects = {
    session: 'staging',
    namespaces: [],
    kinds: () => [{...kindOf('services', 'Service', {}), version: () => ({uid: 'x', resourceVersion: '1'})}],
  };
  const clusters = [other];
  const lag = new InformerLag(() => clusters);
  const informers = new Map([
    ['informer/Services', rowsOf({'a/one': '10'})],
    ['crdclient/informer/VirtualService', rowsOf({'a/v': '10'})],
  ]);
  lag.compare(informers, 0);
  expect(lag.answer).toMatchObject({reason: 'no session of the same cluster is open', collections: []});
  clusters.push(serviceCluster({'a/one': '10'}));
  lag.compare(informers, 1000);
  expect(lag.answer).toMatchObject({cluster: 'prod', notCompared: ['crdclient/informer/VirtualService']});
  expect(lag.answer.collections.map(({name}) => name)).toEqual(['informer/Services']);
});

test('two kinds of one name are told apart by their objects, and other namespaces are left out', () => {
  const kinds = [
    kindOf('gateways', 'Gateway', {'a/istio': '5'}, 'networking.istio.io'),
    kindOf('gateways', 'Gateway', {'a/api': '6'}, 'gateway.networking.k8s.io'),
  ];
  const lag = new InformerLag(() => [{session: 'prod', namespaces: ['a'], kinds: () => kinds}]);
  const informers = new Map([
    ['crdclient/informer/Gateway', rowsOf({'a/istio': '5', 'b/elsewhere': '5'})],
    ['crdclient/informer/Gateway#2', rowsOf({'a/api': '6'})],
  ]);
  for (const at of [0, 1000]) lag.compare(informers, at);
  expect(lag.answer.collections).toMatchObject([
    {resource: 'gateways.networking.istio.io', same: 1, extra: 0},
    {resource: 'gateways.gateway.networking.k8s.io', same: 1, extra: 0},
  ]);
});

test('versions compare as numbers', () => {
  expect(isOlder('9', '10')).toBe(true);
  expect(isOlder('10', '9')).toBe(false);
  expect(isOlder('10', '10')).toBe(false);
  expect(isOlder('99999999999999999998', '99999999999999999999')).toBe(true);
});
