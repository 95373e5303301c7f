// Owner references and the controller reference of an object.

import type {KubeObject, OwnerReference} from '../../kube/object.ts';
import {groupVersionOf, kindOf} from '../scheme/kind.ts';

/** The object already has another controller. */
export class AlreadyOwnedError extends Error {
  override readonly name = 'AlreadyOwnedError';
  readonly owner: OwnerReference;

  constructor(object: KubeObject, owner: OwnerReference) {
    const {namespace, name} = object.metadata;
    super(
      `Object ${namespace ? `${namespace}/` : ''}${name} is already owned by another ${owner.kind} controller ${owner.name}`,
    );
    this.owner = owner;
  }
}

/**
 * Makes `owner` the controller of `object`. The server deletes the object with its owner, and `owns` enqueues the
 * owner. Throws AlreadyOwnedError if there is another controller. Changes the object in memory only.
 */
export function setControllerReference(
  owner: KubeObject,
  object: KubeObject,
  options: {blockOwnerDeletion?: boolean} = {},
): void {
  const reference = {
    ...referenceTo(owner, object),
    controller: true,
    blockOwnerDeletion: options.blockOwnerDeletion ?? true,
  };
  const other = controllerOf(object);
  if (other && !sameOwner(other, reference)) throw new AlreadyOwnedError(object, other);
  put(object, reference);
}

/** Adds `owner` to the owners. The object exists as long as one of them does. */
export function setOwnerReference(
  owner: KubeObject,
  object: KubeObject,
  options: {blockOwnerDeletion?: boolean} = {},
): void {
  const reference = referenceTo(owner, object);
  put(object, options.blockOwnerDeletion === undefined ? reference : {...reference, ...options});
}

export function hasOwnerReference(owner: KubeObject, object: KubeObject): boolean {
  const reference = referenceTo(owner, object);
  return (object.metadata.ownerReferences ?? []).some(one => sameOwner(one, reference));
}

/** Throws if `owner` is not one of the owners. */
export function removeOwnerReference(owner: KubeObject, object: KubeObject): void {
  const reference = referenceTo(owner, object);
  const all = object.metadata.ownerReferences ?? [];
  const remaining = all.filter(one => !sameOwner(one, reference));
  if (remaining.length === all.length)
    throw new Error(`${object.metadata.name} has no owner reference to ${owner.kind} ${owner.metadata.name}`);
  object.metadata.ownerReferences = remaining;
}

/** Returns the reference to the controller of an object. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(one => one.controller === true);
}

/** Compares the uid of the controller reference. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

function referenceTo(owner: KubeObject, object: KubeObject): OwnerReference {
  const {apiVersion, kind} = kindOf(owner);
  const {name = '', uid = '', namespace} = owner.metadata;
  const there = object.metadata.namespace;
  if (namespace && !there)
    throw new Error(
      `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${namespace}`,
    );
  if (namespace && there !== namespace)
    throw new Error(
      `cross-namespace owner references are disallowed, owner's namespace ${namespace}, obj's namespace ${there}`,
    );
  return {apiVersion, kind, name, uid};
}

/** Compares group, kind and name. The version and uid of an owner may change. */
function sameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    groupVersionOf(a.apiVersion).group === groupVersionOf(b.apiVersion).group
  );
}

function put(object: KubeObject, reference: OwnerReference): void {
  const all = [...(object.metadata.ownerReferences ?? [])];
  const at = all.findIndex(one => sameOwner(one, reference));
  if (at < 0) all.push(reference);
  else all[at] = reference;
  object.metadata.ownerReferences = all;
}
