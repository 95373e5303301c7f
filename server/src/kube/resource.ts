// A resource: its group, version, plural name and scope, and the paths that lead to it.

export interface Resource {
  group: string;
  version: string;
  /** The plural, as in URLs: `pods`. */
  plural: string;
  kind: string;
  namespaced: boolean;
}

/** `pods`, `deployments.apps`: how a person names it. */
export function resourceName(resource: Resource): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

/** Distinguishes versions too: the same objects in another version are another informer. */
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

/** The path of a collection, an object or a subresource. A namespace on a cluster-scoped resource is ignored. */
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

/** The resources krtscope's shipped collections read, known without asking discovery. */
export const resources = {
  Namespaces: builtIn('', 'v1', 'namespaces', 'Namespace', false),
  Nodes: builtIn('', 'v1', 'nodes', 'Node', false),
  Pods: builtIn('', 'v1', 'pods', 'Pod'),
  Services: builtIn('', 'v1', 'services', 'Service'),
  EndpointSlices: builtIn('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  Deployments: builtIn('apps', 'v1', 'deployments', 'Deployment'),
  ReplicaSets: builtIn('apps', 'v1', 'replicasets', 'ReplicaSet'),
  ConfigMaps: builtIn('', 'v1', 'configmaps', 'ConfigMap'),
  Secrets: builtIn('', 'v1', 'secrets', 'Secret'),
  NetworkPolicies: builtIn('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy'),
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
