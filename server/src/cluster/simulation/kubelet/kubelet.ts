// The scheduler and the kubelets: gives Pods a node and an address, runs them, and removes deleted ones.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Clock} from '../../../kube/clock.ts';
import type {EventRecorder} from '../../../runtime/index.ts';
import {
  at,
  type JsonObject,
  listAt,
  numberAt,
  type StoredObject,
  stringAt,
} from '../../object/stored-object.ts';
import {controllerOf} from '../controllers/child-objects.ts';
import {type DirectClient, PODS} from '../direct-client.ts';
import {keyFor, type LoopController, splitKey} from '../reconcile-loop.ts';
import {hasPullError, PullBackoff, pullError} from './image-pull.ts';
import {unfitReasons, unschedulableMessage} from './node-fit.ts';
import type {PodAddresses} from './pod-addresses.ts';
import {
  crashLoopStatus,
  creatingStatus,
  imagePullStatus,
  type PodPlacement,
  runningStatus,
  succeededStatus,
  unschedulableStatus,
} from './pod-status.ts';

export interface KubeletOptions {
  /** Milliseconds until a Pod is bound, runs, completes (Jobs) or is gone after its deletion. */
  bindMs: number;
  startMs: number;
  workMs: number;
  stopMs: number;
}

/** Receives the Events of the scheduler and the kubelets. */
interface KubeletEvents {
  events: EventRecorder;
  scheduling: EventRecorder;
}

const CRASH = 'testbed/crash';

export class Kubelet implements LoopController {
  readonly name = 'kubelet';
  readonly #client: DirectClient;
  readonly #addresses: PodAddresses;
  readonly #clock: Clock;
  readonly #options: KubeletOptions & KubeletEvents;
  /** Pods with a step under way. Each change of a Pod triggers a check, and one step is enough. */
  readonly #busy = new Set<string>();
  readonly #pullBackoff = new PullBackoff();

  constructor(
    client: DirectClient,
    addresses: PodAddresses,
    clock: Clock,
    options: KubeletOptions & KubeletEvents,
  ) {
    this.#client = client.as('kubelet');
    this.#addresses = addresses;
    this.#clock = clock;
    this.#options = options;
  }

  touched(shelf: string, object: StoredObject, deleted: boolean): string[] {
    if (shelf !== 'pods') return [];
    if (deleted) {
      this.#addresses.release(stringAt(object, 'status', 'podIP'));
      this.#pullBackoff.forget(object.metadata.uid ?? '');
    }
    const phase = stringAt(object, 'status', 'phase');
    const settled = phase === 'Running' && !object.metadata.deletionTimestamp && !runsToAnEnd(object);
    return deleted || settled ? [] : [keyFor(object)];
  }

  reconcile(key: string): void {
    const pod = this.#get(key);
    if (!pod) return;
    const node = stringAt(pod, 'spec', 'nodeName');
    if (pod.metadata.deletionTimestamp) {
      if (node !== '') this.#step(key, pod, 'stop', this.#options.stopMs, now => this.#stop(now));
      return;
    }
    const phase = stringAt(pod, 'status', 'phase');
    // Another scheduler handles this Pod.
    if (node === '' && stringAt(pod, 'spec', 'schedulerName') !== 'default-scheduler') return;
    if (node === '') this.#step(key, pod, 'bind', this.#options.bindMs, now => this.#schedule(now));
    else if (phase === 'Pending' && listAt(pod, 'status', 'containerStatuses').length === 0)
      this.#accept(pod);
    else if (phase === 'Pending' && hasPullError(pod)) this.#pull(key, pod);
    else if (phase === 'Pending')
      this.#step(key, pod, 'start', this.#options.startMs, now => this.#start(now));
    else if (phase === 'Running' && runsToAnEnd(pod))
      this.#step(key, pod, 'end', this.#options.workMs, now => this.#end(now));
  }

  #get(key: string): StoredObject | undefined {
    const {namespace, name} = splitKey(key);
    return this.#client.get(PODS, namespace, name);
  }

  #step(key: string, pod: StoredObject, what: string, delay: number, act: (pod: StoredObject) => void): void {
    const id = `${key} ${pod.metadata.uid} ${what}`;
    if (this.#busy.has(id)) return;
    this.#busy.add(id);
    this.#clock.after(delay, () => {
      this.#busy.delete(id);
      const now = this.#get(key);
      if (now && now.metadata.uid === pod.metadata.uid) act(now);
    });
  }

  #schedule(pod: StoredObject): void {
    if (stringAt(pod, 'spec', 'nodeName') !== '' || pod.metadata.deletionTimestamp) return;
    const nodes = this.#client.list('nodes');
    const node = this.#addresses.roomiest(nodes.filter(one => unfitReasons(pod, one).length === 0));
    if (!node) return this.#refuse(pod, nodes);
    const time = this.#client.api.timestamp();
    const generation = pod.metadata.generation ?? 1;
    const scheduled = {
      type: 'PodScheduled',
      observedGeneration: generation,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: time,
    };
    this.#client.as('kube-scheduler').update(
      PODS,
      pod,
      current => {
        (current.spec as JsonObject).nodeName = node;
        current.status = {...(current.status as JsonObject), conditions: [scheduled]};
      },
      'binding',
    );
    const {namespace, name} = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#options.scheduling.event(pod, 'Normal', 'Scheduled', message);
  }

  #refuse(pod: StoredObject, nodes: readonly StoredObject[]): void {
    if (listAt(pod, 'status', 'conditions').some(one => stringAt(one, 'reason') === 'Unschedulable')) return;
    const message = unschedulableMessage(pod, nodes);
    const status = unschedulableStatus(pod, message, this.#client.api.timestamp());
    this.#client.as('kube-scheduler').setStatus(PODS, pod, status);
    this.#options.scheduling.event(pod, 'Warning', 'FailedScheduling', message);
  }

  #place(pod: StoredObject): PodPlacement {
    const node = stringAt(pod, 'spec', 'nodeName');
    return {
      node,
      nodeIP: this.#addresses.nodeIP(node),
      podIP: stringAt(pod, 'status', 'podIP') || this.#addresses.take(node),
    };
  }

  #accept(pod: StoredObject): void {
    const place = {
      node: stringAt(pod, 'spec', 'nodeName'),
      nodeIP: this.#addresses.nodeIP(stringAt(pod, 'spec', 'nodeName')),
      podIP: '',
    };
    this.#client.setStatus(PODS, pod, creatingStatus(pod, place, this.#client.api.timestamp()));
  }

  /** Alternates between a failed pull and a wait. A new image is tried at once, because its step has another name. */
  #pull(key: string, pod: StoredObject): void {
    const images = listAt(pod, 'spec', 'containers').map(one => stringAt(one, 'image'));
    const backOff = waitingReasons(pod).includes('ErrImagePull');
    const retry = waitingReasons(pod).includes('ImagePullBackOff');
    const delay = retry ? this.#pullBackoff.delay(pod.metadata.uid ?? '') : this.#options.startMs;
    this.#step(key, pod, `pull ${backOff} ${images.join(' ')}`, delay, now => {
      if (stringAt(now, 'status', 'phase') !== 'Pending' || now.metadata.deletionTimestamp) return;
      if (hasPullError(now)) this.#failPull(now, backOff ? 'ImagePullBackOff' : 'ErrImagePull');
    });
  }

  #failPull(pod: StoredObject, reason: 'ErrImagePull' | 'ImagePullBackOff'): void {
    if (reason === 'ErrImagePull') this.#pullBackoff.count(pod.metadata.uid ?? '');
    const status = imagePullStatus(pod, this.#place(pod), this.#client.api.timestamp(), reason);
    this.#client.setStatus(PODS, pod, status);
    const {events} = this.#options;
    for (const container of listAt(pod, 'spec', 'containers')) {
      const name = stringAt(container, 'image');
      const error = pullError(name);
      if (error === undefined) continue;
      const image = JSON.stringify(name);
      if (reason === 'ErrImagePull') {
        events.event(pod, 'Normal', 'Pulling', `Pulling image ${image}`);
        events.event(pod, 'Warning', 'Failed', `Failed to pull image ${image}: ${error}`);
      } else events.event(pod, 'Normal', 'BackOff', `Back-off pulling image ${image}`);
      events.event(pod, 'Warning', 'Failed', `Error: ${reason}`);
    }
  }

  #start(pod: StoredObject): void {
    if (stringAt(pod, 'status', 'phase') !== 'Pending' || pod.metadata.deletionTimestamp) return;
    const time = this.#client.api.timestamp();
    const place = this.#place(pod);
    const status = crashes(pod)
      ? crashLoopStatus(pod, place, {time, ready: false, restarts: 1})
      : runningStatus(pod, place, {time, ready: true});
    if (!deepEqual(status, pod.status)) this.#client.setStatus(PODS, pod, status);
    const {events} = this.#options;
    for (const container of listAt(pod, 'spec', 'containers')) {
      const name = stringAt(container, 'name');
      const present = `Container image ${JSON.stringify(stringAt(container, 'image'))} already present on machine`;
      events.event(pod, 'Normal', 'Pulled', present);
      events.event(pod, 'Normal', 'Created', `Created container: ${name}`);
      events.event(pod, 'Normal', 'Started', `Started container ${name}`);
      if (crashes(pod))
        events.event(pod, 'Warning', 'BackOff', `Back-off restarting failed container ${name}`);
    }
  }

  #stop(pod: StoredObject): void {
    if (stringAt(pod, 'status', 'phase') === 'Running')
      for (const container of listAt(pod, 'spec', 'containers'))
        this.#options.events.event(
          pod,
          'Normal',
          'Killing',
          `Stopping container ${stringAt(container, 'name')}`,
        );
    const preconditions = {uid: pod.metadata.uid ?? ''};
    this.#client.delete(PODS, pod, {gracePeriodSeconds: 0, preconditions});
  }

  #end(pod: StoredObject): void {
    if (stringAt(pod, 'status', 'phase') !== 'Running' || pod.metadata.deletionTimestamp) return;
    this.#client.setStatus(PODS, pod, succeededStatus(pod, this.#place(pod), this.#client.api.timestamp()));
  }
}

function waitingReasons(pod: StoredObject): string[] {
  return listAt(pod, 'status', 'containerStatuses').map(one => stringAt(one, 'state', 'waiting', 'reason'));
}

/** Whether the Pod belongs to a Job and completes. */
function runsToAnEnd(pod: StoredObject): boolean {
  return (
    controllerOf(pod)?.kind === 'Job' && stringAt(pod, 'spec', 'restartPolicy') !== 'Always' && !crashes(pod)
  );
}

function crashes(pod: StoredObject): boolean {
  return pod.metadata.labels?.[CRASH] === 'true';
}

/** The restart count of the first container. */
export function restartsOf(pod: StoredObject): number {
  return numberAt(listAt(pod, 'status', 'containerStatuses')[0], 'restartCount');
}

export function placementOf(pod: StoredObject): PodPlacement {
  const podIP = stringAt(pod, 'status', 'podIP');
  return {
    node: stringAt(pod, 'spec', 'nodeName'),
    nodeIP: stringAt(pod, 'status', 'hostIP'),
    podIP: podIP || String(at(pod, 'status', 'podIP') ?? ''),
  };
}
