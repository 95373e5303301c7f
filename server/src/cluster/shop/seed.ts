// Puts the shop into the ledger as if it had been running for days: every object goes through the same
// verbs as over HTTP, with the clock turned back, so that owners, defaults and times are real.
import type {Api} from '../api.ts';
import {
  Client,
  DAEMON_SETS,
  DEPLOYMENTS,
  ENDPOINT_SLICES,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '../life/client.ts';
import {setUpNamespace} from '../life/namespace-setup.ts';
import {podFor, replicaSetFor, templateHash} from '../life/offspring.ts';
import {crashLoopStatus, type Placement, runningStatus} from '../life/pod-state.ts';
import {at, type JsonObject, type KubeObject, listAt, mapAt, stringAt} from '../object/types.ts';
import {seedBase} from './base.ts';
import {NAMESPACES, NODE_NAMES, SERVICES, type ShopService, WORKLOADS, type Workload} from './catalogue.ts';
import {serviceManifest, workloadManifest} from './manifests.ts';

const MINUTE = 60_000;
const PATHS = {Deployment: DEPLOYMENTS, StatefulSet: STATEFUL_SETS, DaemonSet: DAEMON_SETS};

/** Seeds an empty cluster: the base alone. */
export function seedEmpty(api: Api): void {
  seedBase(api, new Client(api, 'kube-controller-manager'));
  api.ledger.compact();
}

export function seedShop(api: Api): void {
  const now = api.now;
  const started = now();
  const ago = (minutes: number) => {
    api.now = () => started - minutes * MINUTE;
  };
  const client = new Client(api, 'kube-controller-manager');
  try {
    ago(60 * 24 * 30);
    seedBase(api, client);
    for (const {name, labels} of NAMESPACES) {
      client.as('kubectl-create').create('namespaces', {metadata: {name, labels}});
      setUpNamespace(client, name);
    }
    for (const service of SERVICES) {
      ago(60 * 24 * 9);
      client.as(service.manager).create('services', serviceManifest(service));
    }
    for (const workload of WORKLOADS) seedWorkload(client, workload, ago);
    for (const service of SERVICES) seedSlice(client, service);
  } finally {
    api.now = now;
  }
  api.ledger.compact();
}

let nextAddress = 2;

export function placement(index: number): Placement {
  const node = index % NODE_NAMES.length;
  const n = nextAddress++;
  return {
    node: NODE_NAMES[node]!,
    nodeIP: `10.0.0.${node + 11}`,
    podIP: `10.244.${node + 3 * (n >> 8)}.${n & 255}`,
  };
}

function seedWorkload(client: Client, workload: Workload, ago: (minutes: number) => void): void {
  ago(workload.age);
  const owner = client.as(workload.manager).create(PATHS[workload.kind], workloadManifest(workload));
  ago(workload.rolled);
  let parent = owner;
  if (workload.kind === 'Deployment') {
    const hash = templateHash(at(owner, 'spec', 'template'));
    parent = client.create(REPLICA_SETS, replicaSetFor(owner, hash, workload.replicas, 1));
  }
  for (let i = 0; i < workload.replicas; i++) {
    const name = workload.kind === 'StatefulSet' ? `${workload.name}-${i}` : undefined;
    const crashing = workload.name === 'payments' && i === workload.replicas - 1;
    seedPod(client, podFor(parent, name), placement(i), crashing);
  }
  if (workload.name === 'catalog') seedMislabelled(client, parent);
}

/** Somebody relabelled one Pod by hand: its ReplicaSet let it go and no Service selects it any more. */
function seedMislabelled(client: Client, replicaSet: KubeObject): void {
  const pod = seedPod(client, podFor(replicaSet), placement(1), false);
  if (!pod) return;
  client.as('kubectl-label').update(PODS, pod, current => {
    current.metadata.labels = {...current.metadata.labels, app: 'catlog'};
  });
  client.update(PODS, pod, current => {
    delete current.metadata.ownerReferences;
  });
}

function seedPod(
  client: Client,
  body: JsonObject,
  place: Placement,
  crashing: boolean,
): KubeObject | undefined {
  const pod = client.create(PODS, body);
  const placed = client.as('kube-scheduler').update(
    PODS,
    pod,
    current => {
      (current.spec as JsonObject).nodeName = place.node;
    },
    'binding',
  );
  if (!placed) return undefined;
  const time = client.api.timestamp();
  const status = crashing
    ? crashLoopStatus(placed, place, {time, ready: false, restarts: 14})
    : runningStatus(placed, place, {time, ready: true});
  return client.as('kubelet').setStatus(PODS, placed, status);
}

function seedSlice(client: Client, service: ShopService): void {
  const found = client.get('services', service.namespace, service.name)!;
  const selector = mapAt(found, 'spec', 'selector');
  const pods = client
    .list(PODS, service.namespace)
    .filter(pod => Object.entries(selector).every(([k, v]) => pod.metadata.labels?.[k] === v));
  client.create(ENDPOINT_SLICES, {
    metadata: {
      generateName: `${service.name}-`,
      namespace: service.namespace,
      labels: {'kubernetes.io/service-name': service.name},
    },
    addressType: 'IPv4',
    ports: [{name: 'http', port: service.targetPort, protocol: 'TCP'}],
    endpoints: pods.map(pod => endpoint(pod)),
  });
}

function endpoint(pod: KubeObject): JsonObject {
  const ready = listAt(pod, 'status', 'conditions').some(
    c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
  );
  return {
    addresses: [stringAt(pod, 'status', 'podIP')],
    conditions: {ready, serving: ready, terminating: false},
    nodeName: stringAt(pod, 'spec', 'nodeName'),
    targetRef: {
      kind: 'Pod',
      name: pod.metadata.name,
      namespace: pod.metadata.namespace,
      uid: pod.metadata.uid,
    },
  };
}
