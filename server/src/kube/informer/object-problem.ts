// Finds objects that krtscope cannot handle: nested too deep, too large, or without the shape that every object has.
import {isRecord} from '../object.ts';

/** Far more than any real object needs, and far less than recursion over it may take. */
const MAX_DEPTH = 500;
/** etcd takes 1.5 MB by default. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_VALUES = 1_000_000;

/** Why an object cannot be used, in words for users; undefined if it can. */
export function objectProblem(object: unknown): string | undefined {
  return shapeProblem(object) ?? sizeProblem(object as object);
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
    for (const [name, value] of Object.entries(map))
      if (typeof value !== 'string')
        return `metadata.${field}["${name.slice(0, 63)}"] is ${describe(value)}, not a string`;
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

/** Walks level by level instead of recursively, so that no depth overflows the stack. */
function sizeProblem(object: object): string | undefined {
  let level: object[] = [object];
  let depth = 0;
  let characters = 0;
  let values = 0;
  let tooDeep = false;
  while (level.length > 0) {
    depth += 1;
    tooDeep ||= depth > MAX_DEPTH;
    const next: object[] = [];
    for (const node of level) {
      for (const name in node) {
        const value = (node as Record<string, unknown>)[name];
        values += 1;
        characters += name.length;
        if (typeof value === 'string') characters += value.length;
        else if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    if (characters > MAX_CHARACTERS) return `larger than ${MAX_CHARACTERS / 1024 / 1024} MB, the limit`;
    if (values > MAX_VALUES) return `more than ${MAX_VALUES.toLocaleString('en')} values, the limit`;
    level = next;
  }
  return tooDeep ? `nested ${depth.toLocaleString('en')} levels deep, the limit is ${MAX_DEPTH}` : undefined;
}
