// The shape of stored objects. Only the schemas know spec and status.
import type {ObjectMeta} from '../../kube/object.ts';

export type JsonObject = {[field: string]: unknown};

export interface StoredMeta extends ObjectMeta {
  name: string;
}

/** The storage, its log and all readers share these objects. Copy one before you change it. */
export interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta;
  [field: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of fields; undefined if a step is missing. */
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
