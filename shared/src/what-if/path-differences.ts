// The paths at which two values differ, as a person reads a difference.
import {deepEqual} from '../json/deep-equal.ts';
import {type Path, writePath} from '../path.ts';

export interface PathDifference {
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

type ComparedObject = Readonly<Record<string, unknown>>;

/** Lists of another length are one difference: their elements have moved. */
export function pathDifferences(old: unknown, now: unknown): PathDifference[] {
  const found: PathDifference[] = [];
  collect(old, now, [], found);
  return found;
}

function collect(old: unknown, now: unknown, path: Path, found: PathDifference[]): void {
  if (deepEqual(old, now)) return;
  if (isObject(old) && isObject(now)) {
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
      collect(old[name], now[name], [...path, name], found);
    return;
  }
  if (Array.isArray(old) && Array.isArray(now) && old.length === now.length && old.some(isObject)) {
    for (const [at, value] of old.entries()) collect(value, now[at], [...path, at], found);
    return;
  }
  found.push({
    path: writePath(path),
    ...(old === undefined ? {} : {old}),
    ...(now === undefined ? {} : {new: now}),
  });
}

function isObject(value: unknown): value is ComparedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
