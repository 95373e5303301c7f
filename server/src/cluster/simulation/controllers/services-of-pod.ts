// Finds the Services that a Pod's change concerns, as the real controller manager does: those that start or stop
// selecting it, and those that select it if its endpoint changed. Other label changes concern no Service, because
// each one would list all Pods of its namespace.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {EventHandler} from '../../../runtime/controller/event-handler.ts';
import {labelMapMatches} from '../../kinds/label-selector.ts';
import {at, type StoredObject, stringAt} from '../../object/stored-object.ts';
import {isReady} from './pod-controller.ts';

/** `servicesIn` lists the Services of a namespace. */
export function servicesOfPod(
  servicesIn: (namespace: string | undefined) => Promise<readonly StoredObject[]>,
): EventHandler<StoredObject> {
  const selecting = async (pod: StoredObject): Promise<StoredObject[]> => {
    const {namespace, labels} = pod.metadata;
    const services = await servicesIn(namespace);
    return services.filter(service => labelMapMatches(at(service, 'spec', 'selector'), labels));
  };
  const wake = (
    services: Iterable<StoredObject>,
    enqueue: (request: {namespace?: string | undefined; name: string}) => void,
  ) => {
    for (const {metadata} of services) enqueue({namespace: metadata.namespace, name: metadata.name});
  };
  return {
    name: 'services of a Pod',
    create: async ({object}, enqueue) => wake(await selecting(object), enqueue),
    delete: async ({object}, enqueue) => wake(await selecting(object), enqueue),
    update: async ({old, object}, enqueue) => {
      const isShownAnew = !deepEqual(endpointStateOf(old), endpointStateOf(object));
      const isRelabelled = !deepEqual(old.metadata.labels ?? {}, object.metadata.labels ?? {});
      if (!isShownAnew && !isRelabelled) return;
      const now = new Set(await selecting(object));
      if (!isRelabelled) return wake(now, enqueue);
      const before = new Set(await selecting(old));
      wake(isShownAnew ? before.union(now) : before.symmetricDifference(now), enqueue);
    },
  };
}

/** The part of a Pod that an EndpointSlice shows or depends on. */
function endpointStateOf(pod: StoredObject) {
  const {uid = '', deletionTimestamp = ''} = pod.metadata;
  const {phase, podIP} = {phase: stringAt(pod, 'status', 'phase'), podIP: stringAt(pod, 'status', 'podIP')};
  return [uid, deletionTimestamp, phase, podIP, stringAt(pod, 'spec', 'nodeName'), isReady(pod)];
}
