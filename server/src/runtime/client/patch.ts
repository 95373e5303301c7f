// Patches for changed objects. A base is a copy from before the change.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {PatchType} from '../../kube/client/dynamic-client.ts';
import {isRecord, type KubeObject} from '../../kube/object.ts';

export interface Patch<T extends KubeObject = KubeObject> {
  readonly type: PatchType;
  /** Returns the body for the changed object. */
  body(object: T): unknown;
}

export interface MergeFromOptions {
  /** Sends the base's resourceVersion, so that a write in between causes a conflict. */
  optimisticLock?: boolean;
}

/** A JSON merge patch of the changes since `base`. Lists are sent whole. */
export function mergeFrom<T extends KubeObject>(base: T, options: MergeFromOptions = {}): Patch<T> {
  const from = deepCopy(base);
  return {type: 'merge', body: object => withOptimisticLock(mergeDifference(from, object), from, options)};
}

/** The whole object as a JSON merge patch. */
export function merge<T extends KubeObject>(): Patch<T> {
  return {type: 'merge', body: object => object};
}

/** A JSON patch (RFC 6902). */
export function jsonPatch<T extends KubeObject>(
  operations: readonly {op: string; path: string; value?: unknown; from?: string}[],
): Patch<T> {
  return {type: 'json', body: () => operations};
}

/** A patch of any type. A string is sent as it is, other values as JSON. */
export function rawPatch<T extends KubeObject>(type: PatchType, body: unknown): Patch<T> {
  return {type, body: () => body};
}

export function withOptimisticLock<T extends KubeObject>(
  body: object,
  base: T,
  options: MergeFromOptions,
): object {
  if (!options.optimisticLock) return body;
  const {resourceVersion} = base.metadata;
  if (!resourceVersion)
    throw new Error(
      'an optimistic lock needs a base with a resourceVersion; read the object before changing it',
    );
  const {metadata} = body as {metadata?: object};
  return {...body, metadata: {...metadata, resourceVersion}};
}

/** The merge patch (RFC 7386) from `from` to `to`. Removed fields become null. */
function mergeDifference(from: object, to: object): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const before = from as Record<string, unknown>;
  const after = to as Record<string, unknown>;
  for (const key of Object.keys(before))
    if ((!Object.hasOwn(after, key) || after[key] === undefined) && before[key] !== undefined)
      patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (deepEqual(old, value)) continue;
    patch[key] = isRecord(old) && isRecord(value) ? mergeDifference(old, value) : value;
  }
  return patch;
}
