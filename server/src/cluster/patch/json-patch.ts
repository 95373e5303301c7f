// JSON Patch (RFC 6902), with the error texts of the real server's library.
import {deepCopy, setField} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';

/** The patch is not a list of operations: 400. */
export class PatchFormatError extends Error {}
/** An operation does not fit this object: 422. */
export class PatchApplyError extends Error {}

interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

export function jsonPatch(target: unknown, patch: unknown): unknown {
  let document = deepCopy(target);
  for (const operation of operations(patch)) document = applyOperation(document, operation);
  return document;
}

function operations(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) {
    const word = isObject(patch) ? 'object' : typeof patch;
    throw new PatchFormatError(`json: cannot unmarshal ${word} into Go value of type []handlers.jsonPatchOp`);
  }
  return patch.map(item => {
    if (!isObject(item))
      throw new PatchFormatError('json: cannot unmarshal into Go value of type jsonpatch.Operation');
    return item as unknown as Operation;
  });
}

function applyOperation(document: unknown, operation: Operation): unknown {
  const {op, path} = operation;
  if (typeof path !== 'string') throw new PatchApplyError('missing path');
  switch (op) {
    case 'add':
      return put(document, path, deepCopy(value(operation)), 'add');
    case 'replace':
      return put(document, path, deepCopy(value(operation)), 'replace');
    case 'remove':
      return take(document, path, 'remove').document;
    case 'test': {
      const found = find(document, path);
      const wanted = operation.value ?? null;
      if (!deepEqual(found ?? null, wanted))
        throw new PatchApplyError(`testing value ${path} failed: test failed`);
      return document;
    }
    case 'copy':
      return put(document, path, deepCopy(existing(document, operation)), 'copy');
    case 'move': {
      const moved = take(document, operation.from ?? '', 'move');
      return put(moved.document, path, moved.value, 'move');
    }
    default:
      throw new PatchApplyError(`Unexpected kind: ${String(op)}`);
  }
}

function value(operation: Operation): unknown {
  if (operation.value === undefined)
    throw new PatchApplyError(`${operation.op} operation does not apply: no value provided`);
  return operation.value;
}

function existing(document: unknown, operation: Operation): unknown {
  const found = find(document, operation.from ?? '');
  if (found === undefined)
    throw new PatchApplyError(
      `copy operation does not apply: doc is missing from path: ${operation.from}: missing value`,
    );
  return found;
}

function steps(path: string): string[] {
  if (path === '') return [];
  return path
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function find(document: unknown, path: string): unknown {
  let here: unknown = document;
  for (const step of steps(path)) {
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isObject(here)) here = Object.hasOwn(here, step) ? here[step] : undefined;
    else return undefined;
  }
  return here;
}

function parentOf(
  document: unknown,
  path: string,
  op: string,
): {parent: JsonObject | unknown[]; last: string} {
  const all = steps(path);
  const last = all.pop() ?? '';
  const parent = find(document, all.length === 0 ? '' : path.slice(0, path.lastIndexOf('/')));
  if (!isObject(parent) && !Array.isArray(parent)) {
    throw new PatchApplyError(
      `${op} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`,
    );
  }
  return {parent, last};
}

function put(document: unknown, path: string, item: unknown, op: string): unknown {
  if (path === '') return item;
  const {parent, last} = parentOf(document, path, op);
  if (Array.isArray(parent)) {
    if (op === 'replace') parent[index(last, parent.length - 1, path, op)] = item;
    else parent.splice(last === '-' ? parent.length : index(last, parent.length, path, op), 0, item);
    return document;
  }
  setField(parent, last, item);
  return document;
}

function take(document: unknown, path: string, op: string): {document: unknown; value: unknown} {
  const {parent, last} = parentOf(document, path, op);
  if (Array.isArray(parent)) {
    const [taken] = parent.splice(index(last, parent.length - 1, path, op), 1);
    return {document, value: taken};
  }
  if (!Object.hasOwn(parent, last)) {
    throw new PatchApplyError(`${op} operation does not apply: doc is missing key: ${path}: missing value`);
  }
  const taken = parent[last];
  delete parent[last];
  return {document, value: taken};
}

function index(step: string, most: number, path: string, op: string): number {
  const at = Number(step);
  if (!/^-?\d+$/.test(step) || at > most || at < 0) {
    throw new PatchApplyError(`${op} operation does not apply: doc is missing key: ${path}: missing value`);
  }
  return at;
}
