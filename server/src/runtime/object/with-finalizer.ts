// The whole life of a finalizer in one call: added before anything is created, removed after the cleanup.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../client/client.ts';
import {ignoreNotFound} from '../client/error-checks.ts';
import {mergeFrom} from '../client/patch.ts';
import {addFinalizer, containsFinalizer, removeFinalizer} from './finalizer.ts';

/** `active`: go on. `deleting`: the cleanup is not done. `deleted`: nothing is left to do. */
export type FinalizerState = 'active' | 'deleting' | 'deleted';

/**
 * Adds the finalizer to an object that lives, and writes it. For an object that is being deleted it calls `cleanup`
 * and then removes the finalizer, unless `cleanup` returns false, or a promise of it, because it needs another run.
 */
export async function withFinalizer<T extends KubeObject>(
  client: Client,
  object: T,
  finalizer: string,
  cleanup: (object: T) => unknown,
): Promise<FinalizerState> {
  const base = deepCopy(object);
  // The list of finalizers is written whole, and the lock keeps those of others.
  const write = () => client.patch(object, mergeFrom(base, {optimisticLock: true}));
  if (!object.metadata.deletionTimestamp) {
    if (addFinalizer(object, finalizer)) await write();
    return 'active';
  }
  if (!containsFinalizer(object, finalizer)) return 'deleted';
  if ((await cleanup(object)) === false) return 'deleting';
  removeFinalizer(object, finalizer);
  await ignoreNotFound(write());
  return 'deleted';
}
