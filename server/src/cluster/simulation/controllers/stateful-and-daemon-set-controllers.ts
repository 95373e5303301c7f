// StatefulSets (ordered, named Pods) and DaemonSets (a Pod per node), without volumes and partitions.
import {at, type JsonObject, numberAt, type StoredObject, stringAt} from '../../object/stored-object.ts';
import {podFor, templateHash} from './child-objects.ts';
import {DaemonSet, Node, StatefulSet} from './controller-kinds.ts';
import {isActive, isReady, PodController} from './pod-controller.ts';

const REVISION = 'controller-revision-hash';

/** Adds the hash of the template as a label. */
export function withLabels(pod: JsonObject, labels: Record<string, string>): JsonObject {
  const meta = pod.metadata as JsonObject;
  meta.labels = {...(meta.labels as Record<string, string> | undefined), ...labels};
  return pod;
}

function revisionName(owner: StoredObject): string {
  return `${owner.metadata.name}-${templateHash(at(owner, 'spec', 'template'))}`;
}

export class StatefulSetController extends PodController {
  protected readonly kind = StatefulSet;

  protected async settle(set: StoredObject): Promise<void> {
    if (!set.metadata.deletionTimestamp) await this.#scale(set);
    await this.#reportReplicas(set);
  }

  protected override eventText(what: 'Created' | 'Deleted', set: StoredObject, pod: string): string {
    return `${what === 'Created' ? 'create' : 'delete'} Pod ${pod} in StatefulSet ${set.metadata.name} successful`;
  }

  /** Creates one Pod at a time, when all before it are ready. */
  async #scale(set: StoredObject): Promise<void> {
    const wanted = numberAt(set, 'spec', 'replicas');
    const pods = new Map((await this.pods(set)).map(pod => [pod.metadata.name, pod]));
    const parallel = stringAt(set, 'spec', 'podManagementPolicy') === 'Parallel';
    for (let i = 0; i < wanted; i++) {
      const name = `${set.metadata.name}-${i}`;
      const pod = pods.get(name);
      if (!pod) {
        await this.createPod(set, withLabels(podFor(set, name), statefulLabels(set, name, i)));
        if (!parallel) return;
      } else if (!parallel && (!isReady(pod) || pod.metadata.deletionTimestamp)) return;
    }
    const surplus = [...pods.values()].filter(pod => Number(pod.metadata.name.split('-').at(-1)) >= wanted);
    const last = surplus.sort((a, b) => (a.metadata.name < b.metadata.name ? 1 : -1))[0];
    if (last && !last.metadata.deletionTimestamp) {
      await this.deletePod(set, last);
      return;
    }
    const stale = [...pods.values()]
      .reverse()
      .find(pod => pod.metadata.labels?.[REVISION] !== revisionName(set));
    if (stale && !stale.metadata.deletionTimestamp && surplus.length === 0) await this.deletePod(set, stale);
  }

  async #reportReplicas(set: StoredObject): Promise<void> {
    const pods = (await this.pods(set)).filter(isActive);
    const ready = pods.filter(isReady).length;
    const revision = revisionName(set);
    const updated = pods.filter(pod => pod.metadata.labels?.[REVISION] === revision).length;
    const status: JsonObject = {
      observedGeneration: set.metadata.generation,
      replicas: pods.length,
      ...(ready > 0 && {readyReplicas: ready}),
      ...(updated > 0 && {currentReplicas: updated, updatedReplicas: updated}),
      currentRevision: revision,
      updateRevision: revision,
      collisionCount: 0,
      availableReplicas: ready,
    };
    await this.control.updateStatus(set, status);
  }
}

export function statefulLabels(set: StoredObject, name: string, index: number): Record<string, string> {
  return {
    'apps.kubernetes.io/pod-index': String(index),
    [REVISION]: revisionName(set),
    'statefulset.kubernetes.io/pod-name': name,
  };
}

export class DaemonSetController extends PodController {
  protected readonly kind = DaemonSet;

  protected async settle(set: StoredObject): Promise<void> {
    const nodes = (await this.control.client.list(Node)).items.map(node => node.metadata.name);
    const pods = (await this.pods(set)).filter(isActive);
    if (!set.metadata.deletionTimestamp) {
      for (const node of nodes) {
        if (pods.some(pod => stringAt(pod, 'spec', 'nodeName') === node)) continue;
        const body = withLabels(podFor(set), {
          [REVISION]: templateHash(at(set, 'spec', 'template')),
          'pod-template-generation': '1',
        });
        (body.spec as JsonObject).nodeName = node;
        await this.createPod(set, body);
      }
    }
    const now = (await this.pods(set)).filter(isActive);
    const ready = now.filter(isReady).length;
    const status: JsonObject = {
      currentNumberScheduled: now.length,
      numberMisscheduled: 0,
      desiredNumberScheduled: nodes.length,
      numberReady: ready,
      observedGeneration: set.metadata.generation,
      ...(now.length > 0 && {updatedNumberScheduled: now.length}),
      ...(ready > 0 && {numberAvailable: ready}),
      ...(nodes.length > ready && {numberUnavailable: nodes.length - ready}),
    };
    await this.control.updateStatus(set, status);
  }
}
