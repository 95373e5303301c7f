// StatefulSets (ordered, named Pods) and DaemonSets (a Pod a node), without volumes and partitions.
import {equal} from '../object/copy.ts';
import {at, type JsonObject, type KubeObject, numberAt, stringAt} from '../object/types.ts';
import {type Client, DAEMON_SETS, PODS, STATEFUL_SETS} from './client.ts';
import {type Controller, keyFor, splitKey} from './controller.ts';
import {controllerOf, podFor, templateHash} from './offspring.ts';
import type {Owned} from './owned.ts';
import {isActive, isReady, ownerKey} from './replica-set.ts';

const REVISION = 'controller-revision-hash';

function ownPods(owned: Owned, owner: KubeObject): KubeObject[] {
  return owned
    .objects(owner.metadata.uid ?? '', 'pods')
    .filter(pod => controllerOf(pod)?.uid === owner.metadata.uid);
}

/** A Pod of a set carries the hash of the template it came from. */
export function labelled(pod: JsonObject, labels: Record<string, string>): JsonObject {
  const meta = pod.metadata as JsonObject;
  meta.labels = {...(meta.labels as Record<string, string> | undefined), ...labels};
  return pod;
}

export function revisionName(owner: KubeObject): string {
  return `${owner.metadata.name}-${templateHash(at(owner, 'spec', 'template'))}`;
}

export class StatefulSetController implements Controller {
  readonly name = 'statefulset-controller';
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, _deleted: boolean, previous: KubeObject | undefined): string[] {
    if (shelf === 'apps/statefulsets') return [keyFor(object)];
    return shelf === 'pods' ? [...ownerKey('StatefulSet', object), ...ownerKey('StatefulSet', previous)] : [];
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const set = this.#client.get(STATEFUL_SETS, namespace, name);
    if (!set) return;
    if (!set.metadata.deletionTimestamp) this.#scale(set);
    this.#report(set);
  }

  /** One step at a time, in order: the next Pod is made when the ones before it are ready. */
  #scale(set: KubeObject): void {
    const wanted = numberAt(set, 'spec', 'replicas');
    const pods = new Map(ownPods(this.#owned, set).map(pod => [pod.metadata.name, pod]));
    const parallel = stringAt(set, 'spec', 'podManagementPolicy') === 'Parallel';
    for (let i = 0; i < wanted; i++) {
      const name = `${set.metadata.name}-${i}`;
      const pod = pods.get(name);
      if (!pod) {
        this.#client.create(PODS, labelled(podFor(set, name), statefulLabels(set, name, i)));
        if (!parallel) return;
      } else if (!parallel && (!isReady(pod) || pod.metadata.deletionTimestamp)) return;
    }
    const surplus = [...pods.values()].filter(pod => Number(pod.metadata.name.split('-').at(-1)) >= wanted);
    const last = surplus.sort((a, b) => (a.metadata.name < b.metadata.name ? 1 : -1))[0];
    if (last && !last.metadata.deletionTimestamp) {
      this.#client.delete(PODS, last);
      return;
    }
    const stale = [...pods.values()]
      .reverse()
      .find(pod => pod.metadata.labels?.[REVISION] !== revisionName(set));
    if (stale && !stale.metadata.deletionTimestamp && surplus.length === 0) this.#client.delete(PODS, stale);
  }

  #report(set: KubeObject): void {
    const pods = ownPods(this.#owned, set).filter(isActive);
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
    if (!equal(status, set.status)) this.#client.setStatus(STATEFUL_SETS, set, status);
  }
}

export function statefulLabels(set: KubeObject, name: string, index: number): Record<string, string> {
  return {
    'apps.kubernetes.io/pod-index': String(index),
    [REVISION]: revisionName(set),
    'statefulset.kubernetes.io/pod-name': name,
  };
}

export class DaemonSetController implements Controller {
  readonly name = 'daemonset-controller';
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, _deleted: boolean, previous: KubeObject | undefined): string[] {
    if (shelf === 'apps/daemonsets') return [keyFor(object)];
    return shelf === 'pods' ? [...ownerKey('DaemonSet', object), ...ownerKey('DaemonSet', previous)] : [];
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const set = this.#client.get(DAEMON_SETS, namespace, name);
    if (!set) return;
    const nodes = this.#client.list('nodes').map(node => node.metadata.name);
    const pods = ownPods(this.#owned, set).filter(isActive);
    if (!set.metadata.deletionTimestamp) {
      for (const node of nodes) {
        if (pods.some(pod => stringAt(pod, 'spec', 'nodeName') === node)) continue;
        const body = labelled(podFor(set), {
          [REVISION]: templateHash(at(set, 'spec', 'template')),
          'pod-template-generation': '1',
        });
        (body.spec as JsonObject).nodeName = node;
        this.#client.create(PODS, body);
      }
    }
    const now = ownPods(this.#owned, set).filter(isActive);
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
    if (!equal(status, set.status)) this.#client.setStatus(DAEMON_SETS, set, status);
  }
}
