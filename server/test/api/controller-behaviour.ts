// The server's own controllers: owners and dependents, namespaces, workloads.

import {describe, expect, test} from 'vitest';
import {isApiError} from '../../src/kube/error.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {maps, TestNamespace} from './test-namespace.ts';

/** `simulates`: the server runs Pods. Other servers skip those tests. */
export function controllerBehaviour(server: () => TestServer, simulates: boolean): void {
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
      await using place = await TestNamespace.make(server());
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
      await using place = await TestNamespace.make(server());
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
      const place = await TestNamespace.make(server());
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
        await using place = await TestNamespace.make(server());
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
        await eventually('two Pods', () => ready('nginx', 2), {every: 100, limit: 90_000});
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
        await eventually('two endpoints', async () => (await addresses()) === 2, {every: 100, limit: 60_000});
        await client.patch(
          resources.Deployments,
          {namespace, name: 'd'},
          {spec: {template: {spec: {containers: [{name: 'c', image: 'other'}]}}}},
          {type: 'strategic'},
        );
        await eventually('the new Pods', () => ready('other', 2), {every: 100, limit: 90_000});
        const sets = await client.list(resources.ReplicaSets, {namespace});
        expect(sets.items.map(set => (set.spec as {replicas: number}).replicas).sort()).toEqual([0, 2]);
        await client.scale(resources.Deployments, {namespace, name: 'd'}, 0);
        await eventually(
          'none',
          async () => (await client.list(resources.Pods, {namespace})).items.length === 0,
          {every: 100, limit: 90_000},
        );
      },
    );

    test.skipIf(!simulates)('a Job completes', async () => {
      await using place = await TestNamespace.make(server());
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
