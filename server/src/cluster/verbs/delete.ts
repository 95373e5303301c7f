// Delete and deletecollection: preconditions, finalizers, grace periods and propagation policies.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {admitMutation, admitValidation} from '../admission/admission.ts';
import {keyOf} from '../api.ts';
import {convertToVersion} from '../kinds/version-conversion.ts';
import type {StoredObject} from '../object/stored-object.ts';
import {conflict, forbidden, notFound} from '../wire/responses/status-error.ts';
import type {WriteContext} from './write.ts';

export interface DeleteRequestOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: string;
  orphanDependents?: boolean;
  preconditions?: {uid?: string; resourceVersion?: string};
}

interface DeleteResult {
  object: StoredObject;
  /** Deleted at once; otherwise finalizers or a grace period keep it. */
  gone: boolean;
}

export function deleteObject(write: WriteContext, name: string, options: DeleteRequestOptions): DeleteResult {
  const {api, resource} = write;
  const key = keyOf(resource.namespaced ? write.namespace : '', name);
  const stored = api.resourceStore(resource).objects.get(key);
  if (!stored) throw notFound(resource, name);
  const refused = resource.rules.refusesDelete?.(stored) ?? '';
  if (refused !== '') throw forbidden(resource, name, refused);
  checkPreconditions(write, stored, options);
  if (write.client) {
    const old = convertToVersion(resource, stored);
    admitMutation(write, 'DELETE', undefined, old);
    admitValidation(write, 'DELETE', undefined, old);
  }
  const object = deepCopy(stored);
  const finalizers = finalizersFor(object, options);
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  const grace = resource.rules.grace?.(object, options.gracePeriodSeconds) ?? 0;
  const isHeld = finalizers.length > 0 || resource.rules.holdsDeletion?.(object) === true;
  if (!isHeld && grace === 0) {
    if (write.dryRun) return {object: convertToVersion(resource, stored), gone: true};
    return {
      object: convertToVersion(resource, api.storage.remove(resource.storeName, key) ?? stored),
      gone: true,
    };
  }
  if (object.metadata.deletionTimestamp)
    return {object: shorten(write, key, object, grace, isHeld), gone: false};
  object.metadata.deletionTimestamp = api.timestamp(api.now() + grace * 1000);
  object.metadata.deletionGracePeriodSeconds = grace;
  if (object.metadata.generation !== undefined) object.metadata.generation++;
  resource.rules.onDelete?.(object);
  if (write.dryRun) return {object: convertToVersion(resource, object), gone: false};
  return {object: convertToVersion(resource, api.storage.put(resource.storeName, key, object)), gone: false};
}

function shorten(
  write: WriteContext,
  key: string,
  object: StoredObject,
  grace: number,
  isHeld: boolean,
): StoredObject {
  const {api, resource} = write;
  if (!isHeld && grace === 0)
    return convertToVersion(resource, api.storage.remove(resource.storeName, key) ?? object);
  return convertToVersion(resource, object);
}

function checkPreconditions(write: WriteContext, object: StoredObject, options: DeleteRequestOptions): void {
  const {uid, resourceVersion} = options.preconditions ?? {};
  const {name, uid: own, resourceVersion: revision} = object.metadata;
  const subject = {group: write.resource.group, resource: write.resource.kind};
  if (uid !== undefined && uid !== own) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${own}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== revision) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${revision}). The object might have been modified`;
    throw conflict(subject, name, why);
  }
}

function finalizersFor(object: StoredObject, options: DeleteRequestOptions): string[] {
  const others = (object.metadata.finalizers ?? []).filter(f => f !== 'orphan' && f !== 'foregroundDeletion');
  const propagation = (object.metadata.finalizers ?? []).filter(
    f => f === 'orphan' || f === 'foregroundDeletion',
  );
  const policy =
    options.propagationPolicy ??
    (options.orphanDependents === undefined ? '' : options.orphanDependents ? 'Orphan' : 'Background');
  if (policy === 'Orphan') return [...others, 'orphan'];
  if (policy === 'Foreground') return [...others, 'foregroundDeletion'];
  if (policy === 'Background') return others;
  return [...others, ...propagation];
}

/** Removes an object after its last finalizer, unless its kind or its grace period keeps it. */
export function finishDeletion(
  write: WriteContext,
  key: string,
  object: StoredObject,
): StoredObject | undefined {
  const {api, resource} = write;
  if (resource.rules.holdsDeletion?.(object)) return undefined;
  if ((object.metadata.deletionGracePeriodSeconds ?? 0) > 0) return undefined;
  api.storage.remove(resource.storeName, key);
  return object;
}
