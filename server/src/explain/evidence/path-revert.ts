// Reverts one path of a value, so that a repeat shows whether that path made the difference.
import {parsePath} from '@krtscope/shared/path.ts';
import type {PathChange} from '@krtscope/shared/why.ts';

/** A copy of `now` with the old value at one path. Unchanged parts are shared. */
export function revertPath(now: unknown, change: PathChange): unknown {
  return putOld(now, parsePath(change.path), change);
}

function putOld(at: unknown, path: readonly string[], change: PathChange): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change.old;
  if (Array.isArray(at) && /^\d+$/.test(name)) return putOldInList(at, Number(name), rest, change);
  const own = (typeof at === 'object' && at !== null ? at : {}) as Record<string, unknown>;
  if (rest.length === 0 && change.old === undefined) {
    const {[name]: _gone, ...others} = own;
    return others;
  }
  return {...own, [name]: putOld(own[name], rest, change)};
}

function putOldInList(
  list: readonly unknown[],
  at: number,
  rest: readonly string[],
  change: PathChange,
): unknown {
  if (rest.length > 0) return list.with(Math.min(at, list.length - 1), putOld(list[at], rest, change));
  // Remove an added element, and put a removed one back.
  if (change.old === undefined) return list.toSpliced(at, 1);
  if (change.new === undefined) return list.toSpliced(at, 0, change.old);
  return list.with(at, change.old);
}
