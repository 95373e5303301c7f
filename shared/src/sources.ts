// Sources: the built-in ones, the other kinds of a cluster, and the names of sources.
import {z} from 'zod';
import {resourceSchema, type WireResource} from './graph.ts';
import {namespacesSource} from './vocabulary.ts';

function shippedResource(
  group: string,
  version: string,
  resource: string,
  kind: string,
  namespaced = true,
): WireResource {
  return {group, version, resource, kind, namespaced};
}

/** The built-in sources of every cluster session, by collection name. The built-in graph uses them. */
export const shippedSources = {
  [namespacesSource]: shippedResource('', 'v1', 'namespaces', 'Namespace', false),
  Nodes: shippedResource('', 'v1', 'nodes', 'Node', false),
  Pods: shippedResource('', 'v1', 'pods', 'Pod'),
  Services: shippedResource('', 'v1', 'services', 'Service'),
  EndpointSlices: shippedResource('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  Deployments: shippedResource('apps', 'v1', 'deployments', 'Deployment'),
  ReplicaSets: shippedResource('apps', 'v1', 'replicasets', 'ReplicaSet'),
  ConfigMaps: shippedResource('', 'v1', 'configmaps', 'ConfigMap'),
  Secrets: shippedResource('', 'v1', 'secrets', 'Secret'),
  NetworkPolicies: shippedResource('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy'),
} as const satisfies Record<string, WireResource>;
export type ShippedSource = keyof typeof shippedSources;

export const kindSchema = resourceSchema.extend({
  /** Whether the user may list it. */
  allowed: z.boolean(),
  /** The collection of this kind, if there is one. */
  source: z.string().optional(),
  /** The name that its collection would get. */
  name: z.string(),
  shortNames: z.array(z.string()),
});
export type KindAnswer = z.infer<typeof kindSchema>;

export const kindsSchema = z.object({
  kinds: z.array(kindSchema),
  /** Group versions that did not answer, such as an aggregated API whose server is down. */
  failed: z.array(z.string()),
});
export type KindsAnswer = z.infer<typeof kindsSchema>;

export const addSourceSchema = z.strictObject({resource: z.string().trim().min(1).max(300)});
/** As in /kinds: `resource` is the plural. */
export const addedSourceSchema = resourceSchema.extend({name: z.string()});
export type AddedSource = z.infer<typeof addedSourceSchema>;

/** The plural of a kind in its own capitals: `Pods`, `NetworkPolicies`, `Endpoints`. */
export function pluralOf({kind, resource}: Pick<WireResource, 'kind' | 'resource'>): string {
  if (resource.startsWith(kind.toLowerCase())) return kind + resource.slice(kind.length);
  if (kind.endsWith('y') && resource.endsWith('ies')) return `${kind.slice(0, -1)}ies`;
  return kind.endsWith('s') ? kind : `${kind}s`;
}

/**
 * The collection's name of a resource. It is the plural alone if only one group serves the kind and the name
 * is free.
 * It is fixed when the source is added.
 */
export function sourceName(
  resource: WireResource,
  served: readonly Pick<WireResource, 'kind' | 'group'>[],
  isTaken: (name: string) => boolean,
): string {
  const plural = pluralOf(resource);
  const groups = new Set(served.filter(({kind}) => kind === resource.kind).map(({group}) => group));
  groups.add(resource.group);
  if (groups.size === 1 && !isTaken(plural)) return plural;
  const full = `${plural}.${resource.group === '' ? 'core' : resource.group}`;
  let name = full;
  for (let n = 2; isTaken(name); n++) name = `${full}#${n}`;
  return name;
}
