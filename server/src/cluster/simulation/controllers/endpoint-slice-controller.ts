// EndpointSlices: the selected Pods of each Service, and whether they are ready.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {ObjectKey} from '../../../runtime/index.ts';
import {labelMapMatches} from '../../kinds/label-selector.ts';
import {
  at,
  isObject,
  type JsonObject,
  listAt,
  mapAt,
  type StoredObject,
  stringAt,
} from '../../object/stored-object.ts';
import {controllerReferenceTo} from './child-objects.ts';
import type {ControllerClient} from './controller-client.ts';
import {EndpointSlice, Node, Pod, Service} from './controller-kinds.ts';
import {isReady} from './pod-controller.ts';

/** The label that names a slice's Service. */
export const SERVICE = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MOST = 100;

export class EndpointSliceController {
  readonly #control: ControllerClient;

  constructor(control: ControllerClient) {
    this.#control = control;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const {client} = this.#control;
    const service = await this.#control.find(Service, request);
    const selector = at(service, 'spec', 'selector');
    if (!service || service.metadata.deletionTimestamp || !isObject(selector)) return;
    if (stringAt(service, 'spec', 'type') === 'ExternalName') return;
    const existing = await this.#control.listControlled(EndpointSlice, service);
    const labels = selector as Record<string, string>;
    const {items: pods} = await client.list(Pod, {namespace: request.namespace, labels});
    const {items: nodes} = await client.list(Node);
    const wanted = slicesFor(service, pods, nodes);
    for (const [i, slice] of wanted.entries()) {
      const old = existing[i];
      if (!old) await this.#control.create(EndpointSlice, slice);
      else if (!deepEqual(comparable(old), comparable(slice as unknown as StoredObject))) {
        await this.#control.change(old, changed => {
          changed.endpoints = slice.endpoints;
          changed.ports = slice.ports;
          changed.metadata.labels = (slice.metadata as StoredObject['metadata']).labels!;
        });
      }
    }
    for (const extra of existing.slice(wanted.length)) await this.#control.delete(extra);
  }
}

function comparable(slice: StoredObject): unknown {
  return {endpoints: slice.endpoints ?? [], ports: slice.ports ?? [], labels: slice.metadata.labels};
}

/** The slices of a Service; one without endpoints if it selects no Pod. */
export function slicesFor(service: StoredObject, pods: StoredObject[], nodes: StoredObject[]): JsonObject[] {
  const selector = at(service, 'spec', 'selector');
  const zones = new Map(
    nodes.map(node => [node.metadata.name, node.metadata.labels?.['topology.kubernetes.io/zone']]),
  );
  const chosen = pods.filter(
    pod =>
      labelMapMatches(selector, pod.metadata.labels) &&
      stringAt(pod, 'status', 'podIP') !== '' &&
      !['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase')),
  );
  const groups: StoredObject[][] = [];
  for (let i = 0; i === 0 || i < chosen.length; i += MOST) groups.push(chosen.slice(i, i + MOST));
  const ports =
    chosen.length === 0 ? [] : listAt(service, 'spec', 'ports').map(port => slicePort(port, chosen[0]));
  return groups.map(group => ({
    metadata: {
      generateName: `${service.metadata.name}-`,
      namespace: service.metadata.namespace,
      labels: {
        ...service.metadata.labels,
        [MANAGED_BY]: 'endpointslice-controller.k8s.io',
        [SERVICE]: service.metadata.name,
        ...(stringAt(service, 'spec', 'clusterIP') === 'None' && {'service.kubernetes.io/headless': ''}),
      },
      ownerReferences: [controllerReferenceTo(service)],
    },
    addressType: 'IPv4',
    endpoints: group.map(pod => endpoint(service, pod, zones.get(stringAt(pod, 'spec', 'nodeName')))),
    ports,
  }));
}

function slicePort(port: unknown, pod: StoredObject | undefined): JsonObject {
  const target = at(port, 'targetPort');
  const named = typeof target === 'string' ? containerPort(pod, target) : target;
  return {
    name: stringAt(port, 'name'),
    protocol: stringAt(port, 'protocol') || 'TCP',
    port: named ?? at(port, 'port'),
  };
}

function containerPort(pod: StoredObject | undefined, name: string): unknown {
  for (const container of listAt(pod, 'spec', 'containers')) {
    const found = listAt(container, 'ports').find(port => stringAt(port, 'name') === name);
    if (found) return at(found, 'containerPort');
  }
  return undefined;
}

function endpoint(service: StoredObject, pod: StoredObject, zone: string | undefined): JsonObject {
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const serving = isReady(pod);
  const anyway = mapAt(service, 'spec').publishNotReadyAddresses as unknown;
  return {
    addresses: [stringAt(pod, 'status', 'podIP')],
    conditions: {ready: (serving && !terminating) || anyway === true, serving, terminating},
    nodeName: stringAt(pod, 'spec', 'nodeName'),
    targetRef: {
      kind: 'Pod',
      namespace: pod.metadata.namespace,
      name: pod.metadata.name,
      uid: pod.metadata.uid,
    },
    ...(zone && {zone}),
  };
}
