// A generated cluster of a given size for tests and benchmarks: realistic Pods, Services, slices, owners and policies.
// The same size always gives the same objects.

export type ListedObject = [collection: string, key: string, object: Record<string, unknown>];

export interface ClusterSize {
  pods: number;
  namespaces?: number;
  /** The total number of Services. */
  services?: number;
  nodes?: number;
}

export const sourceNames = [
  'Namespaces',
  'Nodes',
  'Pods',
  'Services',
  'EndpointSlices',
  'Deployments',
  'ReplicaSets',
  'ConfigMaps',
  'Secrets',
  'NetworkPolicies',
];

export function makeCluster({
  pods,
  namespaces = 20,
  services = 200,
  nodes = 100,
}: ClusterSize): ListedObject[] {
  const listed: ListedObject[] = [];
  const perNamespace = Math.max(1, Math.floor(services / namespaces));
  for (let n = 0; n < namespaces; n++) {
    const labels = n % 2 === 0 ? {'istio.io/use-waypoint': 'waypoint'} : {};
    listed.push(['Namespaces', `ns-${n}`, {metadata: {name: `ns-${n}`, labels}}]);
  }
  for (let n = 0; n < nodes; n++) {
    const status = {conditions: [{type: 'Ready', status: 'True'}]};
    listed.push(['Nodes', `node-${n}`, {metadata: {name: `node-${n}`}, status}]);
  }
  for (let s = 0; s < namespaces * perNamespace; s++) listed.push(...service(s, namespaces));
  for (let p = 0; p < pods; p++) {
    const pod = makePod(p, {namespaces, perNamespace, nodes});
    const {namespace, name} = pod.metadata as {namespace: string; name: string};
    listed.push(['Pods', `${namespace}/${name}`, pod]);
  }
  listed.push(...slices(listed));
  return listed;
}

/** The EndpointSlices that the cluster's own controller would write for these Pods and Services. */
function slices(listed: readonly ListedObject[]): ListedObject[] {
  const endpoints = new Map<string, unknown[]>();
  for (const [collection, , object] of listed) {
    if (collection !== 'Pods') continue;
    const {metadata, status, spec} = object as {
      metadata: {name: string; namespace: string; labels: {app: string}};
      status: {podIP: string};
      spec: {nodeName: string};
    };
    const key = `${metadata.namespace}/${metadata.labels.app}`;
    const entry = {
      addresses: [status.podIP],
      conditions: {ready: true},
      nodeName: spec.nodeName,
      targetRef: {kind: 'Pod', name: metadata.name, namespace: metadata.namespace},
    };
    endpoints.set(key, [...(endpoints.get(key) ?? []), entry]);
  }
  return [...endpoints].map(([key, list]) => {
    const [namespace, name] = key.split('/');
    const labels = {
      'kubernetes.io/service-name': name,
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    };
    const metadata = {name: `${name}-1`, namespace, labels, resourceVersion: '1'};
    const ports = [{name: 'http', port: 8080, protocol: 'TCP'}];
    return ['EndpointSlices', `${key}-1`, {metadata, addressType: 'IPv4', endpoints: list, ports}];
  });
}

function service(s: number, namespaces: number): ListedObject[] {
  const namespace = `ns-${s % namespaces}`;
  const app = `app-${Math.floor(s / namespaces)}`;
  const key = `${namespace}/${app}`;
  const metadata = {name: app, namespace, resourceVersion: `${s + 1}`};
  const owner = [{kind: 'Deployment', name: app, controller: true}];
  return [
    [
      'Services',
      key,
      {metadata, spec: {selector: {app}, ports: [{name: 'http', port: 80, targetPort: 'http'}]}},
    ],
    ['Deployments', key, {metadata, spec: {replicas: 3}, status: {availableReplicas: 3}}],
    ['ReplicaSets', `${key}-rs`, {metadata: {...metadata, name: `${app}-rs`, ownerReferences: owner}}],
    ['ConfigMaps', key, {metadata, data: {mode: 'fast'}}],
    ['NetworkPolicies', key, {metadata, spec: {podSelector: {matchLabels: {app}}, policyTypes: ['Ingress']}}],
  ];
}

/** A Pod of about 3.5 KB. Another `version` changes its status. */
export function makePod(
  p: number,
  {namespaces = 20, perNamespace = 10, nodes = 100, version = 0, ready = true} = {},
): Record<string, unknown> {
  const namespace = `ns-${p % namespaces}`;
  const app = `app-${Math.floor(p / namespaces) % perNamespace}`;
  const ip = `10.${(p >> 16) & 255}.${(p >> 8) & 255}.${p & 255}`;
  const time = new Date(1_700_000_000_000 + version * 1000).toISOString();
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(type => ({
    type,
    status: type === 'Ready' && !ready ? 'False' : 'True',
    lastProbeTime: null,
    lastTransitionTime: time,
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${p}`,
      namespace,
      uid: `00000000-0000-4000-8000-${String(p).padStart(12, '0')}`,
      resourceVersion: `${1000 + p + version * 1_000_000}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {app, 'pod-template-hash': '5d4f8c7b9d', tier: `tier-${p % 3}`},
      annotations: {'prometheus.io/scrape': 'true', 'prometheus.io/port': '9090', note: 'n'.repeat(200)},
      ownerReferences: [{apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-rs`, controller: true}],
    },
    spec: {
      nodeName: `node-${p % nodes}`,
      serviceAccountName: 'default',
      restartPolicy: 'Always',
      containers: [0, 1].map(c => ({
        name: c === 0 ? 'app' : 'sidecar',
        image: `registry/${app}:1.2.${c}`,
        ports: c === 0 ? [{name: 'http', containerPort: 8080, protocol: 'TCP'}] : [],
        env: Array.from({length: 8}, (_, e) => ({name: `SETTING_${e}`, value: `value-${e}-${app}`})),
        resources: {limits: {cpu: '500m', memory: '256Mi'}, requests: {cpu: '100m', memory: '128Mi'}},
        volumeMounts: [{name: 'token', mountPath: '/var/run/secrets', readOnly: true}],
      })),
      tolerations: [{key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300}],
      volumes: [{name: 'token', projected: {defaultMode: 420, sources: [{configMap: {name: 'ca'}}]}}],
    },
    status: {
      phase: 'Running',
      hostIP: `192.168.0.${p % 250}`,
      podIP: ip,
      podIPs: [{ip}],
      startTime: '2026-01-01T00:00:00Z',
      conditions,
      containerStatuses: [0, 1].map(c => ({
        name: c === 0 ? 'app' : 'sidecar',
        ready: true,
        restartCount: version,
        image: `registry/${app}:1.2.${c}`,
        state: {running: {startedAt: time}},
      })),
    },
  };
}
