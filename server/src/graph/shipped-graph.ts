// Builds the shipped graph over given sources. Each collection has a file of its own.
import type {ShippedSource} from '@krtscope/shared/sources.ts';
import type {Collection, Engine} from '../krt/index.ts';
import {newBackends} from './backends.ts';
import {newClusterSummary} from './cluster-summary.ts';
import {newEndpoints} from './endpoints.ts';
import type {
  DeploymentObject,
  EndpointSliceObject,
  KubernetesObject,
  NetworkPolicyObject,
  NodeObject,
  PodObject,
  ServiceObject,
} from './kubernetes-objects.ts';
import {newPolicyBindings} from './policy-bindings.ts';
import {newServiceInfos} from './service-infos.ts';
import {newSliceEndpoints} from './slice-endpoints.ts';
import {newWorkloadServices} from './workload-services.ts';
import {newWorkloads} from './workloads.ts';
import {newWorkloadsByNode} from './workloads-by-node.ts';

/** `source` returns the collection of a source by name, and must have all shipped sources. */
export function buildShippedGraph(
  engine: Engine,
  source: (name: ShippedSource) => Collection<unknown>,
): void {
  const pods = source('Pods') as Collection<PodObject>;
  const services = source('Services') as Collection<ServiceObject>;
  const namespaces = source('Namespaces') as Collection<KubernetesObject>;
  const workloads = newWorkloads(
    pods,
    services,
    namespaces,
    source('ReplicaSets') as Collection<KubernetesObject>,
  );
  const serviceInfos = newServiceInfos(services, pods);
  const workloadServices = newWorkloadServices(workloads);
  const endpoints = newEndpoints(workloadServices, services, pods);
  const sliceEndpoints = newSliceEndpoints(source('EndpointSlices') as Collection<EndpointSliceObject>);
  const backends = newBackends(endpoints, sliceEndpoints);
  newPolicyBindings(source('NetworkPolicies') as Collection<NetworkPolicyObject>, pods);
  const workloadsByNode = newWorkloadsByNode(workloads);
  newClusterSummary(engine, {
    namespaces,
    nodes: source('Nodes') as Collection<NodeObject>,
    pods,
    workloadsByNode,
    serviceInfos,
    deployments: source('Deployments') as Collection<DeploymentObject>,
    configMaps: source('ConfigMaps') as Collection<KubernetesObject>,
    secrets: source('Secrets') as Collection<KubernetesObject>,
    backends,
  });
}
