// Random edits of ten kinds, each as What if takes it and as a client sends it to the API server.
import type {EditInput} from '@krtscope/shared/what-if/what-if.ts';
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';

export interface RandomEdit {
  readonly kind: string;
  readonly collection: string;
  readonly key: string;
  readonly edit: EditInput;
  /** The field that a patch changes, for impact. */
  readonly path?: string;
  /** Makes the same edit in the cluster. */
  commit(client: DynamicClient): Promise<KubeObject | undefined>;
}

export interface Chance {
  below(limit: number): number;
}

/** The current objects of a collection. */
export type ObjectsOf = (
  collection: 'Pods' | 'Services' | 'Namespaces' | 'Nodes' | 'Deployments' | 'ConfigMaps' | 'EndpointSlices',
) => Promise<KubeObject[]>;

type EditMaker = (chance: Chance, objects: ObjectsOf, number: number) => Promise<RandomEdit>;

const values = ['web', 'redis', 'catalog', 'cart', 'api', 'search', 'other'];

const makers: Record<string, EditMaker> = {
  'namespace label': async (chance, objects) =>
    patchOf('Namespaces', pick(chance, await objects('Namespaces')), 'metadata.labels.team', {
      metadata: {labels: {team: pick(chance, values)}},
    }),
  'pod label': async (chance, objects) =>
    patchOf('Pods', pick(chance, await objects('Pods')), 'metadata.labels.app', {
      metadata: {labels: {app: pick(chance, values)}},
    }),
  'pod label removed': async (chance, objects) =>
    patchOf('Pods', pick(chance, await objects('Pods')), 'metadata.labels.app', {
      metadata: {labels: {app: null}},
    }),
  'service selector': async (chance, objects) =>
    patchOf('Services', pick(chance, await objects('Services')), 'spec.selector', {
      spec: {selector: {app: pick(chance, values)}},
    }),
  'service ports': async (chance, objects) => {
    const service = pick(chance, await objects('Services'));
    const body = {spec: {ports: [{port: 1 + chance.below(60_000), name: 'tried', protocol: 'TCP'}]}};
    return patchOf('Services', service, 'spec.ports', body, 'strategic');
  },
  'service deleted': async (chance, objects) => deleteOf('Services', pick(chance, await objects('Services'))),
  'service added': async (chance, _objects, number) => {
    const namespace = pick(chance, ['shop', 'data', 'default']);
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {name: `tried-${number}`, namespace},
      spec: {selector: {app: pick(chance, values)}, ports: [{port: 80}]},
    };
    return applyOf('Services', object);
  },
  'deployment replicas': async (chance, objects) => {
    const {metadata} = pick(chance, await objects('Deployments'));
    return applyOf('Deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: metadata.name ?? '', namespace: metadata.namespace ?? ''},
      spec: {replicas: chance.below(9)},
    });
  },
  'configmap data': async (chance, objects) => {
    const found = pick(chance, await objects('ConfigMaps'));
    const body = [{op: 'add', path: '/data', value: {tried: pick(chance, values)}}];
    return patchOf('ConfigMaps', found, 'data', body, 'json');
  },
  'pod deleted': async (chance, objects) => deleteOf('Pods', pick(chance, await objects('Pods'))),
  'node label': async (chance, objects) =>
    patchOf('Nodes', pick(chance, await objects('Nodes')), 'metadata.labels.zone', {
      metadata: {labels: {zone: pick(chance, values)}},
    }),
  'endpoint slice': async (chance, objects) => {
    const slice = pick(chance, await objects('EndpointSlices'));
    const body = [
      {op: 'add', path: '/ports', value: [{name: 'tried', port: 1 + chance.below(60_000), protocol: 'TCP'}]},
    ];
    return patchOf('EndpointSlices', slice, 'ports', body, 'json');
  },
};

/** Thrown by an edit of a kind that has no object left. */
class NothingLeft extends Error {}

export async function randomEdit(chance: Chance, objects: ObjectsOf, number: number): Promise<RandomEdit> {
  const kinds = Object.keys(makers);
  for (;;) {
    const kind = kinds[chance.below(kinds.length)] as string;
    try {
      return {...(await (makers[kind] as EditMaker)(chance, objects, number)), kind};
    } catch (error) {
      if (!(error instanceof NothingLeft)) throw error;
    }
  }
}

function pick<T>(chance: Chance, list: readonly T[]): T {
  if (list.length === 0) throw new NothingLeft();
  return list[chance.below(list.length)] as T;
}

type Collection = Parameters<ObjectsOf>[0];

function keyOf({metadata: {name = '', namespace}}: {metadata: {name?: string; namespace?: string}}): string {
  return namespace ? `${namespace}/${name}` : name;
}

function refOf({metadata: {name = '', namespace}}: KubeObject) {
  return namespace ? {name, namespace} : {name};
}

function patchOf(
  collection: Collection,
  object: KubeObject,
  path: string,
  body: object,
  type: 'merge' | 'strategic' | 'json' = 'merge',
): RandomEdit {
  const key = keyOf(object);
  const edit = {patch: {collection, key, body, type}} as EditInput;
  const commit = (client: DynamicClient) =>
    client.patch(resourceOf(collection), refOf(object), body, {type, fieldManager: 'kubectl'});
  return {kind: '', collection, key, edit, path, commit};
}

function deleteOf(collection: Collection, object: KubeObject): RandomEdit {
  const key = keyOf(object);
  return {
    kind: '',
    collection,
    key,
    edit: {delete: {collection, key}},
    commit: async client => {
      await client.delete(resourceOf(collection), refOf(object), {gracePeriodSeconds: 0});
      return undefined;
    },
  };
}

function applyOf(collection: Collection, object: KubeObject): RandomEdit {
  const commit = async (client: DynamicClient) => {
    await takeOverClientSideApply(client, collection, object);
    return client.patch(resourceOf(collection), refOf(object), object, {
      type: 'apply',
      fieldManager: 'kubectl',
      force: true,
    });
  };
  return {kind: '', collection, key: keyOf(object), edit: {apply: {...object}}, commit};
}

/** `kubectl apply --server-side` first takes over the fields of its earlier client-side applies. */
async function takeOverClientSideApply(
  client: DynamicClient,
  collection: Collection,
  object: KubeObject,
): Promise<void> {
  const live = await client.get(resourceOf(collection), refOf(object)).catch(() => undefined);
  const entries = live?.metadata.managedFields ?? [];
  if (entries.some(({manager, operation}) => manager === 'kubectl' && operation === 'Apply')) return;
  if (!entries.some(({manager}) => manager === 'kubectl-client-side-apply')) return;
  const value = entries.map(entry =>
    entry.manager === 'kubectl-client-side-apply'
      ? {...entry, manager: 'kubectl', operation: 'Apply'}
      : entry,
  );
  const patch = [{op: 'replace', path: '/metadata/managedFields', value}];
  await client.patch(resourceOf(collection), refOf(object), patch, {type: 'json'});
}

function resourceOf(collection: Collection): Resource {
  return resources[collection];
}
