// The shape every stored object has; what is inside spec and status is known to the schemas alone.
import type {ObjectMeta} from '../../kube/object.ts';

export type JsonObject = {[field: string]: unknown};

export interface StoredMeta extends ObjectMeta {
  name: string;
}

/** Stored objects are shared between the storage, its log and every reader: never write to one, copy it. */
export interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta;
  [field: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of field names, or undefined where any step is missing. */
export function at(value: unknown, ...path: string[]): unknown {
  let here: unknown = value;
  for (const field of path) {
    if (!isObject(here)) return undefined;
    here = here[field];
  }
  return here;
}

export function stringAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function numberAt(value: unknown, ...path: string[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function mapAt(value: unknown, ...path: string[]): Record<string, string> {
  const found = at(value, ...path);
  return isObject(found) ? (found as Record<string, string>) : {};
}
