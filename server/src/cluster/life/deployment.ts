// Deployments: one ReplicaSet a template, rolled over within maxSurge and maxUnavailable.
import {copy, equal} from '../object/copy.ts';
import {at, isObject, type JsonObject, type KubeObject, numberAt, stringAt} from '../object/types.ts';
import {type Client, DEPLOYMENTS, REPLICA_SETS} from './client.ts';
import {type Controller, keyFor, splitKey} from './controller.ts';
import {deploymentStatus, resolved} from './deployment-status.ts';
import {controllerOf, replicaSetFor, templateHash} from './offspring.ts';
import type {Owned} from './owned.ts';

const REVISION = 'deployment.kubernetes.io/revision';

function revisionOf(object: KubeObject): number {
  return Number(object.metadata.annotations?.[REVISION] ?? 0);
}

function sameTemplate(set: KubeObject, deployment: KubeObject): boolean {
  const own = copy(at(set, 'spec', 'template')) as JsonObject;
  const labels = at(own, 'metadata', 'labels');
  if (isObject(labels)) delete labels['pod-template-hash'];
  return equal(own, at(deployment, 'spec', 'template'));
}

export class DeploymentController implements Controller {
  readonly name = 'deployment-controller';
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject): string[] {
    if (shelf === 'apps/deployments') return [keyFor(object)];
    if (shelf === 'apps/replicasets') {
      const owner = controllerOf(object);
      return owner?.kind === 'Deployment' ? [`${object.metadata.namespace}/${owner.name}`] : [];
    }
    return [];
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const deployment = this.#client.get(DEPLOYMENTS, namespace, name);
    if (!deployment || deployment.metadata.deletionTimestamp) return;
    const sets = this.#sets(deployment);
    const current = sets.find(set => sameTemplate(set, deployment));
    if (at(deployment, 'spec', 'paused') === true) {
      if (current) this.#resize(deployment, current, numberAt(deployment, 'spec', 'replicas'));
    } else {
      const fresh = current ?? this.#makeSet(deployment, sets);
      this.#keepRevision(deployment, fresh, sets);
      const old = this.#sets(deployment).filter(set => set.metadata.uid !== fresh.metadata.uid);
      if (stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate')
        this.#recreate(deployment, fresh, old);
      else this.#roll(deployment, fresh, old);
      this.#forget(deployment, old);
    }
    this.#report(deployment);
  }

  #sets(deployment: KubeObject): KubeObject[] {
    return this.#owned
      .objects(deployment.metadata.uid ?? '', 'apps/replicasets')
      .filter(set => controllerOf(set)?.uid === deployment.metadata.uid);
  }

  #makeSet(deployment: KubeObject, sets: KubeObject[]): KubeObject {
    const revision = Math.max(0, ...sets.map(revisionOf)) + 1;
    const hash = templateHash(at(deployment, 'spec', 'template'));
    const taken = this.#client.get(
      REPLICA_SETS,
      deployment.metadata.namespace ?? '',
      `${deployment.metadata.name}-${hash}`,
    );
    const unique = taken ? templateHash([at(deployment, 'spec', 'template'), taken.metadata.uid]) : hash;
    return this.#client.create(REPLICA_SETS, replicaSetFor(deployment, unique, 0, revision));
  }

  /** The set of the present template carries the highest revision, also after a rollback. */
  #keepRevision(deployment: KubeObject, fresh: KubeObject, sets: KubeObject[]): void {
    const highest = Math.max(0, ...sets.filter(s => s.metadata.uid !== fresh.metadata.uid).map(revisionOf));
    const revision = String(Math.max(revisionOf(fresh), highest + (revisionOf(fresh) > highest ? 0 : 1)));
    const set = (path: string, object: KubeObject) => {
      if (object.metadata.annotations?.[REVISION] === revision) return;
      this.#client.update(path, object, current => {
        current.metadata.annotations = {...current.metadata.annotations, [REVISION]: revision};
      });
    };
    set(REPLICA_SETS, fresh);
    set(DEPLOYMENTS, deployment);
  }

  #resize(deployment: KubeObject, set: KubeObject, replicas: number): void {
    if (numberAt(set, 'spec', 'replicas') === replicas) return;
    const desired = numberAt(deployment, 'spec', 'replicas');
    const surge = resolved(at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxSurge'), desired, true);
    this.#client.update(REPLICA_SETS, set, current => {
      (current.spec as JsonObject).replicas = replicas;
      current.metadata.annotations = {
        ...current.metadata.annotations,
        'deployment.kubernetes.io/desired-replicas': String(desired),
        'deployment.kubernetes.io/max-replicas': String(desired + surge),
      };
    });
  }

  #roll(deployment: KubeObject, fresh: KubeObject, old: KubeObject[]): void {
    const desired = numberAt(deployment, 'spec', 'replicas');
    const rolling = at(deployment, 'spec', 'strategy', 'rollingUpdate');
    const surge = resolved(at(rolling, 'maxSurge'), desired, true);
    let unavailable = resolved(at(rolling, 'maxUnavailable'), desired, false);
    if (surge === 0 && unavailable === 0) unavailable = 1;
    const own = numberAt(fresh, 'spec', 'replicas');
    const oldTotal = old.reduce((sum, set) => sum + numberAt(set, 'spec', 'replicas'), 0);
    const room = desired + surge - own - oldTotal;
    const wanted = own > desired ? desired : Math.min(desired, own + Math.max(0, room));
    this.#resize(deployment, fresh, oldTotal === 0 ? desired : wanted);
    if (oldTotal === 0) return;
    const available = (set: KubeObject) => numberAt(set, 'status', 'availableReplicas');
    const freshMissing = Math.max(0, own - available(fresh));
    let excess = own + oldTotal - (desired - unavailable) - freshMissing;
    // Broken Pods of the old sets are no loss: they go first.
    for (const healthyToo of [false, true]) {
      for (const set of old) {
        const now = this.#client.get(REPLICA_SETS, set.metadata.namespace ?? '', set.metadata.name) ?? set;
        const has = numberAt(now, 'spec', 'replicas');
        const may = healthyToo ? has : Math.max(0, has - available(now));
        const drop = Math.min(may, Math.max(0, excess));
        if (drop > 0) this.#resize(deployment, now, has - drop);
        excess -= drop;
      }
    }
  }

  #recreate(deployment: KubeObject, fresh: KubeObject, old: KubeObject[]): void {
    for (const set of old) this.#resize(deployment, set, 0);
    const living = old.flatMap(set => this.#owned.objects(set.metadata.uid ?? '', 'pods'));
    if (living.length === 0) this.#resize(deployment, fresh, numberAt(deployment, 'spec', 'replicas'));
  }

  /** Old sets beyond the history limit go, once nothing runs in them. */
  #forget(deployment: KubeObject, old: KubeObject[]): void {
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
      this.#client.delete(REPLICA_SETS, set);
  }

  #report(deployment: KubeObject): void {
    const latest = this.#client.get(
      DEPLOYMENTS,
      deployment.metadata.namespace ?? '',
      deployment.metadata.name,
    );
    if (!latest) return;
    const sets = this.#sets(latest);
    const fresh = sets.find(set => sameTemplate(set, latest));
    const status = deploymentStatus(latest, fresh, sets, this.#client.api.timestamp());
    if (!equal(status, latest.status)) this.#client.setStatus(DEPLOYMENTS, latest, status);
  }
}
