// Finds objects that krtscope cannot handle: nested too deep, too large, or without the shape that every object has.
import {isRecord, type KubeObject} from '../object.ts';

/** Far more than any real object needs, and far less than recursion over it may take. */
const MAX_DEPTH = 500;
/** etcd takes 1.5 MB by default. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_VALUES = 1_000_000;

/** Why an object cannot be used, in words for users; undefined if it can. */
export function objectProblem(object: unknown): string | undefined {
  return shapeProblem(object) ?? sizeProblem(object as KubeObject);
}

/** The name that identifies a broken object, as far as it has one. */
export function nameOfBroken(object: unknown): {
  name: string;
  namespace?: string;
  resourceVersion?: string;
  uid?: string;
} {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {};
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  return {
    name: text(metadata.name) ?? '(no name)',
    namespace: text(metadata.namespace),
    resourceVersion: text(metadata.resourceVersion),
    uid: text(metadata.uid),
  };
}

function shapeProblem(object: unknown): string | undefined {
  if (!isRecord(object)) return `the object is ${describe(object)}`;
  const {metadata} = object;
  if (!isRecord(metadata)) return `metadata is ${describe(metadata)}`;
  if (typeof metadata.name !== 'string' || metadata.name === '')
    return `metadata.name is ${describe(metadata.name)}, not a string`;
  for (const field of ['namespace', 'uid', 'resourceVersion'])
    if (metadata[field] !== undefined && typeof metadata[field] !== 'string')
      return `metadata.${field} is ${describe(metadata[field])}, not a string`;
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    if (!isRecord(map)) return `metadata.${field} is ${describe(map)}, not a map`;
    for (const name in map)
      if (typeof map[name] !== 'string')
        return `metadata.${field}["${name.slice(0, 63)}"] is ${describe(map[name])}, not a string`;
  }
  for (const field of ['managedFields', 'ownerReferences', 'finalizers'])
    if (metadata[field] !== undefined && metadata[field] !== null && !Array.isArray(metadata[field]))
      return `metadata.${field} is ${describe(metadata[field])}, not a list`;
  return undefined;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** What a walk over an object has counted so far. */
interface ObjectSize {
  characters: number;
  values: number;
}

/** managedFields do not count: they are half of an object, and the informer drops them. */
function sizeProblem(object: KubeObject): string | undefined {
  const size: ObjectSize = {characters: 0, values: 0};
  const tooDeep = !countWithin(object, MAX_DEPTH, size, object.metadata.managedFields);
  if (size.characters > MAX_CHARACTERS) return `larger than ${MAX_CHARACTERS / 1024 / 1024} MB, the limit`;
  if (size.values > MAX_VALUES) return `more than ${MAX_VALUES.toLocaleString('en')} values, the limit`;
  if (!tooDeep) return undefined;
  return `nested ${depthOf(object).toLocaleString('en')} levels deep, the limit is ${MAX_DEPTH}`;
}

/** Stops and returns false below so many levels. Recursion is faster than a list of open nodes. */
function countWithin(node: object, levels: number, size: ObjectSize, without?: unknown): boolean {
  if (levels === 0) return false;
  let isWithin = true;
  // A for-in loop over objects of many shapes takes four times as long.
  for (const name of Object.keys(node)) {
    const value = (node as Record<string, unknown>)[name];
    size.values += 1;
    size.characters += name.length;
    if (typeof value === 'string') size.characters += value.length;
    else if (typeof value !== 'object' || value === null || value === without) continue;
    else if (!countWithin(value, levels - 1, size, without)) isWithin = false;
  }
  return isWithin;
}

/** Walks level by level, so that no depth overflows the stack. */
function depthOf(object: object): number {
  let depth = 0;
  for (let level = [object]; level.length > 0; depth++)
    level = level.flatMap(node =>
      Object.values(node).filter(value => typeof value === 'object' && value !== null),
    );
  return depth;
}
