// What a Deployment reports about itself: counts and the two conditions kubectl waits for.
import {at, type JsonObject, type KubeObject, listAt, numberAt, stringAt} from '../object/types.ts';

function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return listAt(object, 'status', 'conditions').find(c => stringAt(c, 'type') === type) as
    | JsonObject
    | undefined;
}

/** Keeps the old times while nothing is said anew. */
function condition(
  old: JsonObject | undefined,
  type: string,
  status: string,
  reason: string,
  message: string,
  time: string,
): JsonObject {
  const same = old && old.status === status;
  const unchanged = same && old.reason === reason && old.message === message;
  return {
    type,
    status,
    lastUpdateTime: unchanged ? old.lastUpdateTime : time,
    lastTransitionTime: same ? old.lastTransitionTime : time,
    reason,
    message,
  };
}

export function deploymentStatus(
  deployment: KubeObject,
  fresh: KubeObject | undefined,
  sets: KubeObject[],
  time: string,
): JsonObject {
  const sum = (field: string) => sets.reduce((total, set) => total + numberAt(set, 'status', field), 0);
  const desired = numberAt(deployment, 'spec', 'replicas');
  const [replicas, ready, available] = [sum('replicas'), sum('readyReplicas'), sum('availableReplicas')];
  const updated = fresh ? numberAt(fresh, 'status', 'replicas') : 0;
  const total = sets.reduce(
    (all, set) => all + Math.max(numberAt(set, 'spec', 'replicas'), numberAt(set, 'status', 'replicas')),
    0,
  );
  const missing = Math.max(0, total - available);
  const unavailable = at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable');
  const slack =
    typeof unavailable === 'number'
      ? unavailable
      : Math.floor((Number.parseInt(String(unavailable ?? '0'), 10) * desired) / 100);
  const enough =
    available >=
    desired -
      (stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate' ? 0 : slack || (desired > 0 ? 0 : 0));
  const complete = updated === desired && replicas === desired && available >= desired;
  const name = fresh?.metadata.name ?? '';
  const old = conditionOf(deployment, 'Progressing');
  const settled =
    complete ||
    (old?.reason === 'NewReplicaSetAvailable' &&
      updated === desired &&
      String(old.message).includes(`"${name}"`));
  const progress = settled
    ? condition(
        old,
        'Progressing',
        'True',
        'NewReplicaSetAvailable',
        `ReplicaSet "${name}" has successfully progressed.`,
        time,
      )
    : condition(
        old,
        'Progressing',
        'True',
        'ReplicaSetUpdated',
        `ReplicaSet "${name}" is progressing.`,
        time,
      );
  const availability = enough
    ? condition(
        conditionOf(deployment, 'Available'),
        'Available',
        'True',
        'MinimumReplicasAvailable',
        'Deployment has minimum availability.',
        time,
      )
    : condition(
        conditionOf(deployment, 'Available'),
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        time,
      );
  return {
    observedGeneration: deployment.metadata.generation,
    ...(replicas > 0 && {replicas}),
    ...(updated > 0 && {updatedReplicas: updated}),
    ...(ready > 0 && {readyReplicas: ready}),
    ...(available > 0 && {availableReplicas: available}),
    ...(missing > 0 && {unavailableReplicas: missing}),
    terminatingReplicas: sum('terminatingReplicas'),
    conditions: [availability, progress],
  };
}
