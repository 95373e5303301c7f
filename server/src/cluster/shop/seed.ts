// Puts the shop into the storage as if it had been running for days: every object goes through the same
// verbs as over HTTP, with the clock turned back, so that owners, defaults and times are real.
import {DynamicClient} from '../../kube/client.ts';
import {RuntimeClient} from '../../runtime/client/runtime-client.ts';
import type {Kind, ObjectKey, Wire} from '../../runtime/index.ts';
import {Mapper} from '../../runtime/scheme/mapper.ts';
import type {Api} from '../api.ts';
import {Addresses} from '../life/addresses.ts';
import {Client, DAEMON_SETS, DEPLOYMENTS, PODS, REPLICA_SETS, STATEFUL_SETS} from '../life/client.ts';
import {handOf, MANAGER} from '../life/controllers.ts';
import {DeploymentController} from '../life/deployment.ts';
import {EndpointSliceController} from '../life/endpoint-slice.ts';
import {DaemonSet, Deployment, ReplicaSet, Service, StatefulSet} from '../life/kinds.ts';
import {setUpNamespace} from '../life/namespace-setup.ts';
import {podFor, replicaSetFor, templateHash} from '../life/offspring.ts';
import {Owned} from '../life/owned.ts';
import {crashLoopStatus, type Placement, runningStatus, unschedulableStatus} from '../life/pod-state.ts';
import {ReplicaSetController} from '../life/replica-set.ts';
import {DaemonSetController, labelled, StatefulSetController, statefulLabels} from '../life/sets.ts';
import {StorageCache} from '../life/storage-cache.ts';
import {at, type JsonObject, type KubeObject} from '../object/types.ts';
import {seedBase} from './base.ts';
import {NAMESPACES, NODE_NAMES, SERVICES, WORKLOADS, type Workload} from './catalogue.ts';
import {EXTRAS} from './extras.ts';
import {serviceManifest, workloadManifest} from './manifests.ts';

const MINUTE = 60_000;
const DAY = 24 * 60;
const PATHS = {Deployment: DEPLOYMENTS, StatefulSet: STATEFUL_SETS, DaemonSet: DAEMON_SETS};

/** Seeds an empty cluster: the base alone. */
export function seedEmpty(api: Api): void {
  seedBase(api, new Client(api, 'kube-controller-manager'));
  api.storage.compact();
}

export async function seedShop(api: Api, wire: Wire): Promise<void> {
  const now = api.now;
  const started = now();
  const ago = (minutes: number) => {
    api.now = () => started - minutes * MINUTE;
  };
  const client = new Client(api, 'kube-controller-manager');
  try {
    ago(30 * DAY);
    seedBase(api, client);
    for (const {name, labels} of NAMESPACES) {
      client.as('kubectl-create').create('namespaces', {metadata: {name, labels}});
      setUpNamespace(client, name);
    }
    ago(9 * DAY);
    for (const service of SERVICES) client.as(service.manager).create('services', serviceManifest(service));
    for (const extra of EXTRAS) client.as(extra.manager).create(extra.path, extra.object);
    const addresses = new Addresses(api);
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

/** The controllers report once, so that the first list shows what they would have reported long ago. */
async function settle(api: Api, wire: Wire): Promise<void> {
  const owned = new Owned(api);
  const client = new RuntimeClient({
    client: new DynamicClient(wire),
    mapper: new Mapper(wire),
    cache: new StorageCache(api, owned),
    fieldOwner: MANAGER,
  });
  // Nothing happens that anybody would have noted in an Event.
  const hand = handOf(api, client, {event: () => {}});
  const rounds: [Kind<KubeObject>, {reconcile(request: ObjectKey): Promise<void>}][] = [
    [ReplicaSet, new ReplicaSetController(hand)],
    [Deployment, new DeploymentController(hand)],
    [StatefulSet, new StatefulSetController(hand)],
    [DaemonSet, new DaemonSetController(hand)],
    [Service, new EndpointSliceController(hand)],
  ];
  for (const [kind, controller] of rounds) {
    const {items} = await client.list(kind);
    for (const {metadata} of items) await controller.reconcile(metadata);
  }
  owned.stop();
}

function placement(addresses: Addresses, index: number): Placement {
  const node = NODE_NAMES[index % NODE_NAMES.length]!;
  return {node, nodeIP: addresses.nodeIP(node), podIP: addresses.take(node)};
}

function seedWorkload(
  client: Client,
  addresses: Addresses,
  workload: Workload,
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

function bodyOf(workload: Workload, parent: KubeObject, index: number): JsonObject {
  if (workload.kind === 'StatefulSet') {
    const name = `${workload.name}-${index}`;
    return labelled(podFor(parent, name), statefulLabels(parent, name, index));
  }
  if (workload.kind === 'Deployment') return podFor(parent);
  const hash = templateHash(at(parent, 'spec', 'template'));
  return labelled(podFor(parent), {'controller-revision-hash': hash, 'pod-template-generation': '1'});
}

/** Somebody relabelled one Pod by hand: its ReplicaSet let it go and no Service selects it any more. */
function seedMislabelled(client: Client, addresses: Addresses, replicaSet: KubeObject): void {
  const pod = seedPod(client, podFor(replicaSet), placement(addresses, 1), false);
  if (!pod) return;
  client.as('kubectl-label').update(PODS, pod, current => {
    current.metadata.labels = {...current.metadata.labels, app: 'catlog'};
  });
  client.update(PODS, pod, current => {
    delete current.metadata.ownerReferences;
  });
}

/** A Pod that asks for a disk no node has: it waits, and has no Workload. */
function seedWaiting(client: Client): void {
  const pod = client.as('kubectl-create').create(PODS, {
    metadata: {name: 'report-nightly', namespace: 'ops', labels: {app: 'report'}},
    spec: {
      nodeSelector: {disktype: 'ssd'},
      containers: [{name: 'report', image: 'shop/report:0.9.1'}],
    },
  });
  const status = unschedulableStatus(pod, NODE_NAMES.length, client.api.timestamp());
  client.as('kube-scheduler').setStatus(PODS, pod, status);
}

function seedPod(
  client: Client,
  body: JsonObject,
  place: Placement,
  crashing: boolean,
): KubeObject | undefined {
  const pod = client.create(PODS, body);
  const bind = (current: KubeObject) => {
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
