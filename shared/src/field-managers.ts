// Classifies writers by their name in metadata.managedFields[].manager: people and their tools, or controllers. Unknown
// names count as people.

/** The meaning of a write: intent of a person, work of a controller, or background noise. */
export const signals = ['person', 'controller', 'churn'] as const;
export type Signal = (typeof signals)[number];

/** Tools of people that are named like controllers. They write what a person committed. */
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

/** Whether this name stands for a person's intent. */
export function isPersonManager(manager: string): boolean {
  const cached = personCache.get(manager);
  if (cached !== undefined) return cached;
  const person = tools.some(one => one.test(manager)) || !machinery.some(one => one.test(manager));
  if (personCache.size > 1000) personCache.clear();
  personCache.set(manager, person);
  return person;
}

/** Kinds that only change with time. Metrics carry no manager and would otherwise count as people's writes. */
const heartbeatKinds = new Set(['Leases', 'Events', 'PodMetrics', 'NodeMetrics']);

export function isHeartbeatKind(collection: string): boolean {
  return heartbeatKinds.has(collection.split('.')[0] as string);
}

/** Paths that change with time: statuses, heartbeats, leader records. */
export function isChurnPath(path: string): boolean {
  return (
    path === 'status' ||
    /^status[.[]/.test(path) ||
    /control-plane\.alpha\.kubernetes\.io\/leader|(renew|acquire|heartbeat|probe|transition)Time$/i.test(path)
  );
}
