// Names of kinds as kubectl takes them. The shipped kinds are listed here, so that asking for them needs no other request.

/** The resource of a collection, as in the graph answer. */
export interface NamedResource {
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
}

export interface NamedCollection {
  name: string;
  resource?: NamedResource;
  /** Paths that distinguish its rows best. */
  fields: readonly string[];
}

const shipped = (
  name: string,
  group: string,
  resource: string,
  kind: string,
  namespaced = true,
): NamedCollection => ({name, resource: {group, version: 'v1', resource, kind, namespaced}, fields: []});

/** shared/src/sources.ts has the same table with schemas. A test compares them. */
export const shippedCollections: readonly NamedCollection[] = [
  shipped('Namespaces', '', 'namespaces', 'Namespace', false),
  shipped('Nodes', '', 'nodes', 'Node', false),
  shipped('Pods', '', 'pods', 'Pod'),
  shipped('Services', '', 'services', 'Service'),
  shipped('EndpointSlices', 'discovery.k8s.io', 'endpointslices', 'EndpointSlice'),
  shipped('Deployments', 'apps', 'deployments', 'Deployment'),
  shipped('ReplicaSets', 'apps', 'replicasets', 'ReplicaSet'),
  shipped('ConfigMaps', '', 'configmaps', 'ConfigMap'),
  shipped('Secrets', '', 'secrets', 'Secret'),
  shipped('NetworkPolicies', 'networking.k8s.io', 'networkpolicies', 'NetworkPolicy'),
];

const shortNames: Readonly<Record<string, string>> = {
  cj: 'cronjobs',
  cm: 'configmaps',
  crd: 'customresourcedefinitions',
  crds: 'customresourcedefinitions',
  csr: 'certificatesigningrequests',
  deploy: 'deployments',
  ds: 'daemonsets',
  ep: 'endpoints',
  ev: 'events',
  gtw: 'gateways',
  hpa: 'horizontalpodautoscalers',
  ing: 'ingresses',
  limits: 'limitranges',
  netpol: 'networkpolicies',
  no: 'nodes',
  ns: 'namespaces',
  pc: 'priorityclasses',
  pdb: 'poddisruptionbudgets',
  po: 'pods',
  pv: 'persistentvolumes',
  pvc: 'persistentvolumeclaims',
  quota: 'resourcequotas',
  rc: 'replicationcontrollers',
  rs: 'replicasets',
  sa: 'serviceaccounts',
  sc: 'storageclasses',
  sts: 'statefulsets',
  svc: 'services',
};

/** The collection that a word names, the best match first: its name, then its kind, then its singular. */
export function findByWord(
  collections: readonly NamedCollection[],
  word: string,
): NamedCollection | undefined {
  const lower = word.toLowerCase();
  const resource = shortNames[lower] ?? lower;
  return (
    collections.find(({name}) => name === word) ??
    collections.find(({name}) => name.toLowerCase() === lower) ??
    collections.find(one => resourceNames(one).includes(resource)) ??
    collections.find(({name}) => singularWords(name.toLowerCase()).includes(lower))
  );
}

/** `pods`, `pod`, `deployments.apps`, `deployments.v1.apps`. */
function resourceNames({resource: of}: NamedCollection): string[] {
  if (of === undefined) return [];
  const names = [of.resource, of.kind.toLowerCase()];
  const groups = of.group === '' ? [`${of.version}`] : [of.group, `${of.version}.${of.group}`];
  return [...names, ...names.flatMap(name => groups.map(group => `${name}.${group}`))];
}

function singularWords(plural: string): string[] {
  return [plural.replace(/ies$/, 'y'), plural.replace(/es$/, ''), plural.replace(/s$/, '')];
}

/** Names that are near to a mistyped one, the nearest first. */
export function nearestNames(names: readonly string[], word: string): string[] {
  return names
    .map(name => ({name, distance: editDistance(name.toLowerCase(), word.toLowerCase())}))
    .filter(({name, distance}) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({name}) => name);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
