// Who writes to a cluster, by the name that Kubernetes notes (metadata.managedFields[].manager): people and their tools,
// or the machinery. The one list of such names; whoever is not on it is a client of an unknown name and counts as a person.

/** What a write is worth to a reader: somebody's intent, the machinery at work, or its pulse. */
export const signals = ['person', 'controller', 'churn'] as const;
export type Signal = (typeof signals)[number];

/** People's tools that are called like controllers: what they write is what somebody committed. */
const tools = [
  /^kubectl(-|$)/,
  /^helm(-controller)?$/i,
  /^argocd(-|$)/,
  /^argo-?cd(-|$)/,
  /^(kustomize|source|image-automation|image-reflector)-controller$/,
  /^flux(-|$)/,
  /^(terraform|hashicorp|opentofu|pulumi)/i,
];

const machinery = [
  /^kube-(controller-manager|scheduler|apiserver|proxy)$/,
  /^kubelet$/,
  /^k3s$|^k0s$|^rke2$/,
  /^(cloud-)?controller-manager$/,
  // The name that controller-runtime's template gives every controller.
  /^manager$/,
  /^(cluster-autoscaler|metrics-server|coredns|karpenter|node-problem-detector|descheduler)$/,
  /^(vpa|keda|cert-manager|external-dns|ingress-nginx|calico|cilium|istio|kyverno|linkerd)(-|$)/,
  /^(pilot-discovery|istiod|kgateway|agentgateway|gloo|envoy-gateway)$/,
  /-(controller|controller-manager|operator|manager|scheduler|provisioner|attacher|resizer|snapshotter|agent|autoscaler)$/,
  /^(csi|krtscope)-/,
];

const personCache = new Map<string, boolean>();

/** Whether this name stands for somebody's intent. */
export function isPersonManager(manager: string): boolean {
  const held = personCache.get(manager);
  if (held !== undefined) return held;
  const person = tools.some(one => one.test(manager)) || !machinery.some(one => one.test(manager));
  if (personCache.size > 1000) personCache.clear();
  personCache.set(manager, person);
  return person;
}

/** Kinds that are nothing but a pulse. Measurements carry no manager: unsigned, they would stand among people's writes. */
const heartbeatKinds = new Set(['Leases', 'Events', 'PodMetrics', 'NodeMetrics']);

export function isHeartbeatKind(collection: string): boolean {
  return heartbeatKinds.has(collection.split('.')[0] as string);
}

/** Paths that change because time goes by: statuses, heartbeats, who leads. */
export function isChurnPath(path: string): boolean {
  return (
    path === 'status' ||
    /^status[.[]/.test(path) ||
    /control-plane\.alpha\.kubernetes\.io\/leader|(renew|acquire|heartbeat|probe|transition)Time$/i.test(path)
  );
}
