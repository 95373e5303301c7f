// Takes one recorded write back from a later state of the object. Fields that were written again since keep their value.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {writePath} from '@krtscope/shared/path.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';

type UndoableObject = Readonly<Record<string, unknown>>;

export interface UndoneWrite {
  readonly object: unknown;
  /** Paths that the write changed and that another write has changed since. */
  readonly rewritten: string[];
}

/** Throws EngineFailure if the moment has no write of the object: taking nothing back would look like a result. */
export function refuseUnknownWrite(text: string, sequence: number, before: unknown, after: unknown): void {
  const hint = 'GET /api/v1/why has the sequence of each write';
  if (before === undefined && after === undefined)
    throw new EngineFailure({
      code: 'unknown-key',
      message: `${text} did not exist at #${sequence}`,
      hint,
    });
  if (deepEqual(before, after))
    throw new EngineFailure({
      code: 'invalid-edit',
      message: `#${sequence} has no write of ${text}, so there is nothing to take back`,
      hint,
    });
}

/** `before` and `after` are the states around the write. */
export function undoWrite(current: unknown, before: unknown, after: unknown): UndoneWrite {
  const rewritten: string[] = [];
  return {object: undoAt(current, before, after, [], rewritten), rewritten};
}

function undoAt(
  current: unknown,
  before: unknown,
  after: unknown,
  path: readonly (string | number)[],
  rewritten: string[],
): unknown {
  if (deepEqual(before, after)) return current;
  if (deepEqual(current, after)) return before;
  if (deepEqual(current, before)) return current;
  if (isObject(current) && isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(current), ...Object.keys(before), ...Object.keys(after)]);
    const result: Record<string, unknown> = {};
    for (const name of names) {
      const value = undoAt(current[name], before[name], after[name], [...path, name], rewritten);
      if (value !== undefined) result[name] = value;
    }
    return result;
  }
  if (areSameLength(current, before, after))
    return (current as unknown[]).map((value, at) =>
      undoAt(value, (before as unknown[])[at], (after as unknown[])[at], [...path, at], rewritten),
    );
  rewritten.push(writePath(path));
  return current;
}

function isObject(value: unknown): value is UndoableObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areSameLength(...lists: unknown[]): boolean {
  return lists.every(list => Array.isArray(list) && list.length === (lists[0] as unknown[]).length);
}
