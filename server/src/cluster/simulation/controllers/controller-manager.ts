// Runs the cluster's own controllers on krtscope's runtime, without HTTP and with the storage as cache.

import type {Clock} from '../../../kube/clock.ts';
import {controllerFor} from '../../../runtime/controller/controller-builder.ts';
import {enqueueMapped} from '../../../runtime/controller/event-handler.ts';
import {predicate} from '../../../runtime/controller/predicate.ts';
import type {Client, EventRecorder, Kind, Manager, Program, Wire} from '../../../runtime/index.ts';
import {makeLogger} from '../../../runtime/log/logger.ts';
import {createManager} from '../../../runtime/manager/create-manager.ts';
import type {Api} from '../../api.ts';
import {selectorMatches} from '../../kinds/label-selector.ts';
import {at, type StoredObject} from '../../object/stored-object.ts';
import {logProblem} from '../../problem-log.ts';
import {controllerOf} from './child-objects.ts';
import {ControllerClient} from './controller-client.ts';
import * as kinds from './controller-kinds.ts';
import type {DependentIndex} from './dependent-index.ts';
import {DeploymentController} from './deployment-controller.ts';
import {DisruptionController} from './disruption-controller.ts';
import {EndpointSliceController, SERVICE} from './endpoint-slice-controller.ts';
import {GarbageCollector} from './garbage-collector.ts';
import {JobController} from './job-controller.ts';
import {ReplicaSetController} from './replica-set-controller.ts';
import {servicesOfPod} from './services-of-pod.ts';
import {DaemonSetController, StatefulSetController} from './stateful-and-daemon-set-controllers.ts';
import {StorageCache} from './storage-cache.ts';

export const MANAGER = 'kube-controller-manager';
/** Parallel requests per controller, as in the real controller manager. */
const WORKERS = 5;

interface ControllerManagerOptions {
  api: Api;
  dependents: DependentIndex;
  wire: Wire;
  clock: Clock;
  /** Receives what the controllers do. */
  report?: Program | undefined;
}

/** The manager with every controller, not yet started. */
export async function createControllerManager({
  api,
  dependents: owned,
  wire,
  clock,
  report,
}: ControllerManagerOptions): Promise<Manager> {
  const manager = await createManager({
    transport: wire,
    clock,
    now: () => api.now(),
    newCache: () => new StorageCache(api, owned),
    client: {fieldOwner: MANAGER},
    log: makeLogger(({level, message, fields}) => {
      if (level === 'warn' || level === 'error') logProblem(logText(message, fields));
    }),
    metrics: {bindAddress: '0'},
    controller: {maxConcurrentReconciles: WORKERS},
    gracefulShutdownTimeout: 0,
    report: report ?? false,
  });
  const {client} = manager;
  const controlFor = (name: string) => makeControllerClient(api, client, manager.eventRecorder(name));
  const begin = (name: string, kind: Kind<StoredObject>) => controllerFor(manager).named(name).for(kind);

  begin('deployment-controller', kinds.Deployment)
    .owns(kinds.ReplicaSet)
    .complete(new DeploymentController(controlFor('deployment-controller')));
  begin('replicaset-controller', kinds.ReplicaSet)
    .owns(kinds.Pod)
    .watches(kinds.Pod, enqueueMapped(replicaSetsMatching(client)), {predicates: [isUncontrolled]})
    .complete(new ReplicaSetController(controlFor('replicaset-controller')));
  begin('statefulset-controller', kinds.StatefulSet)
    .owns(kinds.Pod)
    .complete(new StatefulSetController(controlFor('statefulset-controller')));
  begin('daemonset-controller', kinds.DaemonSet)
    .owns(kinds.Pod)
    .complete(new DaemonSetController(controlFor('daemonset-controller')));
  begin('job-controller', kinds.Job)
    .owns(kinds.Pod)
    .complete(new JobController(controlFor('job-controller')));
  begin('endpointslice-controller', kinds.Service)
    .watches(kinds.EndpointSlice, enqueueMapped(serviceOfSlice))
    .watches(kinds.Pod, servicesOfPod(servicesIn(client)))
    .complete(new EndpointSliceController(controlFor('endpointslice-controller')));
  begin('disruption-controller', kinds.PodDisruptionBudget)
    .watches(kinds.Pod, enqueueMapped(budgetsCovering(client)))
    .complete(new DisruptionController(controlFor('disruption-controller')));
  const garbage = new GarbageCollector(api, controlFor('garbage-collector-controller'), owned);
  controllerFor(manager).named('garbage-collector-controller').watchesRaw(garbage.source()).complete(garbage);
  return manager;
}

export function makeControllerClient(api: Api, client: Client, events: EventRecorder): ControllerClient {
  return new ControllerClient(client, events, () => api.timestamp());
}

const isUncontrolled = predicate<StoredObject>(object => !controllerOf(object), 'without a controller');

/** The ReplicaSets whose selector matches a Pod without a controller. */
function replicaSetsMatching(client: Client) {
  return async function matching(pod: StoredObject) {
    const {namespace, labels} = pod.metadata;
    const {items} = await client.list(kinds.ReplicaSet, {namespace});
    return items.filter(set => selectorMatches(at(set, 'spec', 'selector'), labels)).map(objectKeyOf);
  };
}

function servicesIn(client: Client) {
  return async (namespace: string | undefined) => (await client.list(kinds.Service, {namespace})).items;
}

function budgetsCovering(client: Client) {
  return async function covering(pod: StoredObject) {
    const {namespace, labels} = pod.metadata;
    const {items} = await client.list(kinds.PodDisruptionBudget, {namespace});
    return items.filter(budget => selectorMatches(at(budget, 'spec', 'selector'), labels)).map(objectKeyOf);
  };
}

function serviceOfSlice({metadata: {namespace, labels}}: StoredObject) {
  const name = labels?.[SERVICE];
  return name ? [{namespace, name}] : [];
}

function objectKeyOf({metadata: {namespace, name}}: StoredObject) {
  return {namespace, name};
}

function logText(message: string, fields: Record<string, unknown>): string {
  const {controller = '', namespace = '', name = '', error} = fields;
  const why = error instanceof Error ? `: ${error.message}` : '';
  return `${[controller, namespace, name].filter(Boolean).join(' ')}: ${message}${why}`;
}
