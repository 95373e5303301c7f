// What a reader names when it asks for objects: API version and kind, with the TypeScript type they have.

import type {KubeObject} from '../../kube/object.ts';
import {apiVersionOf, type Resource} from '../../kube/resource.ts';

/** Group, version and kind, as objects carry them. */
export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A kind and the type of its objects. Make one with `kind`, `defineResource`, or take a built-in one. */
export interface Kind<T extends KubeObject = KubeObject> extends KindRef {
  /** Where it is known without asking the server, as for built-in kinds. */
  readonly resource?: Resource | undefined;
  /** Only the metadata is read and kept: a watch of its own, apart from that of whole objects. */
  readonly metadataOnly?: boolean | undefined;
  /** Never there at run time: it carries the type. */
  readonly type?: T | undefined;
}

/** An object's place: `namespace` is left out, or ignored, for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** A kind by its API version and name, for objects of the type that is given: `kind<Widget>('example.com/v1', 'Widget')`. */
export function kind<T extends KubeObject = KubeObject>(apiVersion: string, name: string): Kind<T> {
  return {apiVersion, kind: name};
}

/** The same kind, of which only the metadata is read. */
export function metadataOf(of: KindRef): Kind {
  const {apiVersion, kind: name} = of;
  return {apiVersion, kind: name, resource: (of as Kind).resource, metadataOnly: true};
}

/** The kind that an object says it is. Throws where it says nothing. */
export function kindOf<T extends KubeObject>(object: T): Kind<T> {
  const {apiVersion, kind: name} = object;
  if (!apiVersion || !name)
    throw new TypeError(
      `an object named ${JSON.stringify(object.metadata?.name)} has no apiVersion and kind; set both before writing it`,
    );
  return {apiVersion, kind: name};
}

/** A built-in kind, known without asking discovery. */
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

/** Tells kinds apart: group, version, kind. */
export function kindId(ref: KindRef): string {
  return `${ref.apiVersion}/${ref.kind}`;
}

/** Tells kinds apart but not their versions, as owner references are compared. */
export function groupKindId(ref: KindRef): string {
  const group = groupOf(ref);
  return group ? `${ref.kind}.${group}` : ref.kind;
}

/** `namespace/name`, or `name`. */
export function keyText(key: ObjectKey): string {
  return key.namespace ? `${key.namespace}/${key.name}` : key.name;
}
