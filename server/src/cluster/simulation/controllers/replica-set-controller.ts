// ReplicaSets: keeps the wanted number of Pods, adopts matching ones and releases others.
import {selectorText} from '../../../runtime/cache/selector.ts';
import type {types} from '../../../runtime/index.ts';
import {selectorMatches} from '../../kinds/label-selector.ts';
import {at, numberAt, type StoredObject, stringAt} from '../../object/stored-object.ts';
import {controllerOf, controllerReferenceTo, podFor} from './child-objects.ts';
import {Pod, ReplicaSet} from './controller-kinds.ts';
import {isActive, isReady, PodController} from './pod-controller.ts';

export class ReplicaSetController extends PodController {
  protected readonly kind = ReplicaSet;

  protected async settle(set: StoredObject): Promise<void> {
    if (!set.metadata.deletionTimestamp) {
      await this.#claim(set);
      await this.#scale(set, (await this.pods(set)).filter(isActive));
    }
    await this.#reportReplicas(set);
  }

  async #claim(set: StoredObject): Promise<void> {
    const selector = at(set, 'spec', 'selector');
    const own = await this.pods(set);
    let kept = own.length;
    for (const pod of own) {
      if (selectorMatches(selector, pod.metadata.labels) || pod.metadata.deletionTimestamp) continue;
      kept--;
      await this.control.change(pod, changed => {
        const left = (changed.metadata.ownerReferences ?? []).filter(r => r.uid !== set.metadata.uid);
        if (left.length > 0) changed.metadata.ownerReferences = left;
        else delete changed.metadata.ownerReferences;
      });
    }
    if (kept >= numberAt(set, 'spec', 'replicas')) return;
    const labels = selectorText((selector ?? {}) as types.LabelSelector);
    const {items} = await this.control.client.list(Pod, {namespace: set.metadata.namespace, labels});
    for (const pod of items) {
      if (controllerOf(pod) || !isActive(pod)) continue;
      await this.control.change(pod, changed => {
        changed.metadata.ownerReferences = [
          ...(changed.metadata.ownerReferences ?? []),
          controllerReferenceTo(set),
        ];
      });
    }
  }

  async #scale(set: StoredObject, pods: StoredObject[]): Promise<void> {
    const wanted = numberAt(set, 'spec', 'replicas');
    for (let i = pods.length; i < wanted; i++) await this.createPod(set, podFor(set));
    if (pods.length <= wanted) return;
    const worst = [...pods].sort((a, b) => rank(a) - rank(b) || youngerFirst(a, b));
    for (const pod of worst.slice(0, pods.length - wanted)) await this.deletePod(set, pod);
  }

  async #reportReplicas(set: StoredObject): Promise<void> {
    const own = await this.pods(set);
    const pods = own.filter(isActive);
    const ready = pods.filter(isReady).length;
    const labels = (at(set, 'spec', 'template', 'metadata', 'labels') ?? {}) as Record<string, string>;
    const full = pods.filter(pod =>
      Object.entries(labels).every(([k, v]) => pod.metadata.labels?.[k] === v),
    ).length;
    const terminating = own.filter(pod => pod.metadata.deletionTimestamp).length;
    await this.control.updateStatus(set, {
      replicas: pods.length,
      ...(full > 0 && {fullyLabeledReplicas: full}),
      ...(ready > 0 && {readyReplicas: ready, availableReplicas: ready}),
      terminatingReplicas: terminating,
      observedGeneration: set.metadata.generation,
    });
  }
}

/** Deletes unscheduled Pods first, then those that are not ready. */
function rank(pod: StoredObject): number {
  if (!stringAt(pod, 'spec', 'nodeName')) return 0;
  if (stringAt(pod, 'status', 'phase') !== 'Running') return 1;
  return isReady(pod) ? 3 : 2;
}

function youngerFirst(a: StoredObject, b: StoredObject): number {
  const [x, y] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return x === y ? (a.metadata.name < b.metadata.name ? -1 : 1) : x > y ? -1 : 1;
}
