// One part of a value put back to what it was before: what a repeat needs to tell which path made the difference.
import {parsePath} from '@krtscope/shared/path.ts';
import type {PathChange} from '@krtscope/shared/why.ts';

/** A copy of `now` in which this one path is as it was; what did not change is shared. */
export function withOld(now: unknown, change: PathChange): unknown {
  return put(now, parsePath(change.path), change);
}

function put(at: unknown, path: readonly string[], change: PathChange): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change.old;
  if (Array.isArray(at) && /^\d+$/.test(name)) return putInList(at, Number(name), rest, change);
  const own = (typeof at === 'object' && at !== null ? at : {}) as Record<string, unknown>;
  if (rest.length === 0 && change.old === undefined) {
    const {[name]: _gone, ...others} = own;
    return others;
  }
  return {...own, [name]: put(own[name], rest, change)};
}

function putInList(
  list: readonly unknown[],
  at: number,
  rest: readonly string[],
  change: PathChange,
): unknown {
  if (rest.length > 0) return list.with(Math.min(at, list.length - 1), put(list[at], rest, change));
  // An element that came is taken out, one that went is put back in its place.
  if (change.old === undefined) return list.toSpliced(at, 1);
  if (change.new === undefined) return list.toSpliced(at, 0, change.old);
  return list.with(at, change.old);
}
