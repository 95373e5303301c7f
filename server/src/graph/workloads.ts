// Workloads: every running Pod with its owner, the Services that select it and the waypoint of its namespace.
import {
  type Collection,
  fetch,
  fetchOne,
  filterKey,
  filterNamespace,
  filterSelectsNonEmpty,
  type HandlerContext,
  newCollection,
} from '../krt/index.ts';
import type {KubernetesObject, PodObject, ServiceObject} from './kubernetes-objects.ts';

export interface Workload {
  readonly namespace: string;
  readonly name: string;
  /** `Deployment/web`, without the ReplicaSet in between. */
  readonly owner?: string;
  readonly node?: string;
  readonly ip?: string;
  readonly waypoint?: string;
  readonly services: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

export function newWorkloads(
  pods: Collection<PodObject>,
  services: Collection<ServiceObject>,
  namespaces: Collection<KubernetesObject>,
  replicaSets: Collection<KubernetesObject>,
): Collection<Workload> {
  return newCollection(
    pods,
    (ctx: HandlerContext, pod: PodObject): Workload | undefined => {
      if (pod.status?.phase !== 'Running') return undefined;
      const {name, namespace = '', labels = {}} = pod.metadata;
      const selecting = fetch(ctx, services, filterNamespace(namespace), filterSelectsNonEmpty(labels));
      const home = fetchOne(ctx, namespaces, filterKey(namespace));
      return {
        namespace,
        name,
        owner: ownerOf(ctx, pod, replicaSets),
        node: pod.spec?.nodeName,
        ip: pod.status.podIP,
        waypoint: home?.metadata.labels?.['istio.io/use-waypoint'],
        services: selecting.map(service => service.metadata.name).sort(),
        labels,
      };
    },
    {
      name: 'Workloads',
      key: ({namespace, name}) => `${namespace}/${name}`,
      namespace: ({namespace}) => namespace,
      labels: ({labels}) => labels,
    },
  );
}

function ownerOf(
  ctx: HandlerContext,
  pod: PodObject,
  replicaSets: Collection<KubernetesObject>,
): string | undefined {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return owner && `${owner.kind}/${owner.name}`;
  const replicaSet = fetchOne(ctx, replicaSets, filterKey(`${pod.metadata.namespace}/${owner.name}`));
  const above = (replicaSet && controllerOf(replicaSet)) ?? owner;
  return `${above.kind}/${above.name}`;
}

function controllerOf(object: KubernetesObject) {
  return object.metadata.ownerReferences?.find(({controller}) => controller === true);
}
