// A resource: group, version, plural name, scope and URL paths.
import type {WireResource} from '@krtscope/shared/graph.ts';
import {type ShippedSource, shippedSources} from '@krtscope/shared/sources.ts';

export interface Resource {
  group: string;
  version: string;
  /** The plural, as in URLs: `pods`. */
  plural: string;
  kind: string;
  namespaced: boolean;
}

/** The name for users: `pods`, `deployments.apps`. */
export function resourceName(resource: Resource): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

/** Includes the version, because another version of the same objects needs another informer. */
export function resourceKey(resource: Pick<Resource, 'group' | 'version' | 'plural'>): string {
  return `${resource.group}/${resource.version}/${resource.plural}`;
}

export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group ? `${resource.group}/${resource.version}` : resource.version;
}

export interface PathOptions {
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
}

/** The URL path of a collection, an object or a subresource. Cluster-scoped resources ignore the namespace. */
export function resourcePath(resource: Resource, options: PathOptions = {}): string {
  const root = resource.group ? `/apis/${resource.group}/${resource.version}` : `/api/${resource.version}`;
  const parts = [root];
  if (resource.namespaced && options.namespace)
    parts.push('namespaces', encodeURIComponent(options.namespace));
  parts.push(resource.plural);
  if (options.name !== undefined) {
    if (options.name === '')
      throw new TypeError(`a name is needed to reach one of ${resourceName(resource)}`);
    parts.push(encodeURIComponent(options.name));
  }
  if (options.subresource) parts.push(options.subresource);
  return parts.join('/');
}

function builtIn(group: string, version: string, plural: string, kind: string, namespaced = true): Resource {
  return {group, version, plural, kind, namespaced};
}

/** Converts to the form of the wire, where `resource` is the plural name. */
export function toWireResource({group, version, plural, kind, namespaced}: Resource): WireResource {
  return {group, version, resource: plural, kind, namespaced};
}

export function fromWireResource({group, version, resource, kind, namespaced}: WireResource): Resource {
  return {group, version, plural: resource, kind, namespaced};
}

type ShippedResources = {readonly [N in ShippedSource]: Resource};

/** Resources that need no discovery: the shipped sources and kinds that krtscope uses itself. */
export const resources = {
  ...(Object.fromEntries(
    Object.entries(shippedSources).map(([name, resource]) => [name, fromWireResource(resource)]),
  ) as ShippedResources),
  CustomResourceDefinitions: builtIn(
    'apiextensions.k8s.io',
    'v1',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    false,
  ),
  Jobs: builtIn('batch', 'v1', 'jobs', 'Job'),
  Leases: builtIn('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  Events: builtIn('', 'v1', 'events', 'Event'),
} as const satisfies Record<string, Resource>;
