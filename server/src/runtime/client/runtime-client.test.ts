import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {describe, expect, test} from 'vitest';
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import {Deployment, Pod} from '../scheme/built-in-kinds.ts';
import {Mapper} from '../scheme/mapper.ts';
import {TestWire} from '../testing-wire.ts';
import type {ReadSeen, WriteSeen} from './client.ts';
import {jsonPatch, mergeFrom} from './patch.ts';
import {type ClientOptions, RuntimeClient} from './runtime-client.ts';

function rig(options: Partial<ClientOptions> = {}) {
  const wire = new TestWire();
  const client = new RuntimeClient({client: new DynamicClient(wire), mapper: new Mapper(wire), ...options});
  return {wire, client};
}

function deployment(): KubeObject & {spec: {replicas: number; template?: unknown}} {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {namespace: 'a', name: 'web', resourceVersion: '7', labels: {app: 'web', old: '1'}},
    spec: {replicas: 1},
  };
}

describe('patches', () => {
  test('[79] a merge patch holds what changed and nothing else', async () => {
    const {wire, client} = rig();
    const object = deployment();
    const base = deepCopy(object);
    object.spec.replicas = 3;
    await client.patch(object, mergeFrom(base));
    expect(wire.sent).toEqual([{spec: {replicas: 3}}]);
    expect(wire.log).toEqual(['PATCH /apis/apps/v1/namespaces/a/deployments/web']);
  });

  test('[80] [81] a removed label is null, a list goes whole, no difference is {}', async () => {
    const {wire, client} = rig();
    const object = deployment();
    object.spec.template = [{name: 'a'}];
    const base = deepCopy(object);
    await client.patch(deepCopy(object), mergeFrom(base));
    delete object.metadata.labels!.old;
    object.spec.template = [{name: 'a'}, {name: 'b'}];
    await client.patch(object, mergeFrom(base));
    expect(wire.sent).toEqual([
      {},
      {metadata: {labels: {old: null}}, spec: {template: [{name: 'a'}, {name: 'b'}]}},
    ]);
  });

  test('[84] [85] an optimistic lock sends the version of the base, and needs one', async () => {
    const {wire, client} = rig();
    const object = deployment();
    const base = deepCopy(object);
    object.spec.replicas = 2;
    await client.patch(deepCopy(object), mergeFrom(base, {optimisticLock: true}));
    expect(wire.sent).toEqual([{spec: {replicas: 2}, metadata: {resourceVersion: '7'}}]);
    delete base.metadata.resourceVersion;
    await expect(client.patch(object, mergeFrom(base, {optimisticLock: true}))).rejects.toThrow(
      'needs a base with a resourceVersion',
    );
    expect(wire.sent).toHaveLength(1);
  });

  test('status is a path of its own, and an apply names its owner', async () => {
    const {wire, client} = rig({fieldOwner: 'me'});
    await client.status().patch(deployment(), jsonPatch([{op: 'remove', path: '/status'}]));
    await client.apply(deployment(), {force: true});
    expect(wire.log).toEqual([
      'PATCH /apis/apps/v1/namespaces/a/deployments/web/status?fieldManager=me',
      'PATCH /apis/apps/v1/namespaces/a/deployments/web?fieldManager=me&force=true',
    ]);
    await expect(rig().client.apply(deployment())).rejects.toThrow('needs a field owner');
  });
});

describe('writes', () => {
  test('the answer is put into the object; a frozen one stays and the answer is returned', async () => {
    const {wire, client} = rig();
    wire.answer = ({body}) => ({
      ...(body as KubeObject),
      metadata: {...(body as KubeObject).metadata, uid: 'u', resourceVersion: '8'},
    });
    const object = deployment();
    expect(await client.update(object)).toBe(object);
    expect(object.metadata).toMatchObject({uid: 'u', resourceVersion: '8'});
    const frozen = Object.freeze(deployment());
    expect((await client.update(frozen)).metadata.resourceVersion).toBe('8');
    expect(frozen.metadata.resourceVersion).toBe('7');
  });

  test('a dry run, a field owner and validation go with every write', async () => {
    const {wire, client} = rig({dryRun: true, fieldOwner: 'me', fieldValidation: 'Strict'});
    await client.create(deployment());
    await client.delete(deployment());
    await client.deleteAllOf(Pod, {namespace: 'a', labels: {app: 'x'}});
    expect(wire.log).toEqual([
      'POST /apis/apps/v1/namespaces/a/deployments?dryRun=All&fieldManager=me&fieldValidation=Strict',
      'DELETE /apis/apps/v1/namespaces/a/deployments/web',
      'DELETE /api/v1/namespaces/a/pods?labelSelector=app=x',
    ]);
    expect(wire.sent.slice(1)).toEqual([
      {kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All']},
      {kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All']},
    ]);
  });

  test('a write that must not be sent is not, and is told', async () => {
    const seen: WriteSeen[] = [];
    const hooks = {
      beforeWrite() {
        throw new Error('not the leader');
      },
      onWrite: (write: WriteSeen) => void seen.push(write),
    };
    const {wire, client} = rig({hooks});
    await expect(client.update(deployment())).rejects.toThrow('not the leader');
    expect(wire.log).toEqual([]);
    expect(seen).toMatchObject([{verb: 'update', name: 'web', error: {message: 'not the leader'}}]);
  });
});

test('reads go to the cache unless the kind is uncached, and are told with where they went', async () => {
  const seen: ReadSeen[] = [];
  const cached = {...deployment(), metadata: {name: 'cached'}};
  const cache = {
    get: async () => cached as never,
    list: async () => ({metadata: {}, items: [cached as never]}),
  };
  const {wire, client} = rig({cache, uncached: [Pod], hooks: {onRead: read => void seen.push(read)}});
  wire.answer = () => ({metadata: {name: 'live'}, items: []});
  expect((await client.get(Deployment, {namespace: 'a', name: 'x'})).metadata.name).toBe('cached');
  expect((await client.get(Pod, {namespace: 'a', name: 'x'})).metadata.name).toBe('live');
  await client.apiReader.list(Deployment, {namespace: 'a'});
  expect(seen.map(({verb, from, count}) => `${verb} ${from} ${count}`)).toEqual([
    'get cache 1',
    'get api 1',
    'list api 0',
  ]);
  expect(wire.log).toEqual(['GET /api/v1/namespaces/a/pods/x', 'GET /apis/apps/v1/namespaces/a/deployments']);
});
