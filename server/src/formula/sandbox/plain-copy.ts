// Copies a result to plain JSON before the engine sees it: without accessors, shared objects or endless structures.
import {FormulaFailure} from './formula-failure.ts';

export interface CopyBudget {
  /** Values that may still be copied. */
  nodes: number;
  /** Bytes that may still be copied, about those of the JSON text. */
  bytes: number;
}

const MAX_DEPTH = 64;
/** Of one row. Every reader, frame and moment of the recording repeats it. */
export const MAX_ROW_BYTES = 256 * 1024;
const NUMBER_BYTES = 8;

/**
 * A copy of the value; undefined stays undefined. Throws FormulaFailure with the path of a value that JSON
 * cannot hold.
 */
export function copyPlain(value: unknown, budget: CopyBudget, refusesAccessors: boolean): unknown {
  return copyValue(value, budget, refusesAccessors, 0, '');
}

function copyValue(
  value: unknown,
  budget: CopyBudget,
  refusesAccessors: boolean,
  depth: number,
  path: string,
): unknown {
  budget.nodes -= 1;
  if (budget.nodes < 0) throw new FormulaFailure('the result has too many values; return less');
  switch (typeof value) {
    case 'string':
      takeBytes(value.length, budget);
      return value;
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      if (value - value !== 0) throw notPlainFailure(path, `${value}`);
      takeBytes(NUMBER_BYTES, budget);
      return value;
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_DEPTH)
        throw new FormulaFailure(`the result is nested deeper than ${MAX_DEPTH} at ${pathText(path)}`);
      return Array.isArray(value)
        ? copyList(value, budget, refusesAccessors, depth, path)
        : copyObject(value as Record<string, unknown>, budget, refusesAccessors, depth, path);
    default:
      throw notPlainFailure(path, `a ${typeof value}`);
  }
}

function takeBytes(bytes: number, budget: CopyBudget): void {
  budget.bytes -= bytes;
  if (budget.bytes < 0)
    throw new FormulaFailure(`a row is larger than ${MAX_ROW_BYTES / 1024} KB; return less of it`);
}

function copyList(
  list: readonly unknown[],
  budget: CopyBudget,
  refusesAccessors: boolean,
  depth: number,
  path: string,
): unknown[] {
  const {length} = list;
  // Check before allocating: an array may be long and empty.
  if (length > budget.nodes && length > 1000)
    throw new FormulaFailure(`the result has an array of ${length} at ${pathText(path)}; return less`);
  const result = new Array<unknown>(length);
  for (let i = 0; i < length; i++) {
    if (refusesAccessors) refuseAccessor(list, String(i), path);
    result[i] = copyValue(list[i], budget, refusesAccessors, depth + 1, path) ?? null;
  }
  return result;
}

function copyObject(
  object: Record<string, unknown>,
  budget: CopyBudget,
  refusesAccessors: boolean,
  depth: number,
  path: string,
): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw notPlainFailure(path, kindOf(object));
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    if (refusesAccessors) refuseAccessor(object, key, path);
    const field = object[key];
    if (field === undefined) continue;
    takeBytes(key.length, budget);
    const own = copyValue(field, budget, refusesAccessors, depth + 1, path === '' ? key : `${path}.${key}`);
    if (key === '__proto__') {
      Object.defineProperty(result, key, {value: own, enumerable: true, writable: true, configurable: true});
    } else result[key] = own;
  }
  return result;
}

function refuseAccessor(object: object, key: string, path: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor !== undefined && !('value' in descriptor)) {
    throw new FormulaFailure(
      `${pathText(path === '' ? key : `${path}.${key}`)} is a getter, which JSON cannot hold; return its value`,
    );
  }
}

function kindOf(object: object): string {
  if (object instanceof Map) return 'a Map';
  if (object instanceof Set) return 'a Set';
  if (object instanceof Date) return 'a Date';
  if (object instanceof RegExp) return 'a regular expression';
  if (object instanceof Error) return 'an Error';
  return 'an instance of a class';
}

const pathText = (path: string) => (path === '' ? 'the top' : path.slice(0, 120));

function notPlainFailure(path: string, what: string): FormulaFailure {
  const where = path === '' ? 'the result' : pathText(path);
  return new FormulaFailure(
    `${where} is ${what}, which JSON cannot hold; return strings, numbers, arrays and plain objects`,
  );
}
