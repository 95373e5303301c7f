// ClusterSummary: one row of counts over the whole cluster.
import {
  type Collection,
  fetch,
  filterIndex,
  type HandlerContext,
  newIndex,
  newSingleton,
} from '../krt/index.ts';
import type {Backend} from './backends.ts';
import {type Deployment, isReady, type KubernetesObject, type Node, type Pod} from './objects.ts';
import type {ServiceInfo} from './service-infos.ts';
import type {Workload} from './workloads.ts';

export interface ClusterSummary {
  readonly namespaces: number;
  readonly nodes: number;
  readonly nodesReady: number;
  readonly pods: number;
  readonly running: number;
  readonly services: number;
  /** Services that select Pods and have none that is ready. */
  readonly servicesWithoutReadyPods: number;
  readonly deployments: number;
  readonly deploymentsAvailable: number;
  readonly configMaps: number;
  readonly secrets: number;
  readonly backends: number;
  /** Backends on which the Pods and the EndpointSlices do not agree. */
  readonly disagreements: number;
}

/** What is counted. */
export interface Counted {
  readonly namespaces: Collection<KubernetesObject>;
  readonly nodes: Collection<Node>;
  readonly pods: Collection<Pod>;
  readonly workloads: Collection<Workload>;
  readonly serviceInfos: Collection<ServiceInfo>;
  readonly deployments: Collection<Deployment>;
  readonly configMaps: Collection<KubernetesObject>;
  readonly secrets: Collection<KubernetesObject>;
  readonly backends: Collection<Backend>;
}

export function newClusterSummary(
  engine: Parameters<typeof newSingleton>[0],
  all: Counted,
): Collection<ClusterSummary> {
  // By index, so that a change of one backend does not walk through all of them.
  const disagreeing = newIndex(all.backends, 'disagreeing', ({agreement}: Backend) =>
    agreement === 'agree' ? [] : ['yes'],
  );
  const summary = newSingleton(
    engine,
    (ctx: HandlerContext): ClusterSummary => {
      const nodes = fetch(ctx, all.nodes);
      const services = fetch(ctx, all.serviceInfos);
      const deployments = fetch(ctx, all.deployments);
      return {
        namespaces: fetch(ctx, all.namespaces).length,
        nodes: nodes.length,
        nodesReady: nodes.filter(isReady).length,
        pods: fetch(ctx, all.pods).length,
        running: fetch(ctx, all.workloads).length,
        services: services.length,
        servicesWithoutReadyPods: services.filter(isUnready).length,
        deployments: deployments.length,
        deploymentsAvailable: deployments.filter(isAvailable).length,
        configMaps: fetch(ctx, all.configMaps).length,
        secrets: fetch(ctx, all.secrets).length,
        backends: fetch(ctx, all.backends).length,
        disagreements: fetch(ctx, all.backends, filterIndex(disagreeing, 'yes')).length,
      };
    },
    {name: 'ClusterSummary', key: () => 'cluster'},
  );
  return summary.asCollection();
}

function isUnready({selector, ready}: ServiceInfo): boolean {
  return ready === 0 && Object.keys(selector).length > 0;
}

function isAvailable({spec, status}: Deployment): boolean {
  return (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1);
}
