// Deep copies and deep equality of plain JSON.
import type {JsonObject} from './stored-object.ts';

declare global {
  interface JSON {
    /** A number kept as its own text, so that integers beyond 2^53 survive. */
    rawJSON(text: string): {rawJSON: string};
    isRawJSON(value: unknown): value is {rawJSON: string};
  }
}

/** A deep copy. Numbers kept as raw JSON text are frozen and shared. */
export function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy) as T;
  if (JSON.isRawJSON(value)) return value;
  const out: JsonObject = {};
  for (const field in value) setField(out, field, copy(value[field]));
  return out as T;
}

/** Sets a field even when it is called __proto__, which a plain assignment would turn into a prototype. */
export function setField(target: JsonObject, field: string, value: unknown): void {
  if (field === '__proto__') {
    Object.defineProperty(target, field, {value, enumerable: true, configurable: true, writable: true});
  } else {
    target[field] = value;
  }
}

/** Equal as JSON: a field that is undefined counts as absent. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => equal(item, b[i]));
  }
  const left = a as JsonObject;
  const right = b as JsonObject;
  let count = 0;
  for (const field in left) {
    if (left[field] === undefined) continue;
    count++;
    if (!Object.hasOwn(right, field) || !equal(left[field], right[field])) return false;
  }
  for (const field in right) if (right[field] !== undefined) count--;
  return count === 0;
}
