// Other values for a field of an object: none, those of other objects, and one that no object has.
import {parsePath, readPath} from '@krtscope/shared/path.ts';
import type {Records} from '../records.ts';

const MAX_OBJECTS = 100;
const UNSEEN = 'krtscope-other';
/** An edit cannot change what an object is. */
const IDENTITY = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata.uid']);

/** The object with each of at most `count` other values at a path; empty for a whole object, a list, and what an edit cannot change. */
export function objectsWithOtherValues(
  records: Records,
  {collection, key, path, at}: {collection: string; key: string; path: string; at?: number | undefined},
  count: number,
): unknown[] {
  if (IDENTITY.has(path)) return [];
  const object = records.value(collection, key, at);
  const segments = parsePath(path);
  const own = readPath(object, segments);
  if (typeof own === 'object' && own !== null) return [];
  const values = new Map<string, unknown>([['', undefined]]);
  const add = (value: unknown) => values.set(JSON.stringify(value), value);
  for (const value of unseenValues(own)) add(value);
  let looked = 0;
  for (const other of records.keys(collection, at)) {
    looked += 1;
    if (values.size > count || looked > MAX_OBJECTS) break;
    const value = readPath(records.value(collection, other, at), segments);
    if (value !== undefined && (own === undefined || typeof value === typeof own)) add(value);
  }
  values.delete(own === undefined ? '' : JSON.stringify(own));
  return [...values.values()].slice(0, count).map(value => withValue(object, segments, value));
}

function unseenValues(own: unknown): unknown[] {
  if (own === undefined || typeof own === 'string') return [UNSEEN];
  if (typeof own === 'number') return [own + 1];
  return typeof own === 'boolean' ? [!own] : [];
}

/** A copy with another value. A name on a list means that name in each element. */
function withValue(at: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(at)) {
    if (!/^\d+$/.test(name)) return at.map(element => withValue(element, [name, ...rest], value));
    const list = [...at];
    if (rest.length > 0) list[Number(name)] = withValue(at[Number(name)], rest, value);
    else if (value === undefined) list.splice(Number(name), 1);
    else list[Number(name)] = value;
    return list;
  }
  const copy = {...(at as Record<string, unknown> | undefined)};
  if (rest.length > 0) copy[name] = withValue(copy[name] ?? {}, rest, value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}
