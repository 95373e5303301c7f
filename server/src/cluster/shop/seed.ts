// Fills the storage with a shop that has been running for days. Each object goes through the same verbs as
// over HTTP with the clock turned back, so that owners, defaults and times are real.
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {RuntimeClient} from '../../runtime/client/runtime-client.ts';
import type {Kind, ObjectKey, Wire} from '../../runtime/index.ts';
import {Mapper} from '../../runtime/scheme/mapper.ts';
import type {Api} from '../api.ts';
import {at, type JsonObject, type StoredObject} from '../object/stored-object.ts';
import {podFor, replicaSetFor, templateHash} from '../simulation/controllers/child-objects.ts';
import {
  DaemonSet,
  Deployment,
  ReplicaSet,
  Service,
  StatefulSet,
} from '../simulation/controllers/controller-kinds.ts';
import {MANAGER, makeControllerClient} from '../simulation/controllers/controller-manager.ts';
import {DependentIndex} from '../simulation/controllers/dependent-index.ts';
import {DeploymentController} from '../simulation/controllers/deployment-controller.ts';
import {EndpointSliceController} from '../simulation/controllers/endpoint-slice-controller.ts';
import {setUpNamespace} from '../simulation/controllers/namespace-setup.ts';
import {ReplicaSetController} from '../simulation/controllers/replica-set-controller.ts';
import {
  DaemonSetController,
  StatefulSetController,
  statefulLabels,
  withLabels,
} from '../simulation/controllers/stateful-and-daemon-set-controllers.ts';
import {StorageCache} from '../simulation/controllers/storage-cache.ts';
import {
  DAEMON_SETS,
  DEPLOYMENTS,
  DirectClient,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '../simulation/direct-client.ts';
import {unschedulableMessage} from '../simulation/kubelet/node-fit.ts';
import {PodAddresses} from '../simulation/kubelet/pod-addresses.ts';
import {
  crashLoopStatus,
  type PodPlacement,
  runningStatus,
  unschedulableStatus,
} from '../simulation/kubelet/pod-status.ts';
import {seedBase} from './base-objects.ts';
import {NAMESPACES, NODE_NAMES, SERVICES, type ShopWorkload, WORKLOADS} from './catalogue.ts';
import {SHOP_CONFIGURATION} from './configuration.ts';
import {serviceManifest, workloadManifest} from './manifests.ts';

const MINUTE = 60_000;
const DAY = 24 * 60;
const PATHS = {Deployment: DEPLOYMENTS, StatefulSet: STATEFUL_SETS, DaemonSet: DAEMON_SETS};

/** Seeds an empty cluster with the base objects only. */
export function seedEmpty(api: Api): void {
  seedBase(api, new DirectClient(api, 'kube-controller-manager'));
  api.storage.compact();
}

export async function seedShop(api: Api, wire: Wire): Promise<void> {
  const now = api.now;
  const started = now();
  const ago = (minutes: number) => {
    api.now = () => started - minutes * MINUTE;
  };
  const client = new DirectClient(api, 'kube-controller-manager');
  try {
    ago(30 * DAY);
    seedBase(api, client);
    for (const {name, labels} of NAMESPACES) {
      client.as('kubectl-create').create('namespaces', {metadata: {name, labels}});
      setUpNamespace(client, name);
    }
    ago(9 * DAY);
    for (const service of SERVICES) client.as(service.manager).create('services', serviceManifest(service));
    for (const extra of SHOP_CONFIGURATION) client.as(extra.manager).create(extra.path, extra.object);
    const addresses = new PodAddresses(api);
    for (const workload of WORKLOADS) seedWorkload(client, addresses, workload, ago);
    ago(95);
    seedWaiting(client);
    addresses.stop();
    ago(26);
    await settle(api, wire);
  } finally {
    api.now = now;
  }
  api.storage.compact();
}

/** Runs the controllers once, so that the first list shows their status. */
async function settle(api: Api, wire: Wire): Promise<void> {
  const owned = new DependentIndex(api);
  const client = new RuntimeClient({
    client: new DynamicClient(wire),
    mapper: new Mapper(wire),
    cache: new StorageCache(api, owned),
    fieldOwner: MANAGER,
  });
  // Records no Events for the seeding.
  const control = makeControllerClient(api, client, {event: () => {}});
  const rounds: [Kind<StoredObject>, {reconcile(request: ObjectKey): Promise<void>}][] = [
    [ReplicaSet, new ReplicaSetController(control)],
    [Deployment, new DeploymentController(control)],
    [StatefulSet, new StatefulSetController(control)],
    [DaemonSet, new DaemonSetController(control)],
    [Service, new EndpointSliceController(control)],
  ];
  for (const [kind, controller] of rounds) {
    const {items} = await client.list(kind);
    for (const {metadata} of items) await controller.reconcile(metadata);
  }
  owned.stop();
}

function placement(addresses: PodAddresses, index: number): PodPlacement {
  const node = NODE_NAMES[index % NODE_NAMES.length]!;
  return {node, nodeIP: addresses.nodeIP(node), podIP: addresses.take(node)};
}

function seedWorkload(
  client: DirectClient,
  addresses: PodAddresses,
  workload: ShopWorkload,
  ago: (minutes: number) => void,
): void {
  ago(workload.age);
  const owner = client.as(workload.manager).create(PATHS[workload.kind], workloadManifest(workload));
  ago(workload.rolled);
  let parent = owner;
  if (workload.kind === 'Deployment') {
    const hash = templateHash(at(owner, 'spec', 'template'));
    parent = client.create(REPLICA_SETS, replicaSetFor(owner, hash, workload.replicas, 1));
  }
  for (let i = 0; i < workload.replicas; i++) {
    const crashing = workload.name === 'payments' && i === workload.replicas - 1;
    seedPod(client, bodyOf(workload, parent, i), placement(addresses, i), crashing);
  }
  if (workload.name === 'catalog') seedMislabelled(client, addresses, parent);
}

function bodyOf(workload: ShopWorkload, parent: StoredObject, index: number): JsonObject {
  if (workload.kind === 'StatefulSet') {
    const name = `${workload.name}-${index}`;
    return withLabels(podFor(parent, name), statefulLabels(parent, name, index));
  }
  if (workload.kind === 'Deployment') return podFor(parent);
  const hash = templateHash(at(parent, 'spec', 'template'));
  return withLabels(podFor(parent), {'controller-revision-hash': hash, 'pod-template-generation': '1'});
}

/** A user relabelled one Pod by hand: its ReplicaSet released it, and no Service selects it. */
function seedMislabelled(client: DirectClient, addresses: PodAddresses, replicaSet: StoredObject): void {
  const pod = seedPod(client, podFor(replicaSet), placement(addresses, 1), false);
  if (!pod) return;
  client.as('kubectl-label').update(PODS, pod, current => {
    current.metadata.labels = {...current.metadata.labels, app: 'catlog'};
  });
  client.update(PODS, pod, current => {
    delete current.metadata.ownerReferences;
  });
}

/** A Pod that asks for a disk that no node has. It stays Pending and has no Workload. */
function seedWaiting(client: DirectClient): void {
  const pod = client.as('kubectl-create').create(PODS, {
    metadata: {name: 'report-nightly', namespace: 'ops', labels: {app: 'report'}},
    spec: {
      nodeSelector: {disktype: 'ssd'},
      containers: [{name: 'report', image: 'shop/report:0.9.1'}],
    },
  });
  const message = unschedulableMessage(pod, client.list('nodes'));
  const status = unschedulableStatus(pod, message, client.api.timestamp());
  client.as('kube-scheduler').setStatus(PODS, pod, status);
}

function seedPod(
  client: DirectClient,
  body: JsonObject,
  place: PodPlacement,
  crashing: boolean,
): StoredObject | undefined {
  const pod = client.create(PODS, body);
  const bind = (current: StoredObject) => {
    (current.spec as JsonObject).nodeName = place.node;
  };
  const placed = client.as('kube-scheduler').update(PODS, pod, bind, 'binding');
  if (!placed) return undefined;
  const time = client.api.timestamp();
  const status = crashing
    ? crashLoopStatus(placed, place, {time, ready: false, restarts: 14})
    : runningStatus(placed, place, {time, ready: true});
  return client.as('kubelet').setStatus(PODS, placed, status);
}
