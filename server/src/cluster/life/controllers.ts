// The cluster's own controllers, on the runtime that users write theirs on: without HTTP, with the storage as cache.

import type {Clock} from '../../kube/clock.ts';
import {controllerFor} from '../../runtime/controller/builder.ts';
import {enqueueMapped} from '../../runtime/controller/handler.ts';
import {predicate} from '../../runtime/controller/predicate.ts';
import type {Client, EventRecorder, Kind, Manager, Program, Wire} from '../../runtime/index.ts';
import {makeLogger} from '../../runtime/log/logger.ts';
import {createManager} from '../../runtime/manager/make-manager.ts';
import type {Api} from '../api.ts';
import {complain} from '../complain.ts';
import {selectorMatches} from '../kinds/label-selector.ts';
import {at, type KubeObject} from '../object/types.ts';
import {DeploymentController} from './deployment.ts';
import {DisruptionController} from './disruption.ts';
import {EndpointSliceController, SERVICE} from './endpoint-slice.ts';
import {GarbageCollector} from './garbage.ts';
import {Hand} from './hand.ts';
import {JobController} from './job.ts';
import * as kinds from './kinds.ts';
import {controllerOf} from './offspring.ts';
import type {Owned} from './owned.ts';
import {ReplicaSetController} from './replica-set.ts';
import {servicesOfPod} from './services-of-pod.ts';
import {DaemonSetController, StatefulSetController} from './sets.ts';
import {StorageCache} from './storage-cache.ts';

export const MANAGER = 'kube-controller-manager';
/** How many requests of a controller are under way at once, as in the real controller manager. */
const WORKERS = 5;

export interface ControllersOptions {
  api: Api;
  owned: Owned;
  wire: Wire;
  clock: Clock;
  /** Hears what the controllers do. */
  report?: Program | undefined;
}

/** The manager with every controller, not yet started. */
export async function makeControllers({
  api,
  owned,
  wire,
  clock,
  report,
}: ControllersOptions): Promise<Manager> {
  const manager = await createManager({
    transport: wire,
    clock,
    now: () => api.now(),
    newCache: () => new StorageCache(api, owned),
    client: {fieldOwner: MANAGER},
    log: makeLogger(({level, message, fields}) => {
      if (level === 'warn' || level === 'error') complain(sentenceOf(message, fields));
    }),
    metrics: {bindAddress: '0'},
    controller: {maxConcurrentReconciles: WORKERS},
    gracefulShutdownTimeout: 0,
    report: report ?? false,
  });
  const {client} = manager;
  const hand = (name: string) => handOf(api, client, manager.eventRecorder(name));
  const begin = (name: string, kind: Kind<KubeObject>) => controllerFor(manager).named(name).for(kind);

  begin('deployment-controller', kinds.Deployment)
    .owns(kinds.ReplicaSet)
    .complete(new DeploymentController(hand('deployment-controller')));
  begin('replicaset-controller', kinds.ReplicaSet)
    .owns(kinds.Pod)
    .watches(kinds.Pod, enqueueMapped(setsThatWant(client)), {predicates: [ofNobody]})
    .complete(new ReplicaSetController(hand('replicaset-controller')));
  begin('statefulset-controller', kinds.StatefulSet)
    .owns(kinds.Pod)
    .complete(new StatefulSetController(hand('statefulset-controller')));
  begin('daemonset-controller', kinds.DaemonSet)
    .owns(kinds.Pod)
    .complete(new DaemonSetController(hand('daemonset-controller')));
  begin('job-controller', kinds.Job)
    .owns(kinds.Pod)
    .complete(new JobController(hand('job-controller')));
  begin('endpointslice-controller', kinds.Service)
    .watches(kinds.EndpointSlice, enqueueMapped(serviceOfSlice))
    .watches(kinds.Pod, servicesOfPod(servicesIn(client)))
    .complete(new EndpointSliceController(hand('endpointslice-controller')));
  begin('disruption-controller', kinds.PodDisruptionBudget)
    .watches(kinds.Pod, enqueueMapped(budgetsThatCover(client)))
    .complete(new DisruptionController(hand('disruption-controller')));
  const garbage = new GarbageCollector(api, hand('garbage-collector-controller'), owned);
  controllerFor(manager).named('garbage-collector-controller').watchesRaw(garbage.source()).complete(garbage);
  return manager;
}

export function handOf(api: Api, client: Client, events: EventRecorder): Hand {
  return new Hand(client, events, () => api.timestamp());
}

const ofNobody = predicate<KubeObject>(object => !controllerOf(object), 'of nobody');

/** The ReplicaSets that a Pod which nobody controls may be what they look for. */
function setsThatWant(client: Client) {
  return async function matching(pod: KubeObject) {
    const {namespace, labels} = pod.metadata;
    const {items} = await client.list(kinds.ReplicaSet, {namespace});
    return items.filter(set => selectorMatches(at(set, 'spec', 'selector'), labels)).map(placeOf);
  };
}

function servicesIn(client: Client) {
  return async (namespace: string | undefined) => (await client.list(kinds.Service, {namespace})).items;
}

function budgetsThatCover(client: Client) {
  return async function covering(pod: KubeObject) {
    const {namespace, labels} = pod.metadata;
    const {items} = await client.list(kinds.PodDisruptionBudget, {namespace});
    return items.filter(budget => selectorMatches(at(budget, 'spec', 'selector'), labels)).map(placeOf);
  };
}

function serviceOfSlice({metadata: {namespace, labels}}: KubeObject) {
  const name = labels?.[SERVICE];
  return name ? [{namespace, name}] : [];
}

function placeOf({metadata: {namespace, name}}: KubeObject) {
  return {namespace, name};
}

function sentenceOf(message: string, fields: Record<string, unknown>): string {
  const {controller = '', namespace = '', name = '', error} = fields;
  const why = error instanceof Error ? `: ${error.message}` : '';
  return `${[controller, namespace, name].filter(Boolean).join(' ')}: ${message}${why}`;
}
