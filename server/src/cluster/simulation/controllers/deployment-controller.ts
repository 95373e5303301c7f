// Deployments: one ReplicaSet per template, rolled over within maxSurge and maxUnavailable.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {ObjectKey} from '../../../runtime/index.ts';
import {
  at,
  isObject,
  type JsonObject,
  numberAt,
  type StoredObject,
  stringAt,
} from '../../object/stored-object.ts';
import {replicaSetFor, templateHash} from './child-objects.ts';
import type {ControllerClient} from './controller-client.ts';
import {Deployment, Pod, ReplicaSet} from './controller-kinds.ts';
import {deploymentStatus, resolveIntOrPercent} from './deployment-status.ts';

const REVISION = 'deployment.kubernetes.io/revision';

function revisionOf(object: StoredObject): number {
  return Number(object.metadata.annotations?.[REVISION] ?? 0);
}

function sameTemplate(set: StoredObject, deployment: StoredObject): boolean {
  const own = deepCopy(at(set, 'spec', 'template')) as JsonObject;
  const labels = at(own, 'metadata', 'labels');
  if (isObject(labels)) delete labels['pod-template-hash'];
  return deepEqual(own, at(deployment, 'spec', 'template'));
}

export class DeploymentController {
  readonly #control: ControllerClient;

  constructor(control: ControllerClient) {
    this.#control = control;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const deployment = await this.#control.find(Deployment, request);
    if (!deployment || deployment.metadata.deletionTimestamp) return;
    const sets = await this.#sets(deployment);
    const current = sets.find(set => sameTemplate(set, deployment));
    if (at(deployment, 'spec', 'paused') === true) {
      if (current) await this.#resize(deployment, current, numberAt(deployment, 'spec', 'replicas'));
    } else {
      const fresh = current ?? (await this.#makeSet(deployment, sets));
      await this.#keepRevision(deployment, fresh, sets);
      const old = (await this.#sets(deployment)).filter(set => set.metadata.uid !== fresh.metadata.uid);
      if (stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate')
        await this.#recreate(deployment, fresh, old);
      else await this.#roll(deployment, fresh, old);
      await this.#forget(deployment, old);
    }
    await this.#report(request);
  }

  #sets(deployment: StoredObject): Promise<StoredObject[]> {
    return this.#control.listControlled(ReplicaSet, deployment);
  }

  async #makeSet(deployment: StoredObject, sets: StoredObject[]): Promise<StoredObject> {
    const revision = Math.max(0, ...sets.map(revisionOf)) + 1;
    const {namespace, name} = deployment.metadata;
    const hash = templateHash(at(deployment, 'spec', 'template'));
    const taken = await this.#control.find(ReplicaSet, {namespace, name: `${name}-${hash}`});
    const unique = taken ? templateHash([at(deployment, 'spec', 'template'), taken.metadata.uid]) : hash;
    return this.#control.create(ReplicaSet, replicaSetFor(deployment, unique, 0, revision));
  }

  /** The set of the current template has the highest revision, also after a rollback. */
  async #keepRevision(deployment: StoredObject, fresh: StoredObject, sets: StoredObject[]): Promise<void> {
    const highest = Math.max(0, ...sets.filter(s => s.metadata.uid !== fresh.metadata.uid).map(revisionOf));
    const revision = String(Math.max(revisionOf(fresh), highest + (revisionOf(fresh) > highest ? 0 : 1)));
    for (const object of [fresh, deployment]) {
      await this.#control.change(object, changed => {
        changed.metadata.annotations = {...changed.metadata.annotations, [REVISION]: revision};
      });
    }
  }

  async #resize(deployment: StoredObject, set: StoredObject, replicas: number): Promise<void> {
    const before = numberAt(set, 'spec', 'replicas');
    if (before === replicas) return;
    const desired = numberAt(deployment, 'spec', 'replicas');
    const surge = resolveIntOrPercent(
      at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxSurge'),
      desired,
      true,
    );
    await this.#control.change(set, changed => {
      (changed.spec as JsonObject).replicas = replicas;
      changed.metadata.annotations = {
        ...changed.metadata.annotations,
        'deployment.kubernetes.io/desired-replicas': String(desired),
        'deployment.kubernetes.io/max-replicas': String(desired + surge),
      };
    });
    const message = `Scaled ${replicas > before ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    this.#control.events.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  async #roll(deployment: StoredObject, fresh: StoredObject, old: StoredObject[]): Promise<void> {
    const desired = numberAt(deployment, 'spec', 'replicas');
    const rolling = at(deployment, 'spec', 'strategy', 'rollingUpdate');
    const surge = resolveIntOrPercent(at(rolling, 'maxSurge'), desired, true);
    let unavailable = resolveIntOrPercent(at(rolling, 'maxUnavailable'), desired, false);
    if (surge === 0 && unavailable === 0) unavailable = 1;
    const own = numberAt(fresh, 'spec', 'replicas');
    const oldTotal = old.reduce((sum, set) => sum + numberAt(set, 'spec', 'replicas'), 0);
    const room = desired + surge - own - oldTotal;
    const wanted = own > desired ? desired : Math.min(desired, own + Math.max(0, room));
    await this.#resize(deployment, fresh, oldTotal === 0 ? desired : wanted);
    if (oldTotal === 0) return;
    const available = (set: StoredObject) => numberAt(set, 'status', 'availableReplicas');
    const freshMissing = Math.max(0, own - available(fresh));
    let excess = own + oldTotal - (desired - unavailable) - freshMissing;
    // Removes unhealthy Pods of the old sets first, because they cost no availability.
    for (const healthyToo of [false, true]) {
      for (const set of old) {
        const {namespace, name} = set.metadata;
        const now = (await this.#control.find(ReplicaSet, {namespace, name})) ?? set;
        const has = numberAt(now, 'spec', 'replicas');
        const may = healthyToo ? has : Math.max(0, has - available(now));
        const drop = Math.min(may, Math.max(0, excess));
        if (drop > 0) await this.#resize(deployment, now, has - drop);
        excess -= drop;
      }
    }
  }

  async #recreate(deployment: StoredObject, fresh: StoredObject, old: StoredObject[]): Promise<void> {
    let living = 0;
    for (const set of old) {
      await this.#resize(deployment, set, 0);
      living += (await this.#control.listControlled(Pod, set)).length;
    }
    if (living === 0) await this.#resize(deployment, fresh, numberAt(deployment, 'spec', 'replicas'));
  }

  /** Deletes empty old sets beyond the history limit. */
  async #forget(deployment: StoredObject, old: StoredObject[]): Promise<void> {
    const limit = numberAt(deployment, 'spec', 'revisionHistoryLimit');
    const empty = old.filter(
      set =>
        numberAt(set, 'spec', 'replicas') === 0 &&
        numberAt(set, 'status', 'replicas') === 0 &&
        !set.metadata.deletionTimestamp,
    );
    const surplus = old.length - limit;
    if (surplus <= 0) return;
    for (const set of empty.sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus))
      await this.#control.delete(set);
  }

  async #report(request: ObjectKey): Promise<void> {
    const latest = await this.#control.find(Deployment, request);
    if (!latest) return;
    const sets = await this.#sets(latest);
    const fresh = sets.find(set => sameTemplate(set, latest));
    await this.#control.updateStatus(
      latest,
      deploymentStatus(latest, fresh, sets, this.#control.timestamp()),
    );
  }
}
