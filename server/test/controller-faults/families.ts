// The controller under faults. A ConfigMap asks for a number of children with generated names, so that a
// repeated create leaves two. A finalizer finds children that are left behind.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {
  addFinalizer,
  ConfigMap,
  containsFinalizer,
  controllerFor,
  controllerOf,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  type Result,
  removeFinalizer,
  setControllerReference,
  type types,
  type Unnamed,
} from '../../src/runtime/index.ts';

export const DECISION = 'example.com/decision';
export const OWNER = 'owner';
const FINALIZER = 'example.com/family';

export const wanted = (parent: types.ConfigMap) => Number(parent.data?.children ?? 0);
export const isParent = (object: types.ConfigMap) => object.data?.children !== undefined;

interface FamilyOptions {
  namespace: string;
  decide: () => string;
  /** Repeats a create without a response: the error that the suite must find. */
  careless: boolean;
}

export async function addFamilies(manager: Manager, options: FamilyOptions): Promise<void> {
  const {namespace, decide, careless} = options;
  const {client} = manager;
  const create = async (child: Unnamed<types.ConfigMap>) => {
    const again = deepCopy(child);
    await client.create(child).catch(error => {
      if (!careless) throw error;
      return client.create(again);
    });
  };
  await manager.cache.indexField(ConfigMap, OWNER, object => controllerOf(object)?.uid);
  controllerFor(manager)
    .named('families')
    .for(ConfigMap)
    .owns(ConfigMap)
    .withOptions({maxConcurrentReconciles: 3, cacheSyncTimeout: 2 ** 31 - 1})
    .complete(async request => {
      const parent = await ignoreNotFound(client.get(ConfigMap, request));
      if (!parent || !isParent(parent)) return;
      if (parent.metadata.deletionTimestamp) return leave(manager, parent);
      const {items} = await client.list(ConfigMap, {namespace, fields: {[OWNER]: parent.metadata.uid ?? ''}});
      if (!containsFinalizer(parent, FINALIZER)) {
        const base = deepCopy(parent);
        addFinalizer(parent, FINALIZER);
        await client.patch(parent, mergeFrom(base));
      }
      const living = items.filter(one => !one.metadata.deletionTimestamp);
      for (let i = living.length; i < wanted(parent); i++) await create(childOf(parent, decide()));
      for (const surplus of living.slice(wanted(parent))) await ignoreNotFound(client.delete(surplus));
    });
}

/**
 * Deletes the children first, and the parent after the last child is gone from the server. The cache can know
 * of the deletion before it knows of a child from the previous run. Without the wait, that child would stay.
 */
async function leave({client, apiReader}: Manager, parent: types.ConfigMap): Promise<Result> {
  const {namespace = '', uid} = parent.metadata;
  const {items} = await apiReader.list(ConfigMap, {namespace});
  const children = items.filter(one => controllerOf(one)?.uid === uid);
  for (const child of children) await ignoreNotFound(client.delete(child));
  // A new list may never show a child that existed only in between.
  if (children.length > 0) return {requeueAfter: 1000};
  if (!containsFinalizer(parent, FINALIZER)) return {};
  const base = deepCopy(parent);
  removeFinalizer(parent, FINALIZER);
  await ignoreNotFound(client.patch(parent, mergeFrom(base)));
  return {};
}

function childOf(parent: types.ConfigMap, decision: string): Unnamed<types.ConfigMap> {
  const child: Unnamed<types.ConfigMap> = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      generateName: `${parent.metadata.name}-`,
      namespace: parent.metadata.namespace ?? '',
      annotations: {[DECISION]: decision},
    },
  };
  setControllerReference(parent, child);
  return child;
}
