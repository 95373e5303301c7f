// PodDisruptionBudgets: how many of their Pods may go at once. What an eviction makes of it is in verbs/evict.ts.
import type {ObjectKey} from '../../runtime/index.ts';
import {selectorMatches} from '../kinds/label-selector.ts';
import {at, type JsonObject, type KubeObject, listAt, numberAt, stringAt} from '../object/types.ts';
import {resolved} from './deployment-status.ts';
import type {Hand} from './hand.ts';
import * as kinds from './kinds.ts';
import {controllerOf} from './offspring.ts';
import {isActive, isReady} from './pod-controller.ts';

export class DisruptionController {
  readonly #hand: Hand;

  constructor(hand: Hand) {
    this.#hand = hand;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const budget = await this.#hand.find(kinds.PodDisruptionBudget, request);
    if (!budget || budget.metadata.deletionTimestamp) return;
    const {items} = await this.#hand.client.list(kinds.Pod, {namespace: request.namespace});
    const selector = at(budget, 'spec', 'selector');
    const pods = items.filter(pod => isActive(pod) && selectorMatches(selector, pod.metadata.labels));
    const expected = await this.#expected(budget, pods);
    const desired = desiredOf(budget, expected);
    const healthy = pods.filter(isReady).length;
    const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    await this.#hand.report(budget, {
      conditions: [this.#condition(budget, allowed > 0)],
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      observedGeneration: budget.metadata.generation,
    });
  }

  /** A number is of the Pods there are; a share, or a loss, of those that their owners want. */
  async #expected(budget: KubeObject, pods: KubeObject[]): Promise<number> {
    if (typeof at(budget, 'spec', 'minAvailable') === 'number') return pods.length;
    const owners = new Map<string, KubeObject>();
    for (const pod of pods) {
      const owner = await this.#scaled(pod);
      if (owner) owners.set(owner.metadata.uid ?? '', owner);
    }
    return [...owners.values()].reduce((sum, owner) => sum + numberAt(owner, 'spec', 'replicas'), 0);
  }

  /** Who says how many there should be: a Deployment, not the set it rolls out. */
  async #scaled(object: KubeObject): Promise<KubeObject | undefined> {
    const reference = controllerOf(object);
    if (!reference) return undefined;
    const kind = [kinds.ReplicaSet, kinds.StatefulSet, kinds.Deployment].find(k => k.kind === reference.kind);
    const {namespace} = object.metadata;
    const owner = kind && (await this.#hand.find(kind, {namespace, name: reference.name}));
    return owner && ((await this.#scaled(owner)) ?? owner);
  }

  #condition(budget: KubeObject, allowed: boolean): JsonObject {
    const status = allowed ? 'True' : 'False';
    const old = listAt(budget, 'status', 'conditions')[0];
    return {
      type: 'DisruptionAllowed',
      status,
      observedGeneration: budget.metadata.generation,
      lastTransitionTime:
        stringAt(old, 'status') === status ? stringAt(old, 'lastTransitionTime') : this.#hand.timestamp(),
      reason: allowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    };
  }
}

function desiredOf(budget: KubeObject, expected: number): number {
  const most = at(budget, 'spec', 'maxUnavailable');
  if (most !== undefined) return Math.max(0, expected - resolved(most, expected, true));
  return resolved(at(budget, 'spec', 'minAvailable'), expected, true);
}
