import {afterEach, describe, expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {ApiError} from '../../kube/error.ts';
import type {KubeObject} from '../../kube/object.ts';
import {isNotFound} from '../client/error-checks.ts';
import {LiveReader} from '../client/live-reader.ts';
import {eventOf, type WatchEvent} from '../controller/watch-event.ts';
import {ConfigMap, Node, Pod} from '../scheme/built-in-kinds.ts';
import {kind} from '../scheme/kind.ts';
import {Mapper, NoKindMatchError} from '../scheme/mapper.ts';
import {TestWire} from '../testing-wire.ts';
import {CacheNotStartedError, ResourceNotCachedError, UnknownNamespaceError} from './cache-errors.ts';
import {type CacheOptions, InformerCache} from './informer-cache.ts';

const patient = {timeout: 20_000};
/** Ends a watch. The next list contains what was missed. */
const expired = {kind: 'Status', code: 410, reason: 'Expired', metadata: {}} as unknown as KubeObject;

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function pod(namespace: string, name: string, node: string, labels: Record<string, string> = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {namespace, name, uid: name, labels, resourceVersion: '1'},
    spec: {nodeName: node},
  };
}

function rig(options: Partial<CacheOptions> = {}) {
  const wire = new TestWire().put(
    '/api/v1/pods',
    pod('a', 'one', 'n1', {app: 'x'}),
    pod('a', 'two', 'n2', {app: 'y'}),
    pod('b', 'three', 'n1', {app: 'x', tier: 'back'}),
  );
  const cache = new InformerCache({
    client: new DynamicClient(wire),
    mapper: new Mapper(wire),
    streaming: false,
    ...options,
  });
  const stop = new AbortController();
  stops.push(stop);
  const start = () => void cache.start(stop.signal);
  return {
    wire,
    cache,
    start,
    names: async (list: Promise<{items: KubeObject[]}>) =>
      (await list).items.map(({metadata}) => metadata.name),
  };
}

describe('reading', () => {
  test('a read before the start is refused', async () => {
    const {cache} = rig();
    await expect(cache.get(Pod, {namespace: 'a', name: 'one'})).rejects.toThrow(CacheNotStartedError);
  });

  test('[65] the first read starts one informer and waits for it; later ones make no request', async () => {
    const {cache, wire, start} = rig();
    start();
    const pods = await Promise.all([1, 2, 3].map(() => cache.get(Pod, {namespace: 'a', name: 'one'})));
    expect(pods.map(one => one.spec?.nodeName)).toEqual(['n1', 'n1', 'n1']);
    for (let i = 0; i < 100; i++) await cache.get(Pod, {namespace: 'b', name: 'three'});
    expect(wire.log.filter(line => line.startsWith('GET'))).toHaveLength(1);
  });

  test('[68] a copy may be changed, a list is frozen unless copies are asked for', async () => {
    const {cache, start} = rig();
    start();
    const key = {namespace: 'a', name: 'one'};
    const mine = await cache.get(Pod, key);
    mine.metadata.labels!.app = 'changed';
    expect((await cache.get(Pod, key)).metadata.labels).toEqual({app: 'x'});
    const [frozen] = (await cache.list(Pod, {namespace: 'a'})).items;
    expect(() => {
      frozen!.spec!.nodeName = 'other';
    }).toThrow(TypeError);
    const [free] = (await cache.list(Pod, {namespace: 'a', copy: true})).items;
    free!.spec!.nodeName = 'other';
    expect((await cache.get(Pod, key)).spec?.nodeName).toBe('n1');
  });

  test('what is not there is a 404 that names the kind', async () => {
    const {cache, start} = rig();
    start();
    await expect(cache.get(Pod, {namespace: 'a', name: 'none'})).rejects.toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'Pod "none" not found',
    });
  });

  test('[72] a cluster-scoped kind ignores the namespace of a key', async () => {
    const {cache, wire, start} = rig();
    wire.put('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'n', uid: 'n'}});
    start();
    expect((await cache.get(Node, {namespace: 'x', name: 'n'})).metadata.name).toBe('n');
  });

  test('[67] a cache that must not begin by itself says so and asks nothing', async () => {
    const {cache, wire, start} = rig({readerFailOnMissingInformer: true});
    start();
    await expect(cache.list(Pod)).rejects.toThrow(ResourceNotCachedError);
    expect(wire.log).toEqual([]);
    await cache.informer(Pod);
    expect((await cache.list(Pod)).items).toHaveLength(3);
  });

  test('a kind the server does not serve is NoKindMatch, and is looked for again', async () => {
    const {cache, wire, start} = rig();
    start();
    const Widget = kind('example.com/v1', 'Widget');
    await expect(cache.list(Widget)).rejects.toThrow(NoKindMatchError);
    wire.answer = ({path}) =>
      path === '/apis'
        ? {groups: [{name: 'example.com', versions: [{version: 'v1'}]}]}
        : path === '/apis/example.com/v1'
          ? {resources: [{name: 'widgets', kind: 'Widget', namespaced: true}]}
          : undefined;
    wire.put('/apis/example.com/v1/widgets', {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {namespace: 'a', name: 'w'},
    });
    expect((await cache.list(Widget)).items).toHaveLength(1);
  });
});

describe('listing', () => {
  test('by namespace and labels', async () => {
    const {cache, start, names} = rig();
    start();
    expect(await names(cache.list(Pod, {namespace: 'a'}))).toEqual(['one', 'two']);
    expect(await names(cache.list(Pod, {labels: {app: 'x'}}))).toEqual(['one', 'three']);
    expect(await names(cache.list(Pod, {labels: 'app in (x, y), !tier'}))).toEqual(['one', 'two']);
    expect(await names(cache.list(Pod, {labels: 'app!=x'}))).toEqual(['two']);
    expect(await names(cache.list(Pod, {labels: 'app notin (y),tier'}))).toEqual(['three']);
  });

  test('[59] [62] [63] by field index, in one namespace or all; of two fields the intersection', async () => {
    const {cache, start, names, wire} = rig();
    await cache.indexField(Pod, 'spec.nodeName', pod => pod.spec?.nodeName);
    await cache.indexField(Pod, 'apps', pod => Object.values(pod.metadata.labels ?? {}));
    start();
    expect(await names(cache.list(Pod, {fields: {'spec.nodeName': 'n1'}}))).toEqual(['one', 'three']);
    expect(await names(cache.list(Pod, {namespace: 'a', fields: 'spec.nodeName=n1'}))).toEqual(['one']);
    expect(await names(cache.list(Pod, {fields: {'spec.nodeName': 'n1', apps: 'back'}}))).toEqual(['three']);
    expect(await names(cache.list(Pod, {fields: {apps: 'x'}}))).toEqual(['one', 'three']);
    wire.emit('/api/v1/pods', 'MODIFIED', pod('b', 'three', 'n9'));
    await expect.poll(() => names(cache.list(Pod, {fields: {'spec.nodeName': 'n1'}}))).toEqual(['one']);
    expect(await names(cache.list(Pod, {fields: {'spec.nodeName': 'n9'}}))).toEqual(['three']);
  });

  test('[60] [61] [73] what a cache cannot do it refuses', async () => {
    const {cache, start} = rig();
    start();
    await expect(cache.list(Pod, {fields: {'spec.nodeName': 'n1'}})).rejects.toThrow(
      'index with name field:spec.nodeName does not exist',
    );
    await expect(cache.list(Pod, {fields: 'spec.nodeName!=n1'})).rejects.toThrow(
      'non-exact field matches are not supported by the cache',
    );
    await expect(cache.list(Pod, {continue: 'x'})).rejects.toThrow(
      'continue list option is not supported by the cache',
    );
    const two = await cache.list(Pod, {limit: 2});
    expect(two.items).toHaveLength(2);
    expect(two.metadata.continue).toBe('continue-not-supported');
  });
});

describe('what is cached', () => {
  test('[71] named namespaces and all others are two lists that do not overlap', async () => {
    const {cache, wire, start} = rig({namespaces: {a: {}, '': {labels: {app: 'x'}}}});
    wire.put('/api/v1/namespaces/a/pods', pod('a', 'one', 'n1'));
    start();
    await cache.list(Pod);
    expect(wire.log.filter(line => line.startsWith('GET'))).toEqual([
      'GET /api/v1/namespaces/a/pods?limit=500&resourceVersion=0',
      'GET /api/v1/pods?labelSelector=app=x&fieldSelector=metadata.namespace!=a&limit=500&resourceVersion=0',
    ]);
  });

  test('a namespace that is not cached is an error and not an empty answer', async () => {
    const {cache, wire, start} = rig({namespaces: ['a']});
    wire.put('/api/v1/namespaces/a/pods', pod('a', 'one', 'n1'));
    start();
    expect((await cache.list(Pod)).items).toHaveLength(1);
    await expect(cache.list(Pod, {namespace: 'b'})).rejects.toThrow(UnknownNamespaceError);
    await expect(cache.get(Pod, {namespace: 'b', name: 'three'})).rejects.toThrow(
      'unknown namespace for the cache',
    );
  });

  test('[59] an index spans the namespaces that are cached, each of which comes and goes by itself', async () => {
    const clock = new ManualClock();
    const {cache, wire, start, names} = rig({namespaces: ['a', 'b'], clock});
    const [a, b] = ['/api/v1/namespaces/a/pods', '/api/v1/namespaces/b/pods'];
    wire.put(a, pod('a', 'one', 'n1'), pod('a', 'two', 'n2'));
    wire.put(b, pod('b', 'one', 'n1'), pod('b', 'three', 'n1'));
    await cache.indexField(Pod, 'spec.nodeName', pod => pod.spec?.nodeName);
    start();
    const on = (node: string, namespace?: string) =>
      names(cache.list(Pod, {fields: {'spec.nodeName': node}, namespace}));
    expect(await on('n1')).toEqual(['one', 'one', 'three']);
    expect(await on('n1', 'b')).toEqual(['one', 'three']);
    expect(await on('n2', 'b')).toEqual([]);
    await expect(on('n1', 'c')).rejects.toThrow(UnknownNamespaceError);
    wire.emit(b, 'DELETED', pod('b', 'one', 'n1'));
    wire.emit(a, 'MODIFIED', pod('a', 'two', 'n1'));
    await expect.poll(() => on('n1'), patient).toEqual(['one', 'three', 'two']);
    // A new list of one says nothing about the other.
    wire.objects.set(a, [pod('a', 'four', 'n1')]);
    wire.emit(a, 'ERROR', expired);
    await expect
      .poll(() => {
        clock.advance(500);
        return on('n1');
      }, patient)
      .toEqual(['three', 'four']);
  });

  test('the nearest selection wins: the kind before the cache', async () => {
    const {cache, wire, start} = rig({
      labels: 'all=1',
      byKind: [{kind: ConfigMap, labels: 'own=1', fields: {'metadata.namespace': 'a'}}],
    });
    wire.put('/api/v1/namespaces/a/configmaps');
    start();
    await cache.list(ConfigMap);
    await cache.list(Pod);
    expect(wire.log.filter(line => line.startsWith('GET')).map(line => line.split('&limit')[0])).toEqual([
      'GET /api/v1/namespaces/a/configmaps?labelSelector=own=1',
      'GET /api/v1/pods?labelSelector=all=1',
    ]);
  });

  test('[48] [49] gone or replaced while nobody watched: a delete that says so, and an update of both uids', async () => {
    const clock = new ManualClock();
    const {cache, wire, start} = rig({clock});
    start();
    const events: WatchEvent[] = [];
    (await cache.informer(Pod)).addHandler({onChange: change => void events.push(eventOf(change))});
    events.length = 0;
    const again = pod('a', 'two', 'n5');
    again.metadata = {...again.metadata, uid: 'another', resourceVersion: '200'};
    wire.objects.set('/api/v1/pods', [again, pod('b', 'three', 'n1', {app: 'x', tier: 'back'})]);
    wire.emit('/api/v1/pods', 'ERROR', expired);
    await expect
      .poll(() => {
        clock.advance(500);
        return events.length;
      }, patient)
      .toBe(2);
    const [update, gone] = ['update', 'delete'].map(type => events.find(event => event.type === type));
    expect(gone).toMatchObject({deleteStateUnknown: true, object: {spec: {nodeName: 'n1'}}});
    expect(update).toMatchObject({old: {metadata: {uid: 'two'}}, object: {metadata: {uid: 'another'}}});
    await expect(cache.get(Pod, {namespace: 'a', name: 'one'})).rejects.toSatisfy(isNotFound);
  });

  test('[57] managedFields are not kept, before a transform or without one; a live read has them', async () => {
    const managedFields = [{manager: 'm', operation: 'Update', fieldsV1: {'f:spec': {}}}];
    const seen: unknown[] = [];
    const transform = (object: KubeObject) => {
      seen.push(object.metadata.managedFields);
      return object;
    };
    for (const options of [{}, {transform}]) {
      const {cache, wire, start} = rig(options);
      const written = pod('a', 'one', 'n1');
      written.metadata = {...written.metadata, managedFields} as KubeObject['metadata'];
      wire.objects.set('/api/v1/pods', [written]);
      wire.put('/api/v1/namespaces/a/pods', written);
      start();
      for (const {metadata} of (await cache.list(Pod)).items) expect(metadata.managedFields).toBeUndefined();
      wire.emit('/api/v1/pods', 'ADDED', {...written, metadata: {...written.metadata, name: 'later'}});
      await expect.poll(async () => (await cache.list(Pod)).items.length, patient).toBe(2);
      for (const {metadata} of (await cache.list(Pod)).items) expect(metadata.managedFields).toBeUndefined();
      const live = await new LiveReader(new DynamicClient(wire), new Mapper(wire)).list(Pod, {
        namespace: 'a',
      });
      expect(live.items[0]?.metadata.managedFields).toEqual(managedFields);
    }
    expect(seen).toEqual([undefined, undefined]);
  });

  test('an informer that is removed is made anew by the next read', async () => {
    const {cache, wire, start} = rig();
    start();
    await cache.list(Pod);
    await cache.removeInformer(Pod);
    await cache.list(Pod);
    expect(wire.log.filter(line => line.startsWith('GET'))).toHaveLength(2);
  });

  test('what keeps a kind from being followed is said at once, and once', async () => {
    const problems: string[] = [];
    const {cache, wire, start} = rig({onProblem: problem => void problems.push(problem)});
    wire.answer = ({path}) => (path === '/api/v1/pods' ? new ApiError(403, 'pods is forbidden') : undefined);
    start();
    await cache.informer(Pod, {blockUntilSynced: false});
    await expect.poll(() => problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^pods: forbidden: .*pods is forbidden/);
    await expect
      .poll(() => wire.log.filter(line => line.startsWith('GET /api/v1/pods')).length, {timeout: 10_000})
      .toBeGreaterThan(1);
    expect(problems).toHaveLength(1);
  });

  test('a transform that throws is named, and the server is not blamed', async () => {
    const problems: string[] = [];
    const {cache, start} = rig({
      onProblem: problem => void problems.push(problem),
      transform: () => {
        throw new Error('a bug in the transform');
      },
    });
    start();
    await cache.informer(Pod, {blockUntilSynced: false});
    await expect.poll(() => problems).toEqual(['pods: cannot process the objects: a bug in the transform']);
  });

  test('[66] a first list that does not come is an error that names the kind and the reason', async () => {
    const {cache, wire, start} = rig({syncTimeout: 20});
    wire.answer = () => new Error('no way');
    start();
    await expect(cache.list(Pod)).rejects.toThrow(/failed waiting for Pod \(v1\) to sync: .*no way/);
  });
});
