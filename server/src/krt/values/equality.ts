// Equality of items: by the option, else by their own equals(), else by structure. A missing property equals
// an undefined one, and NaN equals NaN. An object with hidden state equals only itself, so that its updates
// are not lost.

import {contentOf, hasOnlyVisibleState} from './object-content.ts';
import {refusePromise} from './thenable.ts';

export const EQUAL = 0;
/** They differ, and so does their JSON. */
export const DIFFERENT = 1;
/** They differ, perhaps only in parts that JSON omits: a function, a class, an own equals(). */
export const DIFFERENT_MAYBE_NOT_IN_JSON = 2;

export function equal(a: unknown, b: unknown): boolean {
  return compare(a, b) === EQUAL;
}

export function compare(a: unknown, b: unknown): number {
  if (a === b) return EQUAL;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return comparePrimitives(a, b);
  if (Array.isArray(a)) return Array.isArray(b) ? compareLists(a, b) : DIFFERENT;
  // Compare fields first: most objects differ there, and asking for prototypes is slow.
  if (a.constructor === Object && b.constructor === Object) {
    const difference = compareFields(a as ComparedFields, b as ComparedFields);
    if (difference !== EQUAL || (isPlain(a) && isPlain(b))) return difference;
  }
  return Array.isArray(b) ? DIFFERENT : compareInstances(a, b);
}

type ComparedFields = Record<string, unknown>;

function comparePrimitives(a: unknown, b: unknown): number {
  if (Number.isNaN(a) && Number.isNaN(b)) return EQUAL;
  return isJsonPrimitive(a) && isJsonPrimitive(b) ? DIFFERENT : DIFFERENT_MAYBE_NOT_IN_JSON;
}

function isJsonPrimitive(value: unknown): boolean {
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

// Covers lists of an own class, and lists with extra fields, such as a regular expression match.
function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const proto = Object.getPrototypeOf(a);
  if (proto !== Object.getPrototypeOf(b)) return DIFFERENT_MAYBE_NOT_IN_JSON;
  if (proto !== Array.prototype && !hasOnlyVisibleState(a)) return DIFFERENT_MAYBE_NOT_IN_JSON;
  const difference = compareArrays(a, b);
  if (difference !== EQUAL || (!hasFields(a) && !hasFields(b))) return difference;
  const fields = compareFields(fieldsOf(a), fieldsOf(b));
  return fields === EQUAL ? EQUAL : DIFFERENT_MAYBE_NOT_IN_JSON;
}

// Fields come after the items. Their number does not tell, because a list may have holes.
function hasFields(list: readonly unknown[]): boolean {
  const {length} = list;
  const names = Object.keys(list);
  if (names.length === length && names[length - 1] === String(length - 1)) return false;
  const last = names.at(-1);
  return last !== undefined && !isItemIndex(last, length);
}

function fieldsOf(list: readonly unknown[]): ComparedFields {
  return Object.fromEntries(Object.entries(list).filter(([name]) => !isItemIndex(name, list.length)));
}

/** Whether the name is the index of an item. */
function isItemIndex(name: string, length: number): boolean {
  const place = Number(name);
  return place >= 0 && place < length && Number.isInteger(place) && String(place) === name;
}

function compareFields(a: ComparedFields, b: ComparedFields): number {
  let count = 0;
  for (const key in a) {
    const left = a[key];
    if (left === undefined) continue;
    count++;
    const right = b[key];
    if (left === right) continue;
    if (right === undefined) return typeof left === 'function' ? DIFFERENT_MAYBE_NOT_IN_JSON : DIFFERENT;
    const difference = compare(left, right);
    if (difference !== EQUAL) return difference;
  }
  for (const key in b) if (b[key] !== undefined) count--;
  // JSON omits a function that only one side has.
  return count === 0 ? EQUAL : DIFFERENT_MAYBE_NOT_IN_JSON;
}

/**
 * At least one object is not plain. They must have one class, and no hidden state or a content that can be
 * read.
 */
function compareInstances(a: object, b: object): number {
  if (!isPlain(a) || !isPlain(b)) {
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return DIFFERENT_MAYBE_NOT_IN_JSON;
    if (!hasOnlyVisibleState(a)) return DIFFERENT_MAYBE_NOT_IN_JSON;
    const content = contentOf(a);
    if (content !== undefined && compareContents(content, contentOf(b)) !== EQUAL)
      return DIFFERENT_MAYBE_NOT_IN_JSON;
    if (!hasSameHiddenProperties(a, b)) return DIFFERENT_MAYBE_NOT_IN_JSON;
    // Own fields only: fields of the class of a Buffer say where it lies in memory.
    if (content !== undefined) return compareFields({...a} as ComparedFields, {...b} as ComparedFields);
  }
  return compareFields(a as ComparedFields, b as ComparedFields);
}

// Built-in classes keep state in symbols and in fields that are not enumerable.
function hasSameHiddenProperties(a: object, b: object): boolean {
  const names = hiddenPropertiesOf(a);
  if (names.length !== hiddenPropertiesOf(b).length) return false;
  type Hidden = Record<string | symbol, unknown>;
  return names.every(name => compare((a as Hidden)[name], (b as Hidden)[name]) === EQUAL);
}

// Ignore the stack: two errors with the same message are equal.
function hiddenPropertiesOf(value: object): (string | symbol)[] {
  const listed = Object.prototype.propertyIsEnumerable;
  const hidden = Reflect.ownKeys(value).filter(name => typeof name === 'symbol' || !listed.call(value, name));
  return value instanceof Error ? hidden.filter(name => name !== 'stack') : hidden;
}

function isPlain(value: object): boolean {
  const proto = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

function compareContents(a: unknown, b: unknown): number {
  if (a instanceof Map && b instanceof Map) return compareMaps(a, b);
  if (a instanceof Set && b instanceof Set) return compareSets(a, b);
  return compare(a, b);
}

function compareMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>): number {
  if (a.size !== b.size) return DIFFERENT;
  for (const [key, value] of a) {
    if (!b.has(key) || compare(value, b.get(key)) !== EQUAL) return DIFFERENT;
  }
  return EQUAL;
}

function compareSets(a: Set<unknown>, b: Set<unknown>): number {
  if (a.size !== b.size) return DIFFERENT;
  const unmatched = [...b].filter(value => !a.has(value));
  for (const value of a) {
    if (b.has(value)) continue;
    const at = unmatched.findIndex(other => compare(value, other) === EQUAL);
    if (at < 0) return DIFFERENT;
    unmatched.splice(at, 1);
  }
  return EQUAL;
}

/** By the option of the collection, else by equals() of the items, else by structure. */
export function createItemComparer<T>(
  option: ((a: T, b: T) => boolean) | undefined,
): (a: unknown, b: unknown) => number {
  if (option === undefined) return createStructureComparer();
  return (a, b) => {
    if (a === b) return EQUAL;
    return refusePromise(option(a as T, b as T), 'the option equals') ? EQUAL : classifyDifference(a, b);
  };
}

/** Items of one collection mostly differ in one field, so it remembers that field and looks there first. */
function createStructureComparer(): (a: unknown, b: unknown) => number {
  let lastField = '';
  return (a, b) => {
    if (a === b) return EQUAL;
    const own = (a as {equals?: unknown} | null)?.equals;
    if (typeof own === 'function')
      return refusePromise(own.call(a, b), 'equals()') ? EQUAL : classifyDifference(a, b);
    try {
      if (lastField !== '' && differsIn(lastField, a, b)) return DIFFERENT;
      const difference = compare(a, b);
      if (difference === DIFFERENT) lastField = differingField(a, b);
      return difference;
    } catch (error) {
      // Too deep or circular. Treating the items as different loses nothing.
      if (error instanceof RangeError) return DIFFERENT_MAYBE_NOT_IN_JSON;
      throw error;
    }
  };
}

/** Whether a field that compare() would look at shows that two plain objects differ. */
function differsIn(field: string, a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a.constructor !== Object || b.constructor !== Object) return false;
  // Only a loop like that of compareFields() finds the same fields: those that are listed.
  for (const key in a)
    if (key === field) {
      const left = (a as ComparedFields)[key];
      const right = (b as ComparedFields)[key];
      if (typeof left === 'string' && typeof right === 'string') return left !== right;
      return left !== right && compare(left, right) === DIFFERENT;
    }
  return false;
}

function differingField(a: unknown, b: unknown): string {
  for (const key in a as ComparedFields) if (differsIn(key, a, b)) return key;
  return '';
}

// A custom equality said no. The structure tells whether the JSON may still be equal.
function classifyDifference(a: unknown, b: unknown): number {
  try {
    return compare(a, b) === DIFFERENT ? DIFFERENT : DIFFERENT_MAYBE_NOT_IN_JSON;
  } catch {
    return DIFFERENT_MAYBE_NOT_IN_JSON;
  }
}
