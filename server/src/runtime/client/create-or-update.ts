// Creates or updates an object. Concurrent writes and a lagging cache cause a conflict: throw it, and the
// controller's backoff retries.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {KubeObject} from '../../kube/object.ts';
import {keyText, kindOf} from '../scheme/kind.ts';
import type {DesiredObject, ObjectFor} from '../scheme/object-types.ts';
import type {Client} from './client.ts';
import {ignoreNotFound} from './error-checks.ts';
import {refOf} from './live-writer.ts';
import {mergeFrom} from './patch.ts';

/** Sets the desired fields. Must not change name or namespace, or overwrite values that the server defaults. */
export type Mutate<T> = (object: T) => void | Promise<void>;

export type CreateOrUpdateResult = 'created' | 'updated' | 'unchanged';

export type CreateOrPatchResult = CreateOrUpdateResult | 'updatedStatus' | 'updatedStatusOnly';

/**
 * Reads the object into `object`, calls `mutate`, and creates or updates the object. Writes nothing when nothing
 * changed. `object` needs apiVersion, kind, name and namespace.
 */
export async function createOrUpdate<
  T extends KubeObject,
  A extends string = string,
  K extends string = string,
>(
  client: Client,
  desired: DesiredObject<A, K, T>,
  mutate: Mutate<ObjectFor<A, K, T>>,
): Promise<CreateOrUpdateResult> {
  const object = desired as KubeObject;
  const there = await loadCurrent(client, object);
  await applyMutation(object, mutate as Mutate<KubeObject>);
  if (!there) {
    await client.create(object);
    return 'created';
  }
  if (deepEqual(there, object)) return 'unchanged';
  await client.update(object);
  return 'updated';
}

/** Like createOrUpdate, but with merge patches: one for the object and one for its status, if changed. */
export async function createOrPatch<
  T extends KubeObject,
  A extends string = string,
  K extends string = string,
>(
  client: Client,
  desired: DesiredObject<A, K, T>,
  mutate: Mutate<ObjectFor<A, K, T>>,
): Promise<CreateOrPatchResult> {
  const object = desired as KubeObject;
  const there = await loadCurrent(client, object);
  await applyMutation(object, mutate as Mutate<KubeObject>);
  if (!there) {
    await client.create(object);
    return 'created';
  }
  const [bodyChanged, statusChanged] = [
    !deepEqual(withoutStatus(there), withoutStatus(object)),
    !deepEqual(there.status, object.status),
  ];
  const wished = deepCopy(object);
  if (bodyChanged) await client.patch(object, mergeFrom(withStatus(there, wished.status)));
  if (statusChanged) {
    const target = withStatus(object, wished.status);
    await client.status().patch(target, mergeFrom(withStatus(object, there.status)));
    if (!Object.isFrozen(object)) Object.assign(object, target);
  }
  if (bodyChanged) return statusChanged ? 'updatedStatus' : 'updated';
  return statusChanged ? 'updatedStatusOnly' : 'unchanged';
}

/** Reads the current object into `object`. */
async function loadCurrent<T extends KubeObject>(client: Client, object: T): Promise<T | undefined> {
  const there = await ignoreNotFound(client.get(kindOf(object), refOf(object)));
  if (!there) return undefined;
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, deepCopy(there));
  return there;
}

async function applyMutation<T extends KubeObject>(object: T, mutate: Mutate<T>): Promise<void> {
  const before = keyText(refOf(object));
  await mutate(object);
  if (keyText(refOf(object)) !== before)
    throw new Error(`mutate must not change the name or the namespace of ${before}`);
}

function withoutStatus(object: KubeObject): KubeObject {
  const {status: _, ...rest} = object;
  return rest as KubeObject;
}

function withStatus<T extends KubeObject>(object: T, status: unknown): T {
  return (status === undefined ? withoutStatus(object) : {...object, status}) as T;
}
