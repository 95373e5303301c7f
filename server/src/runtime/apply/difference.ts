// The paths that a write changes, without fields that the server manages.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isRecord, type KubeObject} from '../../kube/object.ts';

export interface Difference {
  /** `spec.template.spec.containers[0].image`. */
  path: string;
  old?: unknown;
  new?: unknown;
}

const serverFields = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
]);
/** A person does not read more paths than this. */
const most = 100;

/** Returns at most 100 paths; an empty list when both are equal. */
export function differenceOf(before: KubeObject | undefined, after: KubeObject | undefined): Difference[] {
  const found: Difference[] = [];
  compare(withoutServerFields(before), withoutServerFields(after), '', found);
  return found.slice(0, most);
}

function withoutServerFields(object: KubeObject | undefined): unknown {
  if (!object) return undefined;
  const metadata = Object.entries(object.metadata).filter(([field]) => !serverFields.has(field));
  const {status: _, ...rest} = object;
  return {...rest, metadata: Object.fromEntries(metadata)};
}

function compare(old: unknown, now: unknown, path: string, found: Difference[]): void {
  if (found.length >= most || deepEqual(old, now)) return;
  if (isRecord(old) && isRecord(now)) {
    for (const field of new Set([...Object.keys(old), ...Object.keys(now)]))
      compare(old[field], now[field], path === '' ? field : `${path}.${field}`, found);
    return;
  }
  if (Array.isArray(old) && Array.isArray(now)) {
    for (let i = 0; i < Math.max(old.length, now.length); i++)
      compare(old[i], now[i], `${path}[${i}]`, found);
    return;
  }
  found.push({path, old, new: now});
}
