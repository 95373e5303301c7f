// States for people, kinds that appear and disappear, namespaces, selectors and field writers, on any server.

import {describe, expect, test} from 'vitest';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {systemClock} from '../../src/kube/clock.ts';
import {tokenCredentials} from '../../src/kube/credentials/credentials.ts';
import {Discovery} from '../../src/kube/discovery/discovery.ts';
import {isApiError} from '../../src/kube/error.ts';
import {Informers, type InformersOptions} from '../../src/kube/informer/informer-factory.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';
import {Transport} from '../../src/kube/transport/transport.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {InformerRig} from './rig.ts';

const rbac = {group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true};
const roles: Resource = {...rbac, plural: 'roles', kind: 'Role'};
const bindings: Resource = {...rbac, plural: 'rolebindings', kind: 'RoleBinding'};

/** Informers on real time, as the user without rights or as the administrator. */
class Session {
  readonly client: DynamicClient;
  readonly informers: Informers;

  constructor(server: TestServer, token: string, options: Partial<InformersOptions> = {}) {
    this.client = new DynamicClient(new Transport(tokenCredentials(server.url, token, server.ca)));
    this.informers = new Informers({client: this.client, clock: systemClock, ...options});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.informers.stop();
    await this.client.transport.close();
  }
}

let definitions = 0;

function definition(group: string): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `widgets.${group}`},
    spec: {
      group,
      scope: 'Namespaced',
      names: {plural: 'widgets', singular: 'widget', kind: 'Widget'},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
        },
      ],
    },
  };
}

export function stateSuite(server: () => TestServer): void {
  describe('states', () => {
    test('[I-13] a forbidden kind is not synced and says why, and goes live when the right is given', async () => {
      const token = server().userToken;
      if (!token) throw new Error('this server has no user without rights');
      await using rig = await InformerRig.make(server(), ['a']);
      await using session = new Session(server(), token, {namespaces: [rig.namespace]});
      const informer = session.informers.get(resources.ConfigMaps, {labelSelector: 'suite=reflector'});
      await rig.reaches(informer, 'forbidden');
      expect(informer.hasSynced()).toBe(false);
      expect(informer.state.reason).toMatch(/you may not list and watch configmaps: .*cannot (list|watch)/);
      const limit = AbortSignal.timeout(1);
      await expect(informer.waitForSync(limit)).rejects.toThrow(/configmaps to sync: forbidden/);

      const {client} = server();
      const metadata = {name: 'reader', namespace: rig.namespace};
      await client.create(roles, {
        metadata,
        rules: [{apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch']}],
      } as KubeObject);
      await client.create(bindings, {
        metadata,
        roleRef: {apiGroup: rbac.group, kind: 'Role', name: 'reader'},
        subjects: [{apiGroup: rbac.group, kind: 'User', name: server().userName}],
      } as KubeObject);
      await eventually(
        () => `synced; it is ${JSON.stringify(informer.state)}`,
        () => informer.hasSynced(),
        {
          every: 50,
          between: () => informer.wake(),
        },
      );
      expect(informer.cache.size).toBe(1);
    });

    test('a token that is not accepted says so', async () => {
      await using session = new Session(server(), 'wrong');
      const informer = session.informers.get(resources.Pods);
      await eventually('unauthorized', () => informer.state.phase === 'unauthorized');
      expect(informer.state.reason).toMatch(/does not accept these credentials/);
      expect(informer.hasSynced()).toBe(false);
    });

    test('[I-05] a CRD that is not there is synced and empty, comes live when it comes, and leaves with it', async () => {
      const group = `suite-${process.pid}-${definitions++}.example.com`;
      const widgets: Resource = {group, version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true};
      const {client, token} = server();
      await using rig = await InformerRig.make(server());
      let news = 0;
      await using session = new Session(server(), token, {
        onDefinitions: () => {
          news++;
          discovery.forget();
        },
      });
      const discovery = new Discovery(session.client.transport);
      expect(await discovery.find({group, kind: 'Widget'})).toBeUndefined();
      await expect(discovery.need({group, kind: 'Widget'})).rejects.toThrow(/serves no Widget in suite-/);

      const informer = session.informers.get(widgets);
      const heard: string[] = [];
      informer.addHandler({onChange: ({event, key}) => heard.push(`${event} ${key}`)});
      await informer.waitForSync(AbortSignal.timeout(5000));
      expect(informer.state.phase).toBe('not installed');
      expect(informer.cache.size).toBe(0);

      await client.create(resources.CustomResourceDefinitions, definition(group));
      const metadata = {name: 'w', namespace: rig.namespace};
      await eventually(
        'the kind is served',
        () => created(client, widgets, {kind: 'Widget', apiVersion: `${group}/v1`, metadata, extra: {n: 1}}),
        {every: 50},
      );
      await eventually(
        () => `live; it is ${JSON.stringify(informer.state)}`,
        () => informer.cache.size === 1,
        {every: 20, limit: 20_000},
      );
      expect(informer.state.phase).toBe('synced');
      expect(informer.cache.list()[0]).toMatchObject({extra: {n: 1}});
      // The informer's own retry may find the kind before the list of CRDs does.
      await eventually('told of the definition', () => news > 0, {every: 20});
      expect(await discovery.find({group, kind: 'Widget'})).toMatchObject({
        plural: 'widgets',
        namespaced: true,
      });

      await client.delete(resources.CustomResourceDefinitions, {name: `widgets.${group}`});
      await eventually(
        () => `gone; it is ${JSON.stringify(informer.state)}`,
        () => informer.state.phase === 'not installed',
        {
          every: 20,
          limit: 25_000,
        },
      );
      expect(heard).toEqual([`add ${rig.namespace}/w`, `delete ${rig.namespace}/w`]);
    });

    test('a server that is not there is unreachable, with its reason', async () => {
      const client = new DynamicClient(new Transport(tokenCredentials('https://127.0.0.1:1', 'x')));
      const informers = new Informers({client});
      const informer = informers.get(resources.Pods);
      await eventually('unreachable', () => informer.state.phase === 'unreachable');
      expect(informer.state.reason).toMatch(/does not answer: .*ECONNREFUSED/);
      expect(informer.hasSynced()).toBe(false);
      await informers.stop();
      await client.transport.close();
    });
  });

  describe('selection', () => {
    test('with namespaces, namespaced kinds are listed in each, Namespaces by name, Nodes as a whole', async () => {
      await using one = await InformerRig.make(server(), ['a']);
      await using two = await InformerRig.make(server(), ['b']);
      await using other = await InformerRig.make(server(), ['c']);
      const namespaces = [one.namespace, two.namespace];
      await using session = new Session(server(), server().token, {namespaces});
      const maps = session.informers.get(resources.ConfigMaps, {labelSelector: 'suite=reflector'});
      const spaces = session.informers.get(resources.Namespaces);
      const nodes = session.informers.get(resources.Nodes);
      for (const informer of [maps, spaces, nodes]) await informer.waitForSync(AbortSignal.timeout(5000));
      expect([...maps.cache.keys()].sort()).toEqual([`${one.namespace}/a`, `${two.namespace}/b`].sort());
      expect([...spaces.cache.keys()].sort()).toEqual([...namespaces].sort());
      await other.create('d');
      await two.create('e');
      await eventually('the add', () => maps.cache.size === 3);
      expect(maps.cache.get(`${two.namespace}/e`)).toBeDefined();
    });

    test('[69] an object that leaves the selector is deleted here though it is there still', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b']);
      const informer = await rig.synced();
      const ref = {namespace: rig.namespace, name: 'a'};
      await server().client.patch(
        resources.ConfigMaps,
        ref,
        {metadata: {labels: {suite: null}}},
        {type: 'merge'},
      );
      await eventually('the delete', () => rig.heard().includes('delete a'));
      await server().client.patch(
        resources.ConfigMaps,
        ref,
        {metadata: {labels: {suite: 'reflector'}}},
        {type: 'merge'},
      );
      await eventually('the add', () => rig.heard().at(-1) === 'add a');
      expect(informer.cache.size).toBe(2);
    });

    test('[I-12] a field selector is the server’s: only what fits is ever sent', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b', 'c']);
      const informer = await rig.synced({
        scopes: [{namespace: rig.namespace, fieldSelector: 'metadata.name=b'}],
      });
      await rig.update('a', {text: 'x'});
      await rig.update('b', {text: 'x'});
      await rig.hears('add b', 'update b');
      expect(informer.cache.size).toBe(1);
    });

    test('one informer for a resource however many ask, another for another selector', async () => {
      await using session = new Session(server(), server().token);
      const {informers} = session;
      expect(informers.get(resources.Pods)).toBe(informers.get({...resources.Pods}));
      expect(informers.get(resources.Pods)).not.toBe(informers.get(resources.Pods, {labelSelector: 'a=b'}));
      expect(informers.all()).toHaveLength(2);
    });
  });

  describe('objects', () => {
    test('[48][49][I-07] gone or replaced while nobody watched: one delete, one update', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b']);
      const informer = await rig.synced();
      const before = informer.cache.get(`${rig.namespace}/b`)!;
      await rig.proxy.stop();
      await eventually('unreachable', () => informer.state.phase === 'unreachable', {
        between: () => void rig.clock.advance(100),
      });
      await rig.remove('a');
      await rig.remove('b');
      await rig.create('b', {text: 'new'});
      await rig.proxy.start();
      await eventually('synced', () => informer.state.phase === 'synced', {
        between: () => void rig.clock.advance(500),
      });
      expect(rig.heard().slice(2).sort()).toEqual(['delete a', 'update b']);
      const gone = rig.changes.find(change => change.event === 'delete')!;
      expect(gone).toMatchObject({unseen: true, old: {data: {text: 'a'}}});
      const replaced = rig.changes.find(change => change.event === 'update')!;
      expect(replaced.old).toBe(before);
      expect(replaced.new?.metadata.uid).not.toBe(before.metadata.uid);
    });

    test('[57][I-08] are kept without managedFields, and who wrote a change is told', async () => {
      await using rig = await InformerRig.make(server());
      const informer = await rig.synced();
      await rig.create('a', {first: '1'});
      await rig.update('a', {second: '2'}, 'someone-else');
      await rig.hears('add a', 'update a');
      const [add, update] = rig.changes;
      expect(add?.writer).toMatchObject({manager: 'suite', operation: 'Update'});
      expect(update?.writer).toMatchObject({
        manager: 'someone-else',
        operation: 'Update',
        paths: ['data.second'],
      });
      const key = `${rig.namespace}/a`;
      expect(informer.cache.get(key)?.metadata.managedFields).toBeUndefined();
      expect(
        informer.cache
          .writers(key)
          .map(writer => writer.manager)
          .sort(),
      ).toEqual(['someone-else', 'suite']);
      const live = await server().client.get(resources.ConfigMaps, {namespace: rig.namespace, name: 'a'});
      expect(live.metadata.managedFields).toHaveLength(2);
    });

    test('as metadata alone have no data, in a list and in a watch', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced({as: 'metadata'});
      await rig.create('b');
      await rig.hears('add a', 'add b');
      for (const object of informer.cache.list()) {
        expect(object.kind).toBe('PartialObjectMetadata');
        expect(object.data).toBeUndefined();
      }
    });
  });
}

async function created(client: DynamicClient, resource: Resource, object: KubeObject): Promise<boolean> {
  try {
    await client.create(resource, object);
    return true;
  } catch (error) {
    if (isApiError(error, 404)) return false;
    throw error;
  }
}
