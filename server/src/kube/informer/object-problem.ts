// Finds objects that krtscope cannot handle: nested too deep, too large, or without the shape that every object has.
import {isRecord, type KubeObject} from '../object.ts';

/** Far more than any real object needs, and far less than recursion over it may take. */
const MAX_DEPTH = 500;
/** etcd takes 1.5 MB by default. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_VALUES = 1_000_000;

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

/** Why an object has not the shape of every object, in words for users; undefined if it has. */
export function shapeProblem(object: unknown): string | undefined {
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

/** The weight of one value, in characters. */
const VALUE_WEIGHT = 16;
/** An object of this weight is within both limits. */
const MAX_WEIGHT = Math.min(MAX_CHARACTERS, MAX_VALUES * VALUE_WEIGHT);

/** Measures objects. Parts that an object shares with its last version were measured with that. */
export class ObjectMeasure {
  #characters = 0;
  #values = 0;
  /** The weight of the last object, or a little more. */
  weight = 0;

  /** Why the object is too large or too deep, in words for users; undefined if it is neither. */
  problemOf(object: KubeObject, last?: {object: KubeObject; weight?: number}): string | undefined {
    if (last?.weight) {
      const isWithin = this.#count(object, last.object);
      this.weight = last.weight + this.#characters + this.#values * VALUE_WEIGHT;
      if (isWithin && this.weight <= MAX_WEIGHT) return undefined;
    }
    const tooDeep = !this.#count(object, undefined);
    this.weight = this.#characters + this.#values * VALUE_WEIGHT;
    if (this.#characters > MAX_CHARACTERS) return `larger than ${MAX_CHARACTERS / 1024 / 1024} MB, the limit`;
    if (this.#values > MAX_VALUES) return `more than ${MAX_VALUES.toLocaleString('en')} values, the limit`;
    if (!tooDeep) return undefined;
    return `nested ${depthOf(object).toLocaleString('en')} levels deep, the limit is ${MAX_DEPTH}`;
  }

  #count(object: KubeObject, last: KubeObject | undefined): boolean {
    this.#characters = 0;
    this.#values = 0;
    return this.#countWithin(object, last, MAX_DEPTH);
  }

  /** Stops and returns false below so many levels. Recursion is faster than a list of open nodes. */
  #countWithin(node: object, last: unknown, levels: number): boolean {
    if (levels === 0) return false;
    let isWithin = true;
    const before = typeof last === 'object' && last !== null ? (last as Record<string, unknown>) : undefined;
    // A for-in loop over objects of many shapes takes four times as long.
    for (const name of Object.keys(node)) {
      const value = (node as Record<string, unknown>)[name];
      this.#values += 1;
      this.#characters += name.length;
      if (typeof value === 'string') this.#characters += value.length;
      else if (typeof value === 'object' && value !== null) {
        const part = before?.[name];
        if (part !== value && !this.#countWithin(value, part, levels - 1)) isWithin = false;
      }
    }
    return isWithin;
  }
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
