// EndpointSlices: for every Service with a selector, the Pods it selects and whether they are ready.
import {plainMatches} from '../kinds/label-selector.ts';
import {equal} from '../object/copy.ts';
import {at, isObject, type JsonObject, type KubeObject, listAt, mapAt, stringAt} from '../object/types.ts';
import {type Client, ENDPOINT_SLICES, PODS} from './client.ts';
import {type Controller, keyFor, splitKey} from './controller.ts';
import {controlledBy} from './offspring.ts';
import type {Owned} from './owned.ts';
import {isReady} from './pod-controller.ts';

const SERVICE = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MOST = 100;

export class EndpointSliceController implements Controller {
  readonly name = 'endpointslice-controller';
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, _deleted: boolean, previous: KubeObject | undefined): string[] {
    if (shelf === 'services') return [keyFor(object)];
    if (shelf === 'discovery.k8s.io/endpointslices') {
      const name = object.metadata.labels?.[SERVICE];
      return name ? [`${object.metadata.namespace}/${name}`] : [];
    }
    if (shelf !== 'pods') return [];
    const services = this.#client.list('services', object.metadata.namespace ?? '');
    return services
      .filter(service => {
        const selector = at(service, 'spec', 'selector');
        return (
          plainMatches(selector, object.metadata.labels) ||
          (previous && plainMatches(selector, previous.metadata.labels))
        );
      })
      .map(keyFor);
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const service = this.#client.get('services', namespace, name);
    if (!service || service.metadata.deletionTimestamp || !isObject(at(service, 'spec', 'selector'))) return;
    if (stringAt(service, 'spec', 'type') === 'ExternalName') return;
    const existing = this.#owned.objects(service.metadata.uid ?? '', 'discovery.k8s.io/endpointslices');
    const wanted = slicesFor(service, this.#client.list(PODS, namespace), this.#client.list('nodes'));
    wanted.forEach((slice, i) => {
      const old = existing[i];
      if (!old) this.#client.create(ENDPOINT_SLICES, slice);
      else if (!equal(comparable(old), comparable(slice as unknown as KubeObject))) {
        this.#client.update(ENDPOINT_SLICES, old, current => {
          current.endpoints = slice.endpoints;
          current.ports = slice.ports;
          current.metadata.labels = (slice.metadata as KubeObject['metadata']).labels!;
        });
      }
    });
    for (const extra of existing.slice(wanted.length)) this.#client.delete(ENDPOINT_SLICES, extra);
  }
}

function comparable(slice: KubeObject): unknown {
  return {endpoints: slice.endpoints ?? [], ports: slice.ports ?? [], labels: slice.metadata.labels};
}

/** The slices a Service should have; one with no endpoints when it selects nothing. */
export function slicesFor(service: KubeObject, pods: KubeObject[], nodes: KubeObject[]): JsonObject[] {
  const selector = at(service, 'spec', 'selector');
  const zones = new Map(
    nodes.map(node => [node.metadata.name, node.metadata.labels?.['topology.kubernetes.io/zone']]),
  );
  const chosen = pods.filter(
    pod =>
      plainMatches(selector, pod.metadata.labels) &&
      stringAt(pod, 'status', 'podIP') !== '' &&
      !['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase')),
  );
  const groups: KubeObject[][] = [];
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
      ownerReferences: [controlledBy(service)],
    },
    addressType: 'IPv4',
    endpoints: group.map(pod => endpoint(service, pod, zones.get(stringAt(pod, 'spec', 'nodeName')))),
    ports,
  }));
}

function slicePort(port: unknown, pod: KubeObject | undefined): JsonObject {
  const target = at(port, 'targetPort');
  const named = typeof target === 'string' ? containerPort(pod, target) : target;
  return {
    name: stringAt(port, 'name'),
    protocol: stringAt(port, 'protocol') || 'TCP',
    port: named ?? at(port, 'port'),
  };
}

function containerPort(pod: KubeObject | undefined, name: string): unknown {
  for (const container of listAt(pod, 'spec', 'containers')) {
    const found = listAt(container, 'ports').find(port => stringAt(port, 'name') === name);
    if (found) return at(found, 'containerPort');
  }
  return undefined;
}

function endpoint(service: KubeObject, pod: KubeObject, zone: string | undefined): JsonObject {
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
