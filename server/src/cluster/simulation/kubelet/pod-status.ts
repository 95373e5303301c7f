// The status that a kubelet reports for a Pod in each phase: conditions and container states.
import {type JsonObject, listAt, type StoredObject, stringAt} from '../../object/stored-object.ts';
import {pullError} from './image-pull.ts';

interface PodContainerSpec {
  name: string;
  image: string;
}

export interface PodPlacement {
  node: string;
  nodeIP: string;
  podIP: string;
}

function containersOf(pod: StoredObject): PodContainerSpec[] {
  return listAt(pod, 'spec', 'containers') as PodContainerSpec[];
}

function condition(
  type: string,
  status: boolean,
  time: string,
  generation: number,
  more: JsonObject = {},
): JsonObject {
  return {
    type,
    observedGeneration: generation,
    status: status ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: time,
    ...more,
  };
}

function imageID(image: string): string {
  let hash = 2166136261;
  for (const letter of image) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
  return `sha256:${hash.toString(16).padStart(8, '0').repeat(8)}`;
}

export function unschedulableStatus(pod: StoredObject, message: string, time: string): JsonObject {
  const why = {reason: 'Unschedulable', message};
  const conditions = [condition('PodScheduled', false, time, pod.metadata.generation ?? 1, why)];
  return {...(pod.status as JsonObject), phase: 'Pending', conditions};
}

function whyNotReady(pod: StoredObject): {reason: string; message: string} {
  const names = containersOf(pod).map(c => c.name);
  return {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names.join(' ')}]`,
  };
}

/** The node has the Pod, and its containers are being created. It has no address yet. */
export function creatingStatus(pod: StoredObject, place: PodPlacement, time: string): JsonObject {
  const notReady = whyNotReady(pod);
  const generation = pod.metadata.generation ?? 1;
  return {
    ...baseStatus(pod, place, time),
    phase: 'Pending',
    podIP: undefined,
    podIPs: undefined,
    conditions: [
      condition('PodReadyToStartContainers', false, time, generation),
      condition('Initialized', true, time, generation),
      condition('Ready', false, time, generation, notReady),
      condition('ContainersReady', false, time, generation, notReady),
      condition('PodScheduled', true, time, generation),
    ],
    containerStatuses: containersOf(pod).map(c => ({
      name: c.name,
      state: {waiting: {reason: 'ContainerCreating'}},
      lastState: {},
      ready: false,
      restartCount: 0,
      image: c.image,
      imageID: '',
      started: false,
    })),
  };
}

interface RunningStatusOptions {
  time: string;
  ready: boolean;
  restarts?: number;
  /** How the last container ended. */
  lastState?: JsonObject;
}

export function runningStatus(
  pod: StoredObject,
  place: PodPlacement,
  options: RunningStatusOptions,
): JsonObject {
  const {time, ready} = options;
  const why = ready ? {} : whyNotReady(pod);
  const generation = pod.metadata.generation ?? 1;
  return {
    ...baseStatus(pod, place, time),
    phase: 'Running',
    conditions: [
      condition('PodReadyToStartContainers', true, time, generation),
      condition('Initialized', true, time, generation),
      condition('Ready', ready, time, generation, why),
      condition('ContainersReady', ready, time, generation, why),
      condition('PodScheduled', true, time, generation),
    ],
    containerStatuses: containersOf(pod).map(c => ({
      name: c.name,
      state: {running: {startedAt: time}},
      lastState: options.lastState ?? {},
      ready,
      restartCount: options.restarts ?? 0,
      image: c.image,
      imageID: imageID(c.image),
      containerID: `containerd://${imageID(pod.metadata.uid + c.name).slice(7)}`,
      started: true,
    })),
  };
}

/** The container keeps crashing, and the kubelet waits longer before each restart. */
export function crashLoopStatus(
  pod: StoredObject,
  place: PodPlacement,
  options: RunningStatusOptions,
): JsonObject {
  const status = runningStatus(pod, place, {...options, ready: false});
  const restarts = options.restarts ?? 1;
  const name = containersOf(pod)[0]?.name ?? '';
  const message = `back-off 5m0s restarting failed container=${name} pod=${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
  status.containerStatuses = (status.containerStatuses as JsonObject[]).map(c => ({
    ...c,
    state: {waiting: {reason: 'CrashLoopBackOff', message}},
    lastState: {terminated: terminatedState(options.time, 1, 'Error', String(c.containerID))},
    restartCount: restarts,
    started: false,
  }));
  return status;
}

/** Some images cannot be pulled: their containers wait, the others run. The Pod stays Pending. */
export function imagePullStatus(
  pod: StoredObject,
  place: PodPlacement,
  time: string,
  reason: 'ErrImagePull' | 'ImagePullBackOff',
): JsonObject {
  const status = runningStatus(pod, place, {time, ready: false});
  const unready = containersOf(pod).filter(({image}) => pullError(image) !== undefined);
  const message = `containers with unready status: [${unready.map(({name}) => name).join(' ')}]`;
  status.phase = 'Pending';
  status.conditions = (status.conditions as JsonObject[]).map(one => (one.reason ? {...one, message} : one));
  status.containerStatuses = (status.containerStatuses as JsonObject[]).map(running => {
    const image = String(running.image);
    const error = pullError(image);
    if (error === undefined) return {...running, ready: true};
    const backOff = `Back-off pulling image ${JSON.stringify(image)}: ErrImagePull: ${error}`;
    return {
      ...running,
      state: {waiting: {reason, message: reason === 'ErrImagePull' ? error : backOff}},
      imageID: '',
      containerID: undefined,
      started: false,
    };
  });
  return status;
}

function terminatedState(time: string, exitCode: number, reason: string, containerID: string): JsonObject {
  return {exitCode, reason, startedAt: time, finishedAt: time, containerID};
}

/** A Job's Pod that has completed. */
export function succeededStatus(pod: StoredObject, place: PodPlacement, time: string): JsonObject {
  const status = runningStatus(pod, place, {time, ready: false});
  status.phase = 'Succeeded';
  status.conditions = (status.conditions as JsonObject[]).map(c =>
    c.type === 'Ready' || c.type === 'ContainersReady'
      ? {...c, reason: 'PodCompleted', message: undefined}
      : c,
  );
  status.containerStatuses = (status.containerStatuses as JsonObject[]).map(c => ({
    ...c,
    state: {terminated: terminatedState(time, 0, 'Completed', String(c.containerID))},
    started: false,
  }));
  return status;
}

function baseStatus(pod: StoredObject, place: PodPlacement, time: string): JsonObject {
  return {
    observedGeneration: pod.metadata.generation ?? 1,
    qosClass: stringAt(pod, 'status', 'qosClass') || 'BestEffort',
    hostIP: place.nodeIP,
    hostIPs: [{ip: place.nodeIP}],
    podIP: place.podIP,
    podIPs: [{ip: place.podIP}],
    startTime: stringAt(pod, 'status', 'startTime') || time,
  };
}
