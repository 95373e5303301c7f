// Copies and freezes JSON values. Written by hand, because structuredClone takes seven times as long.

declare global {
  interface JSON {
    /** A number as its own text, so that integers beyond 2^53 survive. */
    rawJSON(text: string): {rawJSON: string};
    isRawJSON(value: unknown): value is {rawJSON: string};
  }
}

/** A copy that shares nothing with the original, except raw JSON numbers, which are frozen. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  if (JSON.isRawJSON(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(value)) setField(copy, field, deepCopy(value[field as keyof T]));
  return copy as T;
}

/** Sets a field even when it is called __proto__, which a plain assignment would turn into a prototype. */
export function setField(target: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__')
    Object.defineProperty(target, field, {value, enumerable: true, configurable: true, writable: true});
  else target[field] = value;
}

/** Freezes a JSON value all the way down. A frozen part counts as frozen to its end. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) deepFreeze(value[i]);
  else for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
