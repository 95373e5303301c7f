// The status of a Deployment: counts, and the two conditions that kubectl waits for.
import {
  at,
  type JsonObject,
  listAt,
  numberAt,
  type StoredObject,
  stringAt,
} from '../../object/stored-object.ts';

function conditionOf(object: StoredObject, type: string): JsonObject | undefined {
  return listAt(object, 'status', 'conditions').find(c => stringAt(c, 'type') === type) as
    | JsonObject
    | undefined;
}

/** Keeps the times of an unchanged condition. */
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
  deployment: StoredObject,
  fresh: StoredObject | undefined,
  sets: StoredObject[],
  time: string,
): JsonObject {
  const sum = (field: string) => sets.reduce((total, set) => total + numberAt(set, 'status', field), 0);
  const [replicas, ready, available] = [sum('replicas'), sum('readyReplicas'), sum('availableReplicas')];
  const updated = fresh ? numberAt(fresh, 'status', 'replicas') : 0;
  const total = sets.reduce(
    (all, set) => all + Math.max(numberAt(set, 'spec', 'replicas'), numberAt(set, 'status', 'replicas')),
    0,
  );
  const missing = Math.max(0, total - available);
  return {
    observedGeneration: deployment.metadata.generation,
    ...(replicas > 0 && {replicas}),
    ...(updated > 0 && {updatedReplicas: updated}),
    ...(ready > 0 && {readyReplicas: ready}),
    ...(available > 0 && {availableReplicas: available}),
    ...(missing > 0 && {unavailableReplicas: missing}),
    terminatingReplicas: sum('terminatingReplicas'),
    conditions: [
      availableCondition(deployment, available, time),
      progressingCondition(deployment, fresh, {replicas, updated, available}, time),
    ],
  };
}

function availableCondition(deployment: StoredObject, available: number, time: string): JsonObject {
  const desired = numberAt(deployment, 'spec', 'replicas');
  const rolling = stringAt(deployment, 'spec', 'strategy', 'type') !== 'Recreate';
  const slack = rolling
    ? resolveIntOrPercent(
        at(deployment, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable'),
        desired,
        false,
      )
    : 0;
  const old = conditionOf(deployment, 'Available');
  if (available >= desired - slack) {
    return condition(
      old,
      'Available',
      'True',
      'MinimumReplicasAvailable',
      'Deployment has minimum availability.',
      time,
    );
  }
  return condition(
    old,
    'Available',
    'False',
    'MinimumReplicasUnavailable',
    'Deployment does not have minimum availability.',
    time,
  );
}

interface Counts {
  replicas: number;
  updated: number;
  available: number;
}

/** A finished rollout stays complete, also when Pods fail later. */
function progressingCondition(
  deployment: StoredObject,
  fresh: StoredObject | undefined,
  counts: Counts,
  time: string,
): JsonObject {
  const desired = numberAt(deployment, 'spec', 'replicas');
  const name = fresh?.metadata.name ?? '';
  const old = conditionOf(deployment, 'Progressing');
  const complete = counts.updated === desired && counts.replicas === desired && counts.available >= desired;
  const before =
    old?.reason === 'NewReplicaSetAvailable' &&
    counts.updated === desired &&
    String(old.message).includes(`"${name}"`);
  if (complete || before) {
    return condition(
      old,
      'Progressing',
      'True',
      'NewReplicaSetAvailable',
      `ReplicaSet "${name}" has successfully progressed.`,
      time,
    );
  }
  return condition(
    old,
    'Progressing',
    'True',
    'ReplicaSetUpdated',
    `ReplicaSet "${name}" is progressing.`,
    time,
  );
}

/** A percentage of the replicas, or the number itself. */
export function resolveIntOrPercent(value: unknown, replicas: number, roundUp: boolean): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  const part = (Number.parseInt(value, 10) * replicas) / 100;
  return roundUp ? Math.ceil(part) : Math.floor(part);
}
