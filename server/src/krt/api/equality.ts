// Equality of items: the option, then their own equals(), then their structure.
// A missing property equals an undefined one; NaN equals NaN; Date, Map and Set compare by content.

export const EQUAL = 0;
/** They differ, and their JSON surely does too. */
export const DIFFERENT = 1;
/** They differ in something JSON may not show: a function, a class, an own equals(). */
export const DIFFERENT_MAYBE_NOT_IN_JSON = 2;

/** The name of the text by which the last two objects that differed did, or ''; a hint where to look first. */
export let differed = '';

export function equal(a: unknown, b: unknown): boolean {
  return compare(a, b) === EQUAL;
}

export function compare(a: unknown, b: unknown): number {
  if (a === b) return EQUAL;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return comparePrimitives(a, b);
  if (Array.isArray(a)) return Array.isArray(b) ? compareArrays(a, b) : DIFFERENT;
  return Array.isArray(b) ? DIFFERENT : compareFields(a as Fields, b as Fields);
}

type Fields = Record<string, unknown>;

function comparePrimitives(a: unknown, b: unknown): number {
  if (Number.isNaN(a) && Number.isNaN(b)) return EQUAL;
  return plain(a) && plain(b) ? DIFFERENT : DIFFERENT_MAYBE_NOT_IN_JSON;
}

function plain(value: unknown): boolean {
  const type = typeof value;
  return type === 'string' || type === 'boolean' || (type === 'number' && Number.isFinite(value));
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  if (a.length !== b.length) return DIFFERENT;
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue;
    const difference = compare(a[i], b[i]);
    if (difference !== EQUAL) return difference;
  }
  return EQUAL;
}

// By fields, whatever the class; only what has no fields at all may be a Date, a Map or a Set.
function compareFields(a: Fields, b: Fields): number {
  let count = 0;
  for (const key in a) {
    const left = a[key];
    if (left === undefined) continue;
    count++;
    const right = b[key];
    if (left === right) continue;
    if (right === undefined) return typeof left === 'function' ? DIFFERENT_MAYBE_NOT_IN_JSON : DIFFERENT;
    const difference = compare(left, right);
    if (difference !== EQUAL) {
      differed = typeof left === 'string' ? key : '';
      return difference;
    }
  }
  if (count === 0) return compareFieldless(a, b);
  for (const key in b) if (b[key] !== undefined) count--;
  // A function that one side alone has does not show in JSON.
  return count === 0 ? EQUAL : DIFFERENT_MAYBE_NOT_IN_JSON;
}

function compareFieldless(a: object, b: object): number {
  for (const key in b) if ((b as Fields)[key] !== undefined) return DIFFERENT_MAYBE_NOT_IN_JSON;
  if (a instanceof Date && b instanceof Date) {
    return a.getTime() === b.getTime() ? EQUAL : DIFFERENT_MAYBE_NOT_IN_JSON;
  }
  if (a instanceof Map && b instanceof Map) return compareMaps(a, b);
  if (a instanceof Set && b instanceof Set) return compareSets(a, b);
  return isPlain(a) && isPlain(b) ? EQUAL : compareOpaque(a, b);
}

// Something whose content cannot be seen: of one class and without fields, or not comparable at all.
function compareOpaque(a: object, b: object): number {
  const proto = Object.getPrototypeOf(a);
  const own = proto === Object.getPrototypeOf(b) && !(a instanceof Promise) && !(a instanceof WeakMap);
  return own ? EQUAL : DIFFERENT_MAYBE_NOT_IN_JSON;
}

function isPlain(value: object): boolean {
  const proto = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

function compareMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>): number {
  if (a.size !== b.size) return DIFFERENT_MAYBE_NOT_IN_JSON;
  for (const [key, value] of a) {
    if (!b.has(key) || compare(value, b.get(key)) !== EQUAL) return DIFFERENT_MAYBE_NOT_IN_JSON;
  }
  return EQUAL;
}

function compareSets(a: Set<unknown>, b: Set<unknown>): number {
  if (a.size !== b.size) return DIFFERENT_MAYBE_NOT_IN_JSON;
  for (const value of a) {
    if (b.has(value)) continue;
    let found = false;
    for (const other of b) if (compare(value, other) === EQUAL) found = true;
    if (!found) return DIFFERENT_MAYBE_NOT_IN_JSON;
  }
  return EQUAL;
}

/** How a collection compares its items: by its option, else by their own equals(), else by structure. */
export function comparer<T>(
  option: ((a: T, b: T) => boolean) | undefined,
): (a: unknown, b: unknown) => number {
  if (option === undefined) return compareItems;
  return (a, b) => (a === b || option(a as T, b as T) ? EQUAL : otherwise(a, b));
}

function compareItems(a: unknown, b: unknown): number {
  if (a === b) return EQUAL;
  const own = (a as {equals?: unknown} | null)?.equals;
  if (typeof own === 'function') return own.call(a, b) ? EQUAL : otherwise(a, b);
  return compare(a, b);
}

// An own equality said no: the structure tells whether JSON could say otherwise.
function otherwise(a: unknown, b: unknown): number {
  return compareShallowly(a, b) === DIFFERENT ? DIFFERENT : DIFFERENT_MAYBE_NOT_IN_JSON;
}

function compareShallowly(a: unknown, b: unknown): number {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return compare(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareArrays(a, b);
  return compareFields(a as Fields, b as Fields);
}
