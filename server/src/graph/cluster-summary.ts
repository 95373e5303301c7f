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
import {
  type DeploymentObject,
  isReady,
  type KubernetesObject,
  type NodeObject,
  type PodObject,
} from './kubernetes-objects.ts';
import type {ServiceInfo} from './service-infos.ts';
import type {NodeWorkloads} from './workloads-by-node.ts';

export interface ClusterSummary {
  readonly namespaces: number;
  readonly nodes: number;
  readonly nodesReady: number;
  /** Pods that run on some node, and Pods in any other phase. */
  readonly running: number;
  readonly notRunning: number;
  readonly services: number;
  /** Services that select Pods and have none that is ready. */
  readonly servicesWithoutReadyPods: number;
  readonly deployments: number;
  readonly deploymentsAvailable: number;
  readonly configMaps: number;
  readonly secrets: number;
  /** Backends on which the Pods and the EndpointSlices do not agree. */
  readonly disagreements: number;
}

export interface ClusterSummaryInputs {
  readonly namespaces: Collection<KubernetesObject>;
  readonly nodes: Collection<NodeObject>;
  readonly pods: Collection<PodObject>;
  readonly workloadsByNode: Collection<NodeWorkloads>;
  readonly serviceInfos: Collection<ServiceInfo>;
  readonly deployments: Collection<DeploymentObject>;
  readonly configMaps: Collection<KubernetesObject>;
  readonly secrets: Collection<KubernetesObject>;
  readonly backends: Collection<Backend>;
}

export function newClusterSummary(
  engine: Parameters<typeof newSingleton>[0],
  all: ClusterSummaryInputs,
): Collection<ClusterSummary> {
  // Do not fetch all Pods, Workloads or Backends: each change would go through all of them.
  const idle = newIndex(all.pods, 'not-running', ({status}: PodObject) =>
    status?.phase === 'Running' ? [] : ['yes'],
  );
  const disputed = newIndex(all.backends, 'disagreeing', ({agreement}: Backend) =>
    agreement === 'agree' || agreement === 'by-hand' ? [] : ['yes'],
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
        nodesReady: readyNodes(nodes),
        running: fetch(ctx, all.workloadsByNode).reduce((sum, {objects}) => sum + objects.length, 0),
        notRunning: fetch(ctx, all.pods, filterIndex(idle, 'yes')).length,
        services: services.length,
        servicesWithoutReadyPods: unreadyServices(services),
        deployments: deployments.length,
        deploymentsAvailable: availableDeployments(deployments),
        configMaps: fetch(ctx, all.configMaps).length,
        secrets: fetch(ctx, all.secrets).length,
        disagreements: fetch(ctx, all.backends, filterIndex(disputed, 'yes')).length,
      };
    },
    {name: 'ClusterSummary', key: () => 'cluster'},
  );
  return summary.asCollection();
}

function isUnready({selector, ready}: ServiceInfo): boolean {
  return ready === 0 && Object.keys(selector).length > 0;
}

function isAvailable({spec, status}: DeploymentObject): boolean {
  return (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1);
}

/** Counts once for each list: a fetch returns the same list until something in it changes, and the summary runs often. */
function cachedCount<T>(passes: (item: T) => boolean): (items: readonly T[]) => number {
  const counts = new WeakMap<readonly T[], number>();
  return items => {
    const known = counts.get(items);
    if (known !== undefined) return known;
    const count = items.filter(passes).length;
    counts.set(items, count);
    return count;
  };
}

const readyNodes = cachedCount<NodeObject>(isReady);
const unreadyServices = cachedCount(isUnready);
const availableDeployments = cachedCount(isAvailable);
