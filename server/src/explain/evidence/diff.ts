// Finds what differs between two versions of a value, path by path.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {type Path, writePath} from '@krtscope/shared/path.ts';
import type {PathChange} from '@krtscope/shared/why.ts';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

type ObjectOrMissing = Record<string, unknown> | undefined;

/** A map of plain values, small enough to list entry by entry. */
function isFlat(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const inner = Object.values(value);
  return inner.length > 0 && inner.length <= 12 && inner.every(isScalar);
}

/** Fields that the API server changes with every write. */
function isNoise(path: Path): boolean {
  if (path[0] !== 'metadata') return false;
  const name = path[1];
  return name === 'resourceVersion' || name === 'managedFields' || name === 'generation' || name === 'uid';
}

function collectChanges(
  old: unknown,
  now: unknown,
  path: (string | number)[],
  found: PathChange[],
  limit: number,
): void {
  if (found.length >= limit || deepEqual(old, now) || isNoise(path)) return;
  const whole = (): void => {
    const change: PathChange = {path: writePath(path)};
    if (old !== undefined) change.old = old;
    if (now !== undefined) change.new = now;
    found.push(change);
  };
  if (isRecord(old) && isRecord(now)) {
    // Sorted: an object from a recording may have its fields in another order.
    for (const name of Object.keys({...old, ...now}).sort())
      collectChanges(old[name], now[name], [...path, name], found, limit);
    return;
  }
  // List an added or removed map entry by entry: the label, not the labels.
  if (path.length > 0 && (isFlat(old) ? now === undefined : old === undefined && isFlat(now))) {
    const names = Object.keys((old ?? now) as object).sort();
    for (const name of names)
      collectChanges(
        (old as ObjectOrMissing)?.[name],
        (now as ObjectOrMissing)?.[name],
        [...path, name],
        found,
        limit,
      );
    return;
  }
  // Show a list of plain values whole, and a list of objects element by element.
  if (Array.isArray(old) && Array.isArray(now) && !(old.every(isScalar) && now.every(isScalar))) {
    collectListChanges(old, now, path, found, limit);
    return;
  }
  whole();
}

/** Fields that identify the elements of Kubernetes lists: conditions, containers, ports, owners, endpoints. */
const identifyingFields = [
  'type',
  'name',
  'uid',
  'key',
  'addresses',
  'ip',
  'port',
  'containerPort',
  'mountPath',
];

/** Undefined where elements have no such field, or two share a value. */
function elementIdIn(
  old: readonly unknown[],
  now: readonly unknown[],
): ((element: unknown) => string) | undefined {
  for (const name of identifyingFields) {
    const of = (element: unknown): string | undefined => {
      const own = isRecord(element) ? element[name] : undefined;
      if (own === undefined || own === null) return undefined;
      return isScalar(own) || Array.isArray(own) ? JSON.stringify(own) : undefined;
    };
    const unique = (list: readonly unknown[]): boolean => {
      const found = new Set(list.map(of));
      return !found.has(undefined) && found.size === list.length;
    };
    if (unique(old) && unique(now)) return element => of(element) as string;
  }
  return undefined;
}

/** Compares elements by their identifying field: a new first element would shift all others. */
function collectListChanges(
  old: readonly unknown[],
  now: readonly unknown[],
  path: (string | number)[],
  found: PathChange[],
  limit: number,
): void {
  const nameOf = elementIdIn(old, now);
  const length = Math.max(old.length, now.length);
  if (nameOf === undefined) {
    for (let i = 0; i < length; i++) collectElementChanges(old[i], now[i], [...path, i], found, limit);
    return;
  }
  const places = new Map(old.map((element, i) => [nameOf(element), i]));
  const came = new Map<number, unknown>();
  now.forEach((element, i) => {
    const place = places.get(nameOf(element));
    if (place === undefined) came.set(i, element);
    else collectChanges(old[place], element, [...path, i], found, limit);
    places.delete(nameOf(element));
  });
  const went = new Set(places.values());
  for (let i = 0; i < length; i++)
    if (came.has(i) || went.has(i))
      collectElementChanges(went.has(i) ? old[i] : undefined, came.get(i), [...path, i], found, limit);
}

/** Shows an added or removed element whole. */
function collectElementChanges(
  old: unknown,
  now: unknown,
  path: (string | number)[],
  found: PathChange[],
  limit: number,
): void {
  if (found.length >= limit) return;
  if (old !== undefined && now !== undefined) collectChanges(old, now, path, found, limit);
  else if (old !== undefined) found.push({path: writePath(path), old});
  else if (now !== undefined) found.push({path: writePath(path), new: now});
}

/** Paths that differ, without the fields that every write changes. Empty for an added or removed value. */
export function changedPaths(old: unknown, now: unknown, limit = 200): PathChange[] {
  if (old === undefined || now === undefined) return [];
  const found: PathChange[] = [];
  collectChanges(old, now, [], found, limit);
  return found;
}
