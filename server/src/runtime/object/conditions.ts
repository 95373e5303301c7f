// Conditions in the status of an object, as `kubectl wait --for=condition=Ready` reads them.

import {z} from 'zod';
import type {Condition} from '../../built-in-types/index.ts';
import type {KubeObject} from '../../kube/object.ts';
import {marks} from '../resource/schema-markers.ts';

/** A condition to set. The helper fills in the times and the generation. */
export type NewCondition = Pick<Condition, 'type' | 'status' | 'reason'> & {
  message?: string | undefined;
  /** Default: the generation of the object. */
  observedGeneration?: number | undefined;
};

interface ObjectWithConditions extends KubeObject {
  status?: {conditions?: Condition[]};
}

/** The schema of `status.conditions` for `defineResource`. */
export function conditionsSchema() {
  const condition = z.object({
    type: z.string().max(316),
    status: z.enum(['True', 'False', 'Unknown']),
    reason: z.string().min(1).max(1024),
    message: z.string().max(32_768),
    lastTransitionTime: z.string().meta({format: 'date-time'}),
    observedGeneration: z.int().min(0).optional(),
  });
  return z.array(condition).meta(marks({listType: 'map', listMapKeys: ['type']}));
}

/**
 * Sets a condition in `status.conditions` of the object in memory. The transition time changes only with the status.
 * Returns true if the object changed; write its status then.
 */
export function setCondition(
  object: KubeObject,
  {type, status, reason, message = '', observedGeneration = object.metadata.generation}: NewCondition,
  now: () => number = Date.now,
): boolean {
  const before = getCondition(object, type);
  const time = `${new Date(now()).toISOString().slice(0, 19)}Z`;
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : time;
  const same =
    before !== undefined &&
    before.status === status &&
    before.reason === reason &&
    before.message === message &&
    before.observedGeneration === observedGeneration;
  if (same) return false;
  const next: Condition = {
    type,
    status,
    reason,
    message,
    lastTransitionTime,
    ...(observedGeneration === undefined ? {} : {observedGeneration}),
  };
  const target = object as ObjectWithConditions;
  const conditions = target.status?.conditions ?? [];
  const place = conditions.findIndex(one => one.type === type);
  target.status = {
    ...target.status,
    conditions: place < 0 ? [...conditions, next] : conditions.with(place, next),
  };
  return true;
}

export function getCondition(object: KubeObject, type: string): Condition | undefined {
  return (object as ObjectWithConditions).status?.conditions?.find(one => one.type === type);
}

/** True only if the condition is True. With `current`, it must also be about the object's generation. */
export function isConditionTrue(object: KubeObject, type: string, {current = false} = {}): boolean {
  const condition = getCondition(object, type);
  if (condition?.status !== 'True') return false;
  return !current || condition.observedGeneration === object.metadata.generation;
}

/** Returns true if the object changed. */
export function removeCondition(object: KubeObject, type: string): boolean {
  const target = object as ObjectWithConditions;
  if (!getCondition(object, type)) return false;
  target.status = {...target.status, conditions: target.status?.conditions?.filter(one => one.type !== type)};
  return true;
}
