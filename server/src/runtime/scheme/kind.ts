// A kind: API version, kind name and the TypeScript type of its objects.

import type {BuiltInObjects} from '../../built-in-types/index.ts';
import type {KubeObject} from '../../kube/object.ts';
import {apiVersionOf, type Resource} from '../../kube/resource.ts';

/** API version and kind, as in objects. */
export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A kind and the type of its objects. Use `kind`, `defineResource` or a built-in kind. */
export interface Kind<T extends KubeObject = KubeObject> extends KindRef {
  /** Set for kinds that need no discovery, such as built-in ones. */
  readonly resource?: Resource | undefined;
  /** Reads and caches only the metadata, with a separate watch. */
  readonly metadataOnly?: boolean | undefined;
  /** Never set at run time. It only carries the type. */
  readonly type?: T | undefined;
}

/** The namespace and name of an object. Cluster-scoped kinds ignore `namespace`. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * Creates a kind from its API version and name: `kind<Widget>('example.com/v1', 'Widget')`. Built-in kinds know
 * the type of their objects.
 */
export function kind<A extends keyof BuiltInObjects, K extends keyof BuiltInObjects[A]>(
  apiVersion: A,
  name: K,
): Kind<Extract<BuiltInObjects[A][K], KubeObject>>;
export function kind<T extends KubeObject = KubeObject, A extends string = string>(
  apiVersion: A extends keyof BuiltInObjects ? never : A,
  name: string,
): Kind<T>;
export function kind(apiVersion: string, name: string): Kind {
  return {apiVersion, kind: name};
}

/** Returns the metadata-only form of a kind. */
export function metadataOf(of: KindRef): Kind {
  const {apiVersion, kind: name} = of;
  return {apiVersion, kind: name, resource: (of as Kind).resource, metadataOnly: true};
}

/** Returns the kind of an object. Throws if apiVersion or kind is missing. */
export function kindOf<T extends KubeObject>(object: T): Kind<T> {
  const {apiVersion, kind: name} = object;
  if (!apiVersion || !name)
    throw new TypeError(
      `an object named ${JSON.stringify(object.metadata?.name)} has no apiVersion and kind; set both before writing it`,
    );
  return {apiVersion, kind: name};
}

/** Creates a kind that needs no discovery. */
export function builtIn<T extends KubeObject = KubeObject>(resource: Resource): Kind<T> {
  return {apiVersion: apiVersionOf(resource), kind: resource.kind, resource};
}

export function groupVersionOf(apiVersion: string): {group: string; version: string} {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? {group: '', version: apiVersion}
    : {group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1)};
}

export function groupOf(ref: KindRef): string {
  return groupVersionOf(ref.apiVersion).group;
}

/** A unique id of group, version and kind. */
export function kindId(ref: KindRef): string {
  return `${ref.apiVersion}/${ref.kind}`;
}

/** An id of group and kind without the version, for owner references. */
export function groupKindId(ref: KindRef): string {
  const group = groupOf(ref);
  return group ? `${ref.kind}.${group}` : ref.kind;
}

/** `namespace/name`, or `name`. */
export function keyText(key: ObjectKey): string {
  return key.namespace ? `${key.namespace}/${key.name}` : key.name;
}
