// A result becomes plain JSON before the engine sees it: nothing that runs when it is read, nothing shared with the
// formula, nothing without end.
import {FormulaFailure} from './formula-failure.ts';

export interface CopyBudget {
  /** Values that may still be looked at. */
  nodes: number;
  /** Characters that may still be copied. */
  bytes: number;
}

const MAX_DEPTH = 64;

/** A copy of the value; undefined stays undefined. Throws FormulaFailure with the path of what cannot be written. */
export function copyPlain(value: unknown, room: CopyBudget, careful: boolean): unknown {
  return copyValue(value, room, careful, 0, '');
}

function copyValue(value: unknown, room: CopyBudget, careful: boolean, depth: number, path: string): unknown {
  room.nodes -= 1;
  if (room.nodes < 0) throw new FormulaFailure('the result has too many values; return less');
  switch (typeof value) {
    case 'string':
      takeText(value, room);
      return value;
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      if (value - value !== 0) throw notPlainFailure(path, `${value}`);
      return value;
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_DEPTH)
        throw new FormulaFailure(`the result is nested deeper than ${MAX_DEPTH} at ${pathText(path)}`);
      return Array.isArray(value)
        ? copyList(value, room, careful, depth, path)
        : copyObject(value as Record<string, unknown>, room, careful, depth, path);
    default:
      throw notPlainFailure(path, `a ${typeof value}`);
  }
}

function takeText(text: string, room: CopyBudget): void {
  room.bytes -= text.length;
  if (room.bytes < 0) throw new FormulaFailure('the result is too long; return less text');
}

function copyList(
  list: readonly unknown[],
  room: CopyBudget,
  careful: boolean,
  depth: number,
  path: string,
): unknown[] {
  const {length} = list;
  // Before any room is made for it: a list may be long and hold nothing.
  if (length > room.nodes && length > 1000)
    throw new FormulaFailure(`the result has a list of ${length} at ${pathText(path)}; return less`);
  const result = new Array<unknown>(length);
  for (let i = 0; i < length; i++) {
    if (careful) refuseAccessor(list, String(i), path);
    result[i] = copyValue(list[i], room, careful, depth + 1, path) ?? null;
  }
  return result;
}

function copyObject(
  object: Record<string, unknown>,
  room: CopyBudget,
  careful: boolean,
  depth: number,
  path: string,
): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw notPlainFailure(path, kindOf(object));
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    if (careful) refuseAccessor(object, key, path);
    const field = object[key];
    if (field === undefined) continue;
    takeText(key, room);
    const own = copyValue(field, room, careful, depth + 1, path === '' ? key : `${path}.${key}`);
    if (key === '__proto__') {
      Object.defineProperty(result, key, {value: own, enumerable: true, writable: true, configurable: true});
    } else result[key] = own;
  }
  return result;
}

function refuseAccessor(holder: object, key: string, path: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
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
    `${where} is ${what}, which JSON cannot hold; return texts, numbers, lists and plain objects`,
  );
}
