// What differs between two versions of a value, path by path. Leaves words about it to sentence.ts.
import {type Path, writePath} from '@krtscope/shared/path.ts';
import type {PathChange} from '@krtscope/shared/why.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

type Plain = Record<string, unknown> | undefined;

/** A map of plain values, small enough to be told entry by entry. */
function isFlat(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const inner = Object.values(value);
  return inner.length > 0 && inner.length <= 12 && inner.every(isScalar);
}

/** Structural equality; a property that is undefined equals a missing one. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => same(v, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const name in a) if (!same(a[name], b[name])) return false;
  for (const name in b) if (a[name] === undefined && b[name] !== undefined) return false;
  return true;
}

/** Bookkeeping of the API server: it changes with every write and explains none. */
export function isNoise(path: Path): boolean {
  if (path[0] !== 'metadata') return false;
  const name = path[1];
  return name === 'resourceVersion' || name === 'managedFields' || name === 'generation' || name === 'uid';
}

function walk(
  old: unknown,
  now: unknown,
  path: (string | number)[],
  found: PathChange[],
  limit: number,
): void {
  if (found.length >= limit || same(old, now) || isNoise(path)) return;
  const whole = (): void => {
    const change: PathChange = {path: writePath(path)};
    if (old !== undefined) change.old = old;
    if (now !== undefined) change.new = now;
    found.push(change);
  };
  if (isRecord(old) && isRecord(now)) {
    for (const name in old) walk(old[name], now[name], [...path, name], found, limit);
    for (const name in now) if (!(name in old)) walk(undefined, now[name], [...path, name], found, limit);
    return;
  }
  // A map that came or went reads best entry by entry: the label, not the labels.
  if (path.length > 0 && (isFlat(old) ? now === undefined : old === undefined && isFlat(now))) {
    const names = Object.keys((old ?? now) as object);
    for (const name of names)
      walk((old as Plain)?.[name], (now as Plain)?.[name], [...path, name], found, limit);
    return;
  }
  // A list of plain values reads best whole; one of objects by position.
  if (Array.isArray(old) && Array.isArray(now) && !(old.every(isScalar) && now.every(isScalar))) {
    const length = Math.max(old.length, now.length);
    for (let i = 0; i < length; i++) walk(old[i], now[i], [...path, i], found, limit);
    return;
  }
  whole();
}

/** Paths that differ, without the API server's bookkeeping. Nothing for a value that came or went as a whole. */
export function changedPaths(old: unknown, now: unknown, limit = 200): PathChange[] {
  if (old === undefined || now === undefined) return [];
  const found: PathChange[] = [];
  walk(old, now, [], found, limit);
  return found;
}
