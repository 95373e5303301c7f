// ReplicaSets: as many Pods as asked for, adopting those that match and letting go those that do not.
import {selectorMatches} from '../kinds/label-selector.ts';
import {at, type JsonObject, type KubeObject, numberAt, stringAt} from '../object/types.ts';
import {PODS, REPLICA_SETS} from './client.ts';
import {keyFor} from './controller.ts';
import {controlledBy, controllerOf, podFor} from './offspring.ts';
import {isActive, isReady, PodController} from './pod-controller.ts';

export class ReplicaSetController extends PodController {
  readonly name = 'replicaset-controller';
  protected readonly resource = REPLICA_SETS;
  protected readonly kind = 'ReplicaSet';
  protected readonly shelf = 'apps/replicasets';

  protected override touchedByPod(pod: KubeObject, previous: KubeObject | undefined): string[] {
    const known = super.touchedByPod(pod, previous);
    if (known.length > 0 || controllerOf(pod)) return known;
    // A Pod nobody controls may be what a ReplicaSet is looking for.
    return this.client
      .list(REPLICA_SETS, pod.metadata.namespace ?? '')
      .filter(set => selectorMatches(at(set, 'spec', 'selector'), pod.metadata.labels))
      .map(keyFor);
  }

  protected settle(set: KubeObject): void {
    if (!set.metadata.deletionTimestamp) {
      this.#claim(set);
      this.#scale(set, this.pods(set).filter(isActive));
    }
    this.#reportReplicas(set);
  }

  #claim(set: KubeObject): void {
    const selector = at(set, 'spec', 'selector');
    for (const pod of this.pods(set)) {
      if (selectorMatches(selector, pod.metadata.labels) || pod.metadata.deletionTimestamp) continue;
      this.client.update(PODS, pod, current => {
        current.metadata.ownerReferences = (current.metadata.ownerReferences ?? []).filter(
          r => r.uid !== set.metadata.uid,
        );
      });
    }
    if (this.pods(set).length >= numberAt(set, 'spec', 'replicas')) return;
    for (const pod of this.client.list(PODS, set.metadata.namespace ?? '')) {
      if (controllerOf(pod) || !isActive(pod) || !selectorMatches(selector, pod.metadata.labels)) continue;
      this.client.update(PODS, pod, current => {
        current.metadata.ownerReferences = [...(current.metadata.ownerReferences ?? []), controlledBy(set)];
      });
    }
  }

  #scale(set: KubeObject, pods: KubeObject[]): void {
    const wanted = numberAt(set, 'spec', 'replicas');
    for (let i = pods.length; i < wanted; i++) this.client.create(PODS, podFor(set));
    if (pods.length <= wanted) return;
    const worst = [...pods].sort((a, b) => rank(a) - rank(b) || youngerFirst(a, b));
    for (const pod of worst.slice(0, pods.length - wanted)) this.client.delete(PODS, pod);
  }

  #reportReplicas(set: KubeObject): void {
    const pods = this.pods(set).filter(isActive);
    const ready = pods.filter(isReady).length;
    const labels = (at(set, 'spec', 'template', 'metadata', 'labels') ?? {}) as Record<string, string>;
    const full = pods.filter(pod =>
      Object.entries(labels).every(([k, v]) => pod.metadata.labels?.[k] === v),
    ).length;
    const terminating = this.pods(set).filter(pod => pod.metadata.deletionTimestamp).length;
    const status: JsonObject = {
      replicas: pods.length,
      ...(full > 0 && {fullyLabeledReplicas: full}),
      ...(ready > 0 && {readyReplicas: ready, availableReplicas: ready}),
      terminatingReplicas: terminating,
      observedGeneration: set.metadata.generation,
    };
    this.report(set, status);
  }
}

/** Those that are not scheduled, then not ready, go first. */
function rank(pod: KubeObject): number {
  if (!stringAt(pod, 'spec', 'nodeName')) return 0;
  if (stringAt(pod, 'status', 'phase') !== 'Running') return 1;
  return isReady(pod) ? 3 : 2;
}

function youngerFirst(a: KubeObject, b: KubeObject): number {
  const [x, y] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return x === y ? (a.metadata.name < b.metadata.name ? -1 : 1) : x > y ? -1 : 1;
}
