// Compares and merges values by their schema, for server-side apply. Finds the paths of a value and the
// differences of two values, lays one value over another, and removes owned paths.
import {deepCopy, setField} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import {FieldSet} from './field-set.ts';

interface TypedComparison {
  added: FieldSet;
  modified: FieldSet;
  removed: FieldSet;
}

type MergeShape = 'leaf' | 'map' | 'keyed' | 'set';

function shapeOf(value: unknown, schema: FieldSchema | undefined): MergeShape {
  if (isObject(value) && !JSON.isRawJSON(value)) {
    if (schema?.atomic || schema?.type === 'scalar') return 'leaf';
    return 'map';
  }
  if (Array.isArray(value)) {
    if (schema?.listType === 'map') return 'keyed';
    if (schema?.listType === 'set') return 'set';
  }
  return 'leaf';
}

/** The path element of an item in a keyed list or a set. */
function elementOf(item: unknown, schema: FieldSchema | undefined): string {
  if (schema?.listType !== 'map') return `v:${JSON.stringify(item)}`;
  const keys: JsonObject = {};
  for (const key of [...schema.listKeys].sort()) {
    const value = isObject(item) ? item[key] : undefined;
    const filled = value ?? schema.items?.field(key)?.default;
    if (filled !== undefined) keys[key] = filled;
  }
  return `k:${JSON.stringify(keys)}`;
}

/** All paths of a configuration. */
export function fieldSetOf(value: unknown, schema: FieldSchema | undefined): FieldSet {
  const set = new FieldSet();
  collect(value, schema, set);
  set.member = false;
  return set;
}

function collect(value: unknown, schema: FieldSchema | undefined, set: FieldSet): void {
  switch (shapeOf(value, schema)) {
    case 'leaf':
      set.member = true;
      return;
    case 'map':
      for (const [field, item] of Object.entries(value as JsonObject)) {
        if (item === undefined) continue;
        const child = set.descend(`f:${field}`);
        collect(item, schema?.child(field), child);
        const isEmptyMap = isObject(item) && Object.keys(item).length === 0;
        if (item === null || isEmptyMap || (schema && !schema.field(field))) child.member = true;
      }
      return;
    default:
      for (const item of value as unknown[]) {
        const child = set.descend(elementOf(item, schema));
        collect(item, schema?.items, child);
        child.member = true;
      }
  }
}

export function compareTyped(old: unknown, now: unknown, schema: FieldSchema | undefined): TypedComparison {
  const out = {added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet()};
  compareAt(old, now, schema, [], out);
  return out;
}

function compareAt(
  old: unknown,
  now: unknown,
  schema: FieldSchema | undefined,
  path: string[],
  out: TypedComparison,
): void {
  if (old === now && old !== undefined) return;
  const shape = shapeOf(now ?? old, schema);
  const other = shapeOf(old ?? now, schema);
  if (shape === 'leaf' || shape !== other || (isEmpty(old) && isEmpty(now))) {
    if (path.length === 0) return;
    if (old === undefined || (old === null && now !== null && now !== undefined)) out.added.insert(path);
    else if (now === undefined) out.removed.insert(path);
    else if (!deepEqual(old, now)) out.modified.insert(path);
    return;
  }
  if (shape === 'map')
    compareMaps(old as JsonObject | undefined, now as JsonObject | undefined, schema, path, out);
  else compareLists(old as unknown[] | undefined, now as unknown[] | undefined, schema, path, out);
  if (path.length === 0) return;
  // Go always prints a required slice, so it was null before and is not an addition.
  if (old === undefined) out.added.insert(path);
  else if (now === undefined) out.removed.insert(path);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function compareMaps(
  old: JsonObject | undefined,
  now: JsonObject | undefined,
  schema: FieldSchema | undefined,
  path: string[],
  out: TypedComparison,
): void {
  for (const field of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
    const [left, right] = [own(old, field), own(now, field)];
    if (left === undefined && right === undefined) continue;
    compareAt(left, right, schema?.child(field), [...path, `f:${field}`], out);
  }
}

function own(value: JsonObject | undefined, field: string): unknown {
  return value && Object.hasOwn(value, field) ? value[field] : undefined;
}

function compareLists(
  old: unknown[] | undefined,
  now: unknown[] | undefined,
  schema: FieldSchema | undefined,
  path: string[],
  out: TypedComparison,
): void {
  const [left, right] = [byElement(old, schema), byElement(now, schema)];
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    compareAt(left.get(element), right.get(element), schema?.items, [...path, element], out);
  }
}

function byElement(list: unknown[] | undefined, schema: FieldSchema | undefined): Map<string, unknown> {
  return new Map((list ?? []).map(item => [elementOf(item, schema), item]));
}

/** Lays a configuration over a live value: stated fields win, others stay. */
export function mergeTyped(live: unknown, config: unknown, schema: FieldSchema | undefined): unknown {
  if (config === undefined) return live;
  const shape = shapeOf(config, schema);
  if (shape === 'leaf' || live === undefined || live === null || shapeOf(live, schema) !== shape)
    return deepCopy(config);
  if (shape === 'map') {
    const out: JsonObject = {...(live as JsonObject)};
    for (const [field, value] of Object.entries(config as JsonObject)) {
      setField(out, field, mergeTyped(own(live as JsonObject, field), value, schema?.child(field)));
    }
    return out;
  }
  const wanted = byElement(config as unknown[], schema);
  const out = (live as unknown[]).map(item => {
    const element = elementOf(item, schema);
    const over = wanted.get(element);
    wanted.delete(element);
    return over === undefined ? item : mergeTyped(item, over, schema?.items);
  });
  for (const item of wanted.values()) out.push(deepCopy(item));
  return out;
}

/**
 * Removes fields that had an owner and have none now. A path stays while anything below it has an owner. A
 * removed item takes its unowned defaults with it.
 */
export function removeOwned(
  value: unknown,
  before: FieldSet,
  now: FieldSet | undefined,
  schema: FieldSchema | undefined,
): unknown {
  const shape = shapeOf(value, schema);
  if (shape === 'leaf') return value;
  if (shape === 'map') {
    const out: JsonObject = {};
    for (const [field, item] of Object.entries(value as JsonObject)) {
      const remaining = keepItem(item, `f:${field}`, before, now, schema?.child(field));
      if (remaining !== undefined) setField(out, field, remaining);
    }
    return out;
  }
  return (value as unknown[])
    .map(item => keepItem(item, elementOf(item, schema), before, now, schema?.items))
    .filter(item => item !== undefined);
}

function keepItem(
  item: unknown,
  element: string,
  before: FieldSet,
  now: FieldSet | undefined,
  schema: FieldSchema | undefined,
): unknown {
  const was = before.children.get(element);
  if (!was) return item;
  const is = now?.children.get(element);
  const owned = was.member || element.startsWith('f:');
  if (owned && (!is || is.empty)) return undefined;
  return removeOwned(item, was, is, schema);
}
