// The runtime's client and cache against a server: writes, errors, patches and reads.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {ConfigMap, Deployment, Scale} from '../../src/built-in-types/index.ts';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {tokenCredentials} from '../../src/kube/credentials/credentials.ts';
import {isApiError} from '../../src/kube/error.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {Transport} from '../../src/kube/transport/transport.ts';
import {type CacheOptions, InformerCache} from '../../src/runtime/cache/informer-cache.ts';
import {createOrPatch, createOrUpdate} from '../../src/runtime/client/create-or-update.ts';
import {isAlreadyExists, isConflict, isInvalid, isNotFound} from '../../src/runtime/client/error-checks.ts';
import {jsonPatch, mergeFrom} from '../../src/runtime/client/patch.ts';
import {RuntimeClient} from '../../src/runtime/client/runtime-client.ts';
import {strategicMergeFrom} from '../../src/runtime/client/strategic-merge-patch.ts';
import {addFinalizer, removeFinalizer} from '../../src/runtime/object/finalizer.ts';
import {setControllerReference} from '../../src/runtime/object/owner.ts';
import * as kinds from '../../src/runtime/scheme/built-in-kinds.ts';
import {kind, metadataOf} from '../../src/runtime/scheme/kind.ts';
import {Mapper, NoKindMatchError} from '../../src/runtime/scheme/mapper.ts';
import type {TestServer} from '../servers.ts';

const namespace = 'runtime-client';

function map(name: string, data: Record<string, string> = {}): ConfigMap {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace, name}, data};
}

function deployment(name: string): Deployment {
  const labels = {app: name};
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {namespace, name},
    spec: {
      replicas: 1,
      selector: {matchLabels: labels},
      template: {metadata: {labels}, spec: {containers: [{name: 'app', image: 'app:1'}]}},
    },
  };
}

interface Ingress extends KubeObject {
  status?: {loadBalancer?: {ingress?: {hostname: string}[]}};
}

function ingress(name: string): Ingress {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {namespace, name},
    spec: {defaultBackend: {service: {name: 'web', port: {number: 80}}}},
  };
}

/** A client with a cache, as a program has it, until `stop`. */
export function program(
  server: TestServer,
  options: {fieldOwner?: string; token?: string; byKind?: CacheOptions['byKind']} = {},
) {
  const transport = options.token
    ? new Transport(tokenCredentials(server.url, options.token, server.ca), {readOnly: false})
    : server.client.transport;
  const requests: string[] = [];
  const counted: typeof transport = {
    server: transport.server,
    readOnly: false,
    clock: transport.clock,
    request: request => {
      requests.push(`${request.method ?? 'GET'} ${request.path}`);
      return transport.request(request);
    },
    stream: request => transport.stream(request),
    close: () => transport.close(),
  } as typeof transport;
  const live = new DynamicClient(counted);
  const mapper = new Mapper(counted);
  const cache = new InformerCache({client: live, mapper, syncTimeout: 10_000, byKind: options.byKind});
  const stop = new AbortController();
  const ended = cache.start(stop.signal);
  const client = new RuntimeClient({
    client: live,
    mapper,
    cache,
    fieldOwner: options.fieldOwner ?? 'runtime-test',
  });
  return {
    client,
    cache,
    mapper,
    requests,
    async stop() {
      stop.abort();
      await ended;
      if (options.token) await transport.close();
    },
  };
}

export function clientSuite(server: () => TestServer): void {
  describe('runtime client', () => {
    let own: ReturnType<typeof program>;
    beforeAll(async () => {
      own = program(server());
      await own.client.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}});
    });
    afterAll(async () => {
      await own.client.delete({apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}});
      await own.stop();
    });

    test('[75] [77] a created object is in the cache when the watch has brought it; reads of it make no request', async () => {
      const {client, requests} = own;
      const made = await client.create(map('seen', {k: 'v'}));
      expect(made.metadata.uid).toBeTruthy();
      await expect
        .poll(() => client.get(kinds.ConfigMap, {namespace, name: 'seen'}).catch(() => undefined), {
          timeout: 10_000,
        })
        .toMatchObject({
          data: {k: 'v'},
          metadata: {uid: made.metadata.uid},
        });
      const before = requests.length;
      for (let i = 0; i < 100; i++) await client.get(kinds.ConfigMap, {namespace, name: 'seen'});
      expect(requests.length).toBe(before);
      await expect(client.create(map('seen'))).rejects.toSatisfy(isAlreadyExists);
      await expect(client.apiReader.get(kinds.ConfigMap, {namespace, name: 'none'})).rejects.toSatisfy(
        isNotFound,
      );
    });

    test('[69] an object that loses the label a cache selects by is not found, though it is there', async () => {
      const object = map('chosen');
      object.metadata.labels = {app: 'x'};
      await own.client.create(object);
      const some = program(server(), {byKind: [{kind: kinds.ConfigMap, labels: {app: 'x'}}]});
      const key = {namespace, name: 'chosen'};
      const heard: string[] = [];
      const followed = await some.cache.informer(kinds.ConfigMap);
      followed.addHandler({onChange: change => void heard.push(`${change.event} ${change.key}`)});
      expect((await some.client.get(kinds.ConfigMap, key)).metadata.uid).toBe(object.metadata.uid);
      const base = deepCopy(object);
      delete object.metadata.labels;
      await own.client.patch(object, mergeFrom(base));
      await expect.poll(() => heard.at(-1), {timeout: 20_000}).toBe(`delete ${namespace}/chosen`);
      await expect(some.client.get(kinds.ConfigMap, key)).rejects.toSatisfy(isNotFound);
      expect((await some.client.apiReader.get(kinds.ConfigMap, key)).metadata.uid).toBe(object.metadata.uid);
      await some.stop();
    });

    test('[78] a stale version is a conflict, the current one is renewed in the object', async () => {
      const {client} = own;
      const first = await client.create(map('versions'));
      const stale = deepCopy(first);
      const before = first.metadata.resourceVersion;
      first.data = {n: '1'};
      await client.update(first);
      expect(first.metadata.resourceVersion).not.toBe(before);
      stale.data = {n: '2'};
      await expect(client.update(stale)).rejects.toSatisfy(isConflict);
    });

    test('[79] [84] merge patches, with and without a lock', async () => {
      const {client} = own;
      const object = await client.create(map('merge', {a: '1', b: '2'}));
      const base = deepCopy(object);
      await client.patch(deepCopy(object), {type: 'merge', body: () => ({data: {c: '3'}})});
      delete object.data!.a;
      await client.patch(object, mergeFrom(base));
      expect(object.data).toEqual({b: '2', c: '3'});
      const late = deepCopy(base);
      late.data!.b = '9';
      await expect(client.patch(late, mergeFrom(base, {optimisticLock: true}))).rejects.toSatisfy(isConflict);
    });

    test('strategic merge changes one container and leaves the one that somebody else added', async () => {
      const {client} = own;
      const object = await client.create(deployment('strategic'));
      const base = deepCopy(object);
      await client.patch(deepCopy(object), {
        type: 'strategic',
        body: () => ({spec: {template: {spec: {containers: [{name: 'side', image: 'side:1'}]}}}}),
      });
      object.spec!.template!.spec!.containers[0]!.image = 'app:2';
      await client.patch(object, strategicMergeFrom(base));
      const images = object.spec!.template!.spec!.containers.map(one => one.image);
      expect(images.sort()).toEqual(['app:2', 'side:1']);
    });

    test('[86] a JSON patch whose test fails changes nothing', async () => {
      const {client} = own;
      const object = await client.create(map('json', {a: '1'}));
      const operations = [
        {op: 'test', path: '/data/a', value: '2'},
        {op: 'remove', path: '/data/a'},
      ];
      await expect(client.patch(deepCopy(object), jsonPatch(operations))).rejects.toSatisfy(isInvalid);
      await client.patch(object, jsonPatch([{op: 'replace', path: '/data/a', value: '5'}]));
      expect(object.data).toEqual({a: '5'});
    });

    test('[87] two owners of one field: the second is told the first, and may force', async () => {
      const {client} = own;
      await client.apply(map('apply', {k: 'one'}), {fieldOwner: 'first'});
      const refused = await client
        .apply(map('apply', {k: 'two'}), {fieldOwner: 'second'})
        .catch(error => error);
      expect(isConflict(refused)).toBe(true);
      expect(isApiError(refused) && refused.details.causes?.[0]?.message).toContain('conflict with "first"');
      expect(
        (await client.apply(map('apply', {k: 'two'}), {fieldOwner: 'second', force: true})).data,
      ).toEqual({k: 'two'});
    });

    test('[90] scale and status are written apart from the object', async () => {
      const {client} = own;
      const object = await client.create(deployment('parts'));
      const scale = await client.subResource('scale').get<Scale>(object);
      // The cluster's controllers write to it, too. Without a version there is no conflict.
      delete scale.metadata.resourceVersion;
      scale.spec = {replicas: 2};
      const scaled = await client.subResource('scale').update(object, {body: scale});
      expect(scaled.spec?.replicas).toBe(2);
      const after = await client.apiReader.get(kinds.Deployment, {namespace, name: 'parts'});
      expect(after.spec?.replicas).toBe(2);
      const conditions = [{type: 'Mine', status: 'True' as const, reason: 'Test', message: ''}];
      const withStatus = {...after, status: {...after.status, conditions}};
      await client.status().patch(withStatus, mergeFrom(after));
      const stored = await client.apiReader.get(kinds.Deployment, {namespace, name: 'parts'});
      expect(stored.metadata.generation).toBe(after.metadata.generation);
    });

    test('a status that somebody else wrote in between is a conflict, unless it is merged', async () => {
      const {client} = own;
      // No controller writes the status of an Ingress without a class.
      const made = await client.create(ingress('statuses'));
      const [stale, base] = [deepCopy(made), deepCopy(made)];
      const reached = (object: Ingress, hostname: string): Ingress => ({
        ...deepCopy(object),
        status: {loadBalancer: {ingress: [{hostname}]}},
      });
      await client.status().update(reached(made, 'first'), {fieldOwner: 'first'});
      await expect(client.status().update(reached(stale, 'second'))).rejects.toSatisfy(isConflict);
      const locked = mergeFrom(base, {optimisticLock: true});
      await expect(client.status().patch(reached(stale, 'second'), locked)).rejects.toSatisfy(isConflict);
      const wish = reached(ingress('statuses'), 'third');
      const refused = client.status().apply(deepCopy(wish), {fieldOwner: 'third'});
      await expect(refused).rejects.toSatisfy(isConflict);
      const hostnames = ({status}: Ingress) => status?.loadBalancer?.ingress?.map(one => one.hostname);
      const live = () =>
        client.apiReader.get(kind<Ingress>('networking.k8s.io/v1', 'Ingress'), {namespace, name: 'statuses'});
      expect(hostnames(await live())).toEqual(['first']);
      expect(hostnames(await client.status().patch(reached(stale, 'second'), mergeFrom(base)))).toEqual([
        'second',
      ]);
      await client.status().apply(deepCopy(wish), {fieldOwner: 'third', force: true});
      expect(hostnames(await live())).toEqual(['third']);
      expect((await live()).metadata.generation).toBe(made.metadata.generation);
    });

    test('[91] a dry run answers as if it had been done, and nothing is kept', async () => {
      const dry = own.client.with({dryRun: true});
      expect((await dry.create(map('dry'))).metadata.uid).toBeTruthy();
      await expect(own.client.apiReader.get(kinds.ConfigMap, {namespace, name: 'dry'})).rejects.toSatisfy(
        isNotFound,
      );
    });

    test('[127] createOrUpdate and createOrPatch write what is needed and no more', async () => {
      const client = new RuntimeClient({client: server().client, mapper: own.mapper});
      const wish = (text: string) => (object: ConfigMap) => {
        object.data = {k: text};
      };
      expect(await createOrUpdate(client, map('wish'), wish('1'))).toBe('created');
      expect(await createOrUpdate(client, map('wish'), wish('1'))).toBe('unchanged');
      expect(await createOrUpdate(client, map('wish'), wish('2'))).toBe('updated');
      expect(await createOrPatch(client, map('wish'), wish('2'))).toBe('unchanged');
      expect(await createOrPatch(client, map('wish'), wish('3'))).toBe('updated');
    });

    test('[128] [129] a finalizer holds an object until it is removed; none can be added while it goes', async () => {
      const {client} = own;
      const object = map('held');
      addFinalizer(object, 'example.com/hold');
      await client.create(object);
      await client.delete(object);
      const going = await client.apiReader.get(kinds.ConfigMap, {namespace, name: 'held'});
      expect(going.metadata.deletionTimestamp).toBeTruthy();
      const more = deepCopy(going);
      addFinalizer(more, 'example.com/more');
      await expect(client.update(more)).rejects.toSatisfy(error => isApiError(error, 422, 403));
      removeFinalizer(going, 'example.com/hold');
      await client.update(going);
      await expect(client.apiReader.get(kinds.ConfigMap, {namespace, name: 'held'})).rejects.toSatisfy(
        isNotFound,
      );
    });

    test('deleteAllOf takes what matches; an owner reference is kept', async () => {
      const {client} = own;
      const owner = await client.create(map('owner'));
      for (const name of ['all-1', 'all-2', 'other']) {
        const object = map(name);
        object.metadata.labels = {set: name.startsWith('all') ? 'all' : 'other'};
        setControllerReference(owner, object);
        await client.create(object);
      }
      await client.deleteAllOf(kinds.ConfigMap, {namespace, labels: {set: 'all'}});
      const left = await client.apiReader.list(kinds.ConfigMap, {namespace, labels: 'set'});
      expect(left.items.map(one => one.metadata.name)).toEqual(['other']);
      expect(left.items[0]?.metadata.ownerReferences?.[0]).toMatchObject({name: 'owner', controller: true});
    });

    test('[74] metadata alone is read and followed apart from whole objects', async () => {
      const {client, cache} = own;
      await client.create(map('slim', {k: 'v'}));
      const slim = metadataOf(kinds.ConfigMap);
      const got = await client.apiReader.get(slim, {namespace, name: 'slim'});
      expect(got.data).toBeUndefined();
      expect(got.metadata.name).toBe('slim');
      const followed = await cache.informer(slim);
      expect(followed).not.toBe(await cache.informer(kinds.ConfigMap));
      await expect
        .poll(() => cache.get(slim, {namespace, name: 'slim'}).catch(() => undefined), {timeout: 10_000})
        .toBeDefined();
    });

    test('[83] a kind that is not served is NoKindMatch, and is found when its CRD has come; it has no strategic merge', async () => {
      const {client, mapper} = own;
      const Gadget = kind('runtime.example.com/v1', 'Gadget');
      await expect(client.list(Gadget)).rejects.toThrow(NoKindMatchError);
      const definition = gadgetDefinition();
      await client.create(definition);
      await expect
        .poll(() => mapper.resource(Gadget).catch(() => undefined), {timeout: 10_000})
        .toMatchObject({plural: 'gadgets'});
      const gadget = {
        apiVersion: 'runtime.example.com/v1',
        kind: 'Gadget',
        metadata: {namespace, name: 'g'},
        spec: {size: 1},
      };
      await expect
        .poll(() => client.create(deepCopy(gadget)).catch(() => undefined), {timeout: 10_000})
        .toBeDefined();
      await expect.poll(async () => (await client.list(Gadget)).items.length, {timeout: 10_000}).toBe(1);
      // [83] also by hand: the merge keys of a custom resource's lists are unknown.
      const strategic = client.patch(deepCopy(gadget), {type: 'strategic', body: () => ({spec: {size: 2}})});
      await expect(strategic, '[83]').rejects.toSatisfy(error => isApiError(error, 415));
      const computed = client.patch(
        {...deepCopy(gadget), spec: {size: 2}},
        strategicMergeFrom(deepCopy(gadget)),
      );
      await expect(computed).rejects.toThrow();
      await client.delete(definition);
    });

    test('[66] a kind that may not be listed is a timeout that names it', async () => {
      const {userToken} = server();
      if (!userToken) return;
      const other = program(server(), {token: userToken});
      const signal = AbortSignal.timeout(1500);
      await expect(other.client.list(kinds.Secret, {signal})).rejects.toThrow(
        /failed waiting for Secret \(v1\) to sync: forbidden/,
      );
      await other.stop();
    });
  });
}

function gadgetDefinition() {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'gadgets.runtime.example.com'},
    spec: {
      group: 'runtime.example.com',
      scope: 'Namespaced',
      names: {plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList'},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {spec: {type: 'object', properties: {size: {type: 'integer'}}}},
            },
          },
        },
      ],
    },
  };
}
