// What cannot be written as single requests and answers: pages, watches, owners, namespaces, workloads.

import {describe, expect, test} from 'vitest';
import type {DynamicClient, WatchOptions} from '../../src/kube/client.ts';
import {isApiError} from '../../src/kube/error.ts';
import {LineSplitter} from '../../src/kube/lines.ts';
import type {KubeObject, WatchEvent} from '../../src/kube/object.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';

let namespaces = 0;
const maps = resources.ConfigMaps;

class Place {
  readonly client: DynamicClient;
  readonly namespace = `behaviour-${process.pid}-${namespaces++}`;

  constructor(server: TestServer) {
    this.client = server.client;
  }

  static async make(server: TestServer): Promise<Place> {
    const place = new Place(server);
    await place.client.create(resources.Namespaces, {metadata: {name: place.namespace}});
    return place;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.client.delete(resources.Namespaces, {name: this.namespace});
    } catch (error) {
      if (!isApiError(error, 404, 409)) throw error;
    }
  }

  create(name: string, metadata: object = {}, data: Record<string, string> = {}): Promise<KubeObject> {
    return this.client.create(maps, {
      metadata: {name, namespace: this.namespace, labels: {suite: 'yes'}, ...metadata},
      data,
    });
  }

  async exists(resource: Resource, name: string): Promise<boolean> {
    try {
      await this.client.get(resource, {namespace: this.namespace, name});
      return true;
    } catch (error) {
      if (isApiError(error, 404)) return false;
      throw error;
    }
  }

  /** The events of a watch as they come; ends with the place. */
  async watch(
    options: WatchOptions = {},
    resource: Resource = maps,
  ): Promise<{events: WatchEvent[]; ended: () => boolean; stop: () => void}> {
    const abort = new AbortController();
    const query = {namespace: this.namespace, labelSelector: 'suite', signal: abort.signal, ...options};
    const {body} = await this.client.watch(resource, query);
    const events: WatchEvent[] = [];
    const splitter = new LineSplitter();
    let ended = false;
    body.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) events.push(JSON.parse(line) as WatchEvent);
    });
    body.on('end', () => (ended = true));
    body.on('error', () => (ended = true));
    return {events, ended: () => ended, stop: () => abort.abort()};
  }
}

function told(events: WatchEvent[]): string[] {
  return events.map(({type, object}) => `${type} ${(object as KubeObject).metadata?.name ?? ''}`.trim());
}

/** `simulates`: the server runs Pods and can be made to forget its history; others skip those tests. */
export function behaviourSuite(server: () => TestServer, simulates: boolean): void {
  describe('lists', () => {
    test('come in pages that belong to one moment', async () => {
      await using place = await Place.make(server());
      for (const name of ['a', 'b', 'c', 'd', 'e']) await place.create(name);
      const {client, namespace} = place;
      const query = {namespace, labelSelector: 'suite', limit: 2};
      const first = await client.list(maps, query);
      expect(first.items.map(item => item.metadata.name)).toEqual(['a', 'b']);
      await place.create('aa');
      await client.delete(maps, {namespace, name: 'd'});
      const second = await client.list(maps, {...query, continue: first.metadata.continue});
      const third = await client.list(maps, {...query, continue: second.metadata.continue});
      expect([...second.items, ...third.items].map(item => item.metadata.name)).toEqual(['c', 'd', 'e']);
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      expect(third.metadata.continue ?? '').toBe('');
      const whole = await client.list(maps, {namespace, limit: 500});
      expect(whole.metadata.remainingItemCount).toBeUndefined();
    });

    test('say how many remain when nothing is selected', async () => {
      await using place = await Place.make(server());
      const leases = resources.Leases;
      for (const name of ['a', 'b', 'c'])
        await place.client.create(leases, {metadata: {name, namespace: place.namespace}});
      const page = await place.client.list(leases, {namespace: place.namespace, limit: 1});
      expect(page.metadata.remainingItemCount).toBe(2);
    });

    test('at a version: exact, not older, or too new', async () => {
      await using place = await Place.make(server());
      const {client, namespace} = place;
      await place.create('a');
      const before = await client.list(maps, {namespace, labelSelector: 'suite'});
      await place.create('b');
      const version = before.metadata.resourceVersion;
      const exact = await client.list(maps, {
        namespace,
        labelSelector: 'suite',
        resourceVersion: version,
        resourceVersionMatch: 'Exact',
      });
      expect(exact.items.map(item => item.metadata.name)).toEqual(['a']);
      const newer = await client.list(maps, {
        namespace,
        labelSelector: 'suite',
        resourceVersion: version,
        resourceVersionMatch: 'NotOlderThan',
      });
      expect(newer.items.length).toBeGreaterThanOrEqual(1);
      const future = client.list(maps, {namespace, resourceVersion: '999999999', retries: 0});
      await expect(future).rejects.toMatchObject({code: 504, reason: 'Timeout', retryAfter: 1});
    });
  });

  describe('watches', () => {
    test('from a version tell what came after it, in order, with the selector’s eyes', async () => {
      await using place = await Place.make(server());
      const {client, namespace} = place;
      await place.create('a');
      const {metadata} = await client.list(maps, {namespace});
      await place.create('b', {labels: {suite: 'yes'}});
      await place.create('hidden', {labels: {}});
      const ref = {namespace, name: 'hidden'};
      await client.patch(maps, ref, {metadata: {labels: {suite: 'yes'}}}, {type: 'merge'});
      await client.patch(maps, ref, {data: {k: 'v'}}, {type: 'merge'});
      await client.patch(maps, ref, {metadata: {labels: {suite: null}}}, {type: 'merge'});
      await client.delete(maps, {namespace, name: 'a'});
      const watch = await place.watch({resourceVersion: metadata.resourceVersion});
      const expected = ['ADDED b', 'ADDED hidden', 'MODIFIED hidden', 'DELETED hidden', 'DELETED a'];
      await eventually(
        () => `${expected}; came ${told(watch.events)}`,
        () => told(watch.events).length >= expected.length,
      );
      watch.stop();
      expect(told(watch.events)).toEqual(expected);
    });

    test('a delete’s event has a version of its own', async () => {
      await using place = await Place.make(server());
      const created = await place.create('a');
      const watch = await place.watch({resourceVersion: created.metadata.resourceVersion});
      await place.client.delete(maps, {namespace: place.namespace, name: 'a'});
      await eventually('the delete', () => watch.events.length === 1);
      watch.stop();
      const gone = watch.events[0]?.object as KubeObject;
      expect(gone.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
      expect(gone.metadata.uid).toBe(created.metadata.uid);
    });

    test('a write that changes nothing has no event and keeps the version', async () => {
      await using place = await Place.make(server());
      const created = await place.create('a', {}, {k: 'v'});
      const watch = await place.watch({resourceVersion: created.metadata.resourceVersion});
      const same = await place.client.patch(
        maps,
        {namespace: place.namespace, name: 'a'},
        {data: {k: 'v'}},
        {type: 'merge'},
      );
      expect(same.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
      await place.create('b');
      await eventually('the next event', () => watch.events.length > 0);
      watch.stop();
      expect(told(watch.events)).toEqual(['ADDED b']);
    });

    test('without a version or from 0 begin with what is there', async () => {
      await using place = await Place.make(server());
      await place.create('a');
      for (const resourceVersion of [undefined, '0']) {
        const watch = await place.watch({resourceVersion});
        await eventually('the add', () => watch.events.length > 0);
        watch.stop();
        expect(told(watch.events)).toEqual(['ADDED a']);
      }
    });

    test('that stream the list end it with a marked bookmark and go on', async () => {
      await using place = await Place.make(server());
      await place.create('a');
      await place.create('b');
      const watch = await place.watch({
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      });
      await eventually('the bookmark', () => watch.events.length >= 3);
      expect(told(watch.events).sort()).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK']);
      const bookmark = watch.events.find(event => event.type === 'BOOKMARK')?.object as KubeObject;
      expect(bookmark).toMatchObject({kind: 'ConfigMap', apiVersion: 'v1'});
      expect(bookmark.metadata.annotations).toEqual({'k8s.io/initial-events-end': 'true'});
      expect(bookmark.metadata.resourceVersion).toMatch(/^\d+$/);
      await place.create('c');
      await eventually('the next add', () => watch.events.length === 4);
      watch.stop();
    });

    test('end at their timeout', async () => {
      await using place = await Place.make(server());
      const watch = await place.watch({timeoutSeconds: 1});
      await eventually('the end', () => watch.ended(), {every: 20});
    });

    test.skipIf(!simulates)('from a version that is forgotten are told 410', async () => {
      await using place = await Place.make(server());
      await place.create('a');
      await server().compact?.();
      // Events are not cached by real servers, so that forgetting shows at once.
      const watch = await place.watch({resourceVersion: '1', labelSelector: ''}, resources.Events);
      await eventually('410', () => watch.events.some(event => event.type === 'ERROR'), {limit: 5000});
      expect(watch.events[0]).toMatchObject({
        type: 'ERROR',
        object: {kind: 'Status', code: 410, reason: 'Expired'},
      });
      watch.stop();
    });
  });

  describe('owners', () => {
    const owner = (object: KubeObject, more: object = {}) => ({
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: object.metadata.name!,
          uid: object.metadata.uid!,
          ...more,
        },
      ],
    });

    test('take what they own with them, unless it is orphaned', async () => {
      await using place = await Place.make(server());
      const {client, namespace} = place;
      const parent = await place.create('parent');
      await place.create('child', owner(parent));
      await client.delete(maps, {namespace, name: 'parent'}, {propagationPolicy: 'Background'});
      await eventually('the child goes', async () => !(await place.exists(maps, 'child')), {
        every: 50,
        limit: 15_000,
      });
      const other = await place.create('other');
      await place.create('orphan', owner(other));
      await client.delete(maps, {namespace, name: 'other'}, {propagationPolicy: 'Orphan'});
      await eventually('the owner goes', async () => !(await place.exists(maps, 'other')), {
        every: 50,
        limit: 15_000,
      });
      const orphan = await client.get(maps, {namespace, name: 'orphan'});
      expect(orphan.metadata.ownerReferences).toBeUndefined();
    });

    test('deleted in the foreground go after what they own', async () => {
      await using place = await Place.make(server());
      const {client, namespace} = place;
      const parent = await place.create('parent');
      await place.create('child', {
        ...owner(parent, {blockOwnerDeletion: true}),
        finalizers: ['example.com/hold'],
      });
      const held = (await client.delete(
        maps,
        {namespace, name: 'parent'},
        {propagationPolicy: 'Foreground'},
      )) as KubeObject;
      expect(held.metadata.finalizers).toEqual(['foregroundDeletion']);
      await eventually(
        'the child is being deleted',
        async () => {
          const child = await client.get(maps, {namespace, name: 'child'});
          return child.metadata.deletionTimestamp !== undefined;
        },
        {every: 50, limit: 15_000},
      );
      expect(await place.exists(maps, 'parent')).toBe(true);
      await client.patch(maps, {namespace, name: 'child'}, {metadata: {finalizers: null}}, {type: 'merge'});
      await eventually('both go', async () => !(await place.exists(maps, 'parent')), {
        every: 50,
        limit: 15_000,
      });
    });
  });

  describe('namespaces', () => {
    test('get their label and account, refuse new objects while they end, and take all with them', async () => {
      const place = await Place.make(server());
      const {client, namespace} = place;
      const made = await client.get(resources.Namespaces, {name: namespace});
      expect(made).toMatchObject({
        metadata: {labels: {'kubernetes.io/metadata.name': namespace}},
        spec: {finalizers: ['kubernetes']},
        status: {phase: 'Active'},
      });
      const accounts: Resource = {
        group: '',
        version: 'v1',
        plural: 'serviceaccounts',
        kind: 'ServiceAccount',
        namespaced: true,
      };
      await eventually('the default account', () => place.exists(accounts, 'default'), {every: 50});
      await eventually('the CA', () => place.exists(maps, 'kube-root-ca.crt'), {every: 50});
      await place.create('held', {finalizers: ['example.com/hold']});
      await client.delete(resources.Namespaces, {name: namespace});
      const ending = await client.get(resources.Namespaces, {name: namespace});
      expect(ending).toMatchObject({status: {phase: 'Terminating'}});
      const late = place.create('late');
      await expect(late).rejects.toMatchObject({
        code: 403,
        reason: 'Forbidden',
        details: {causes: [{reason: 'NamespaceTerminating'}]},
      });
      await client.patch(maps, {namespace, name: 'held'}, {metadata: {finalizers: null}}, {type: 'merge'});
      await eventually(
        'the end',
        async () => {
          try {
            await client.get(resources.Namespaces, {name: namespace});
            return false;
          } catch (error) {
            return isApiError(error, 404);
          }
        },
        {every: 100, limit: 30_000},
      );
    });
  });

  describe('workloads', () => {
    const podSpec = {containers: [{name: 'c', image: 'nginx'}]};

    test.skipIf(!simulates)(
      'a Deployment makes a ReplicaSet makes Pods that run; a change rolls; a Service has endpoints',
      async () => {
        await using place = await Place.make(server());
        const {client, namespace} = place;
        const labels = {app: 'd'};
        const template = {metadata: {labels}, spec: podSpec};
        const spec = {replicas: 2, selector: {matchLabels: labels}, template};
        await client.create(resources.Deployments, {metadata: {name: 'd', namespace}, spec});
        await client.create(resources.Services, {
          metadata: {name: 's', namespace},
          spec: {selector: labels, ports: [{port: 80}]},
        });
        const ready = async (image: string, replicas: number) => {
          const {status, metadata} = await client.get(resources.Deployments, {namespace, name: 'd'});
          const now = status as {
            observedGeneration?: number;
            updatedReplicas?: number;
            availableReplicas?: number;
            replicas?: number;
          };
          const settled =
            now.observedGeneration === metadata.generation &&
            now.updatedReplicas === replicas &&
            now.availableReplicas === replicas &&
            now.replicas === replicas;
          if (!settled) return false;
          const pods = await client.list(resources.Pods, {namespace, labelSelector: 'app=d'});
          const running = pods.items.filter(pod => pod.metadata.deletionTimestamp === undefined);
          return running.every(
            pod => (pod.spec as {containers: {image: string}[]}).containers[0]?.image === image,
          );
        };
        await eventually('two Pods', () => ready('nginx', 2), {every: 100, limit: 30_000});
        const [pod] = (await client.list(resources.Pods, {namespace, labelSelector: 'app=d'})).items;
        expect(pod?.metadata.name).toMatch(/^d-[a-z0-9]+-[a-z0-9]{5}$/);
        expect(pod?.metadata.ownerReferences).toEqual([
          expect.objectContaining({kind: 'ReplicaSet', controller: true}),
        ]);
        expect(pod?.status).toMatchObject({phase: 'Running', podIP: expect.stringMatching(/^10\./)});
        const addresses = async () => {
          const slices = await client.list(resources.EndpointSlices, {
            namespace,
            labelSelector: 'kubernetes.io/service-name=s',
          });
          return slices.items.flatMap(slice => (slice.endpoints as {addresses: string[]}[] | null) ?? [])
            .length;
        };
        await eventually('two endpoints', async () => (await addresses()) === 2, {every: 100, limit: 15_000});
        await client.patch(
          resources.Deployments,
          {namespace, name: 'd'},
          {spec: {template: {spec: {containers: [{name: 'c', image: 'other'}]}}}},
          {type: 'strategic'},
        );
        await eventually('the new Pods', () => ready('other', 2), {every: 100, limit: 30_000});
        const sets = await client.list(resources.ReplicaSets, {namespace});
        expect(sets.items.map(set => (set.spec as {replicas: number}).replicas).sort()).toEqual([0, 2]);
        await client.scale(resources.Deployments, {namespace, name: 'd'}, 0);
        await eventually(
          'none',
          async () => (await client.list(resources.Pods, {namespace})).items.length === 0,
          {every: 100, limit: 30_000},
        );
      },
    );

    test.skipIf(!simulates)('a Job completes', async () => {
      await using place = await Place.make(server());
      const {client, namespace} = place;
      const spec = {template: {spec: {...podSpec, restartPolicy: 'Never'}}};
      await client.create(resources.Jobs, {metadata: {name: 'j', namespace}, spec});
      await eventually(
        'Complete',
        async () => {
          const {status} = await client.get(resources.Jobs, {namespace, name: 'j'});
          const {conditions = [], succeeded} = status as {
            conditions?: {type: string; status: string}[];
            succeeded?: number;
          };
          return succeeded === 1 && conditions.some(one => one.type === 'Complete' && one.status === 'True');
        },
        {every: 100, limit: 30_000},
      );
    });
  });
}
