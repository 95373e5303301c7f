// ReplicaSets: as many Pods as asked for, adopting those that match and letting go those that do not.
import {selectorMatches} from '../kinds/label-selector.ts';
import {equal} from '../object/copy.ts';
import {at, type JsonObject, type KubeObject, listAt, numberAt, stringAt} from '../object/types.ts';
import {type Client, PODS, REPLICA_SETS} from './client.ts';
import {type Controller, keyFor, splitKey} from './controller.ts';
import {controlledBy, controllerOf, podFor} from './offspring.ts';
import type {Owned} from './owned.ts';

export function isReady(pod: KubeObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
  );
}

export function isActive(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return !pod.metadata.deletionTimestamp && phase !== 'Succeeded' && phase !== 'Failed';
}

/** A controller of Pods hears of its own kind and of the Pods it controls. */
export function ownerKey(kind: string, pod: KubeObject | undefined): string[] {
  const owner = pod && controllerOf(pod);
  return pod && owner?.kind === kind ? [`${pod.metadata.namespace}/${owner.name}`] : [];
}

export class ReplicaSetController implements Controller {
  readonly name = 'replicaset-controller';
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, _deleted: boolean, previous: KubeObject | undefined): string[] {
    if (shelf === 'apps/replicasets') return [keyFor(object)];
    if (shelf !== 'pods') return [];
    const known = [...ownerKey('ReplicaSet', object), ...ownerKey('ReplicaSet', previous)];
    if (known.length > 0 || controllerOf(object)) return known;
    // A Pod nobody controls may be what a ReplicaSet is looking for.
    return this.#client
      .list(REPLICA_SETS, object.metadata.namespace ?? '')
      .filter(set => selectorMatches(at(set, 'spec', 'selector'), object.metadata.labels))
      .map(keyFor);
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const set = this.#client.get(REPLICA_SETS, namespace, name);
    if (!set) return;
    if (!set.metadata.deletionTimestamp) this.#claim(set);
    const pods = this.#pods(set).filter(isActive);
    if (!set.metadata.deletionTimestamp) this.#scale(set, pods);
    this.#report(set);
  }

  #pods(set: KubeObject): KubeObject[] {
    return this.#owned
      .objects(set.metadata.uid ?? '', 'pods')
      .filter(pod => controllerOf(pod)?.uid === set.metadata.uid);
  }

  #claim(set: KubeObject): void {
    const selector = at(set, 'spec', 'selector');
    for (const pod of this.#pods(set)) {
      if (selectorMatches(selector, pod.metadata.labels) || pod.metadata.deletionTimestamp) continue;
      this.#client.update(PODS, pod, current => {
        current.metadata.ownerReferences = (current.metadata.ownerReferences ?? []).filter(
          r => r.uid !== set.metadata.uid,
        );
      });
    }
    if (this.#pods(set).length >= numberAt(set, 'spec', 'replicas')) return;
    for (const pod of this.#client.list(PODS, set.metadata.namespace ?? '')) {
      if (controllerOf(pod) || !isActive(pod) || !selectorMatches(selector, pod.metadata.labels)) continue;
      this.#client.update(PODS, pod, current => {
        current.metadata.ownerReferences = [...(current.metadata.ownerReferences ?? []), controlledBy(set)];
      });
    }
  }

  #scale(set: KubeObject, pods: KubeObject[]): void {
    const wanted = numberAt(set, 'spec', 'replicas');
    for (let i = pods.length; i < wanted; i++) this.#client.create(PODS, podFor(set));
    if (pods.length <= wanted) return;
    const worst = [...pods].sort((a, b) => rank(a) - rank(b) || youngerFirst(a, b));
    for (const pod of worst.slice(0, pods.length - wanted)) this.#client.delete(PODS, pod);
  }

  #report(set: KubeObject): void {
    const pods = this.#pods(set).filter(isActive);
    const ready = pods.filter(isReady).length;
    const labels = (at(set, 'spec', 'template', 'metadata', 'labels') ?? {}) as Record<string, string>;
    const full = pods.filter(pod =>
      Object.entries(labels).every(([k, v]) => pod.metadata.labels?.[k] === v),
    ).length;
    const terminating = this.#pods(set).filter(pod => pod.metadata.deletionTimestamp).length;
    const status: JsonObject = {
      replicas: pods.length,
      ...(full > 0 && {fullyLabeledReplicas: full}),
      ...(ready > 0 && {readyReplicas: ready, availableReplicas: ready}),
      terminatingReplicas: terminating,
      observedGeneration: set.metadata.generation,
    };
    if (!equal(status, set.status)) this.#client.setStatus(REPLICA_SETS, set, status);
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
