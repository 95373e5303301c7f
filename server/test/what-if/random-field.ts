// A random field of a random object, and other values for it.
import {listLeaves, type Path, writePath} from '@krtscope/shared/path.ts';
import type {Objects} from '../truth/expected-rows.ts';
import type {TruthRandom} from '../truth/seeded-random.ts';

export interface RandomField {
  readonly collection: string;
  readonly key: string;
  readonly path: Path;
  readonly text: string;
  /** Values that the field does not have. Undefined removes it. */
  readonly values: readonly unknown[];
}

/** An edit cannot change these: they are what the object is. */
const IDENTITY =
  /^(?:apiVersion|kind)$|^metadata\.(?:name|namespace|uid|resourceVersion|creationTimestamp|generation)$/;
const WORDS = [
  'web',
  'cart',
  'catalog',
  'payments',
  'redis',
  'shop',
  'data',
  'node-1',
  'True',
  'False',
  'other',
];
const MAX_VALUES = 10;

export function randomField(objects: Objects, random: TruthRandom): RandomField {
  for (;;) {
    const collection = random.of([...objects.keys()]);
    const items = [...(objects.get(collection) ?? [])];
    if (items.length === 0) continue;
    const [key, object] = random.of(items);
    const leaves = listLeaves(object).filter(({path}) => !IDENTITY.test(writePath(path)));
    const added = random.below(8) === 0;
    const path = added ? ['metadata', 'labels', random.of(['app', 'team'])] : random.of(leaves)?.path;
    if (path === undefined) continue;
    const own = valueAt(object, path);
    const values = otherValues(own, path, items, random);
    if (values.length > 0) return {collection, key, path, text: writePath(path), values};
  }
}

/** The object with another value at a path. */
export function withField(object: object, [name, ...rest]: Path, value: unknown): object {
  if (name === undefined) return value as object;
  const copy = (Array.isArray(object) ? [...object] : {...object}) as Record<string | number, unknown>;
  if (rest.length > 0) copy[name] = withField((copy[name] ?? {}) as object, rest, value);
  else if (value !== undefined) copy[name] = value;
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}

export function valueAt(object: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Record<string | number, unknown> | undefined)?.[name],
    object,
  );
}

/** Values of the same field in other objects first: they are the ones that match something. */
function otherValues(
  own: unknown,
  path: Path,
  items: readonly (readonly [string, object])[],
  random: TruthRandom,
): unknown[] {
  const found = new Map<string, unknown>();
  const add = (value: unknown) => found.set(JSON.stringify(value) ?? '', value);
  for (const [, object] of random.some(items, 20)) add(valueAt(object, path));
  if (own === undefined || typeof own === 'string') for (const word of WORDS) add(word);
  if (typeof own === 'number') for (const value of [own + 1, 0, 80]) add(value);
  if (typeof own === 'boolean') add(!own);
  add(undefined);
  found.delete(JSON.stringify(own) ?? '');
  return [...found.values()].filter(value => value === undefined || isAlike(value, own)).slice(0, MAX_VALUES);
}

function isAlike(value: unknown, own: unknown): boolean {
  return own === undefined || (typeof value === typeof own && Array.isArray(value) === Array.isArray(own));
}
