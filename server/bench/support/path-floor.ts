// The rows of the shipped graph that a label of a Pod concerns, written by hand for one Pod: its Workload, the
// WorkloadServices and the Endpoints.
import {
  isReady,
  type KubernetesObject,
  type PodObject,
  type ServiceObject,
} from '../../src/graph/kubernetes-objects.ts';
import {type Labels, selects} from './workload-objects.ts';

/** Everything that the formulas read beside the Pod. */
export interface FloorInput {
  readonly services: readonly ServiceObject[];
  readonly replicaSets: readonly KubernetesObject[];
  readonly namespace: KubernetesObject;
}

/** How many rows the formulas yield. */
export function formulasByHand(pod: PodObject, {services, replicaSets, namespace: home}: FloorInput): number {
  const {name, namespace = '', labels = {}} = pod.metadata;
  const selecting = services.filter(({spec}) => selects((spec?.selector ?? {}) as Labels, labels));
  const controllerOf = (object: KubernetesObject) =>
    object.metadata.ownerReferences?.find(({controller}) => controller === true);
  const owner = controllerOf(pod);
  const replicaSet = replicaSets.find(one => one.metadata.name === owner?.name);
  const above = (replicaSet && controllerOf(replicaSet)) ?? owner;
  const workload = {
    namespace,
    name,
    owner: above && `${above.kind}/${above.name}`,
    node: pod.spec?.nodeName,
    ip: pod.status?.podIP,
    waypoint: home.metadata.labels?.['istio.io/use-waypoint'],
    services: selecting.map(service => service.metadata.name).sort(),
    labels,
  };
  const {ip, node} = workload;
  const pairs = workload.services.map(service => ({namespace, workload: name, service, ip, node}));
  const endpoints = selecting.flatMap(({metadata, spec}) =>
    (spec?.ports ?? []).map(({port, name: portName = ''}) => ({
      ...{namespace, service: metadata.name, ip, port, portName, workload: name, node},
      ready: isReady(pod),
      from: 'pods',
    })),
  );
  return 1 + pairs.length + endpoints.length;
}
