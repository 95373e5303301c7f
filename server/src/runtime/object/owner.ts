// Owner references: who an object belongs to, and who alone controls it.

import type {KubeObject, OwnerReference} from '../../kube/object.ts';
import {groupVersionOf, kindOf} from '../scheme/kind.ts';

/** The object has another controller already. */
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
 * Makes `owner` the one controller of `object`, which is then deleted with it, and woken for by `owns`. Throws
 * AlreadyOwnedError when there is another one. Only changes the object here; write it afterwards.
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

/** Makes `owner` one of the owners: the object lives as long as one of them. */
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

/** Throws where it is none of the owners. */
export function removeOwnerReference(owner: KubeObject, object: KubeObject): void {
  const reference = referenceTo(owner, object);
  const all = object.metadata.ownerReferences ?? [];
  const kept = all.filter(one => !sameOwner(one, reference));
  if (kept.length === all.length)
    throw new Error(`${object.metadata.name} has no owner reference to ${owner.kind} ${owner.metadata.name}`);
  object.metadata.ownerReferences = kept;
}

/** The reference to the one controller of an object. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(one => one.controller === true);
}

/** Whether this very object controls the other, by its uid. */
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

/** By group, kind and name, as the garbage collector's owners are renewed: neither version nor uid counts. */
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
