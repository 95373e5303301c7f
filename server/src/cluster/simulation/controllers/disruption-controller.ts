// PodDisruptionBudgets: counts the Pods that may be disrupted. verbs/evict.ts applies the result.
import type {ObjectKey} from '../../../runtime/index.ts';
import {selectorMatches} from '../../kinds/label-selector.ts';
import {
  at,
  type JsonObject,
  listAt,
  numberAt,
  type StoredObject,
  stringAt,
} from '../../object/stored-object.ts';
import {controllerOf} from './child-objects.ts';
import type {ControllerClient} from './controller-client.ts';
import * as kinds from './controller-kinds.ts';
import {resolveIntOrPercent} from './deployment-status.ts';
import {isActive, isReady} from './pod-controller.ts';

export class DisruptionController {
  readonly #control: ControllerClient;

  constructor(control: ControllerClient) {
    this.#control = control;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const budget = await this.#control.find(kinds.PodDisruptionBudget, request);
    if (!budget || budget.metadata.deletionTimestamp) return;
    const {items} = await this.#control.client.list(kinds.Pod, {namespace: request.namespace});
    const selector = at(budget, 'spec', 'selector');
    const pods = items.filter(pod => isActive(pod) && selectorMatches(selector, pod.metadata.labels));
    const expected = await this.#expected(budget, pods);
    const desired = desiredOf(budget, expected);
    const healthy = pods.filter(isReady).length;
    const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
    await this.#control.updateStatus(budget, {
      conditions: [this.#condition(budget, allowed > 0)],
      currentHealthy: healthy,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: expected,
      observedGeneration: budget.metadata.generation,
    });
  }

  /**
   * minAvailable as a number counts the existing Pods. A percentage or maxUnavailable counts the Pods that
   * the owners want.
   */
  async #expected(budget: StoredObject, pods: StoredObject[]): Promise<number> {
    if (typeof at(budget, 'spec', 'minAvailable') === 'number') return pods.length;
    const owners = new Map<string, StoredObject>();
    for (const pod of pods) {
      const owner = await this.#scaled(pod);
      if (owner) owners.set(owner.metadata.uid ?? '', owner);
    }
    return [...owners.values()].reduce((sum, owner) => sum + numberAt(owner, 'spec', 'replicas'), 0);
  }

  /** The owner that sets the replicas: the Deployment, not its ReplicaSet. */
  async #scaled(object: StoredObject): Promise<StoredObject | undefined> {
    const reference = controllerOf(object);
    if (!reference) return undefined;
    const kind = [kinds.ReplicaSet, kinds.StatefulSet, kinds.Deployment].find(k => k.kind === reference.kind);
    const {namespace} = object.metadata;
    const owner = kind && (await this.#control.find(kind, {namespace, name: reference.name}));
    return owner && ((await this.#scaled(owner)) ?? owner);
  }

  #condition(budget: StoredObject, allowed: boolean): JsonObject {
    const status = allowed ? 'True' : 'False';
    const old = listAt(budget, 'status', 'conditions')[0];
    return {
      type: 'DisruptionAllowed',
      status,
      observedGeneration: budget.metadata.generation,
      lastTransitionTime:
        stringAt(old, 'status') === status ? stringAt(old, 'lastTransitionTime') : this.#control.timestamp(),
      reason: allowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    };
  }
}

function desiredOf(budget: StoredObject, expected: number): number {
  const most = at(budget, 'spec', 'maxUnavailable');
  if (most !== undefined) return Math.max(0, expected - resolveIntOrPercent(most, expected, true));
  return resolveIntOrPercent(at(budget, 'spec', 'minAvailable'), expected, true);
}
