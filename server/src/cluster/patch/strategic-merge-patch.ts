// Strategic merge patch: a merge patch with keyed lists from the schema, and with $ directives.
import {deepCopy, setField} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';
import type {FieldSchema} from '../schema/field-schema.ts';

export class StrategicPatchError extends Error {}

const DIRECTIVE = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/';

export function strategicMerge(target: unknown, patch: unknown, schema: FieldSchema | undefined): unknown {
  if (!isObject(patch)) return deepCopy(patch);
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw new StrategicPatchError(`Unknown patch type found: ${String(directive)}`);
  }
  const out: JsonObject = isObject(target) ? {...target} : {};
  retain(out, patch);
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith('$')) continue;
    if (value === null) delete out[field];
    else setField(out, field, mergeField(out[field], value, schema?.child(field)));
  }
  deletePrimitives(out, patch);
  reorder(out, patch, schema);
  return out;
}

function mergeField(current: unknown, value: unknown, schema: FieldSchema | undefined): unknown {
  const strategy = schema?.patchStrategy ?? [];
  if (isObject(value) && !JSON.isRawJSON(value)) {
    if (strategy.includes('replace')) return withoutDirectives(value);
    return strategicMerge(current, value, schema);
  }
  if (!Array.isArray(value)) return deepCopy(value);
  if (!strategy.includes('merge'))
    return value.map(item => (isObject(item) ? withoutDirectives(item) : item));
  return mergeList(Array.isArray(current) ? current : [], value, schema);
}

function mergeList(current: unknown[], patch: unknown[], schema: FieldSchema | undefined): unknown[] {
  const key = schema?.patchMergeKey ?? '';
  if (!patch.some(isObject) && !current.some(isObject)) {
    return [...current, ...patch.filter(item => !current.some(other => deepEqual(other, item)))];
  }
  if (patch.some(item => isObject(item) && item[DIRECTIVE] === 'replace')) {
    return patch
      .filter(item => !(isObject(item) && item[DIRECTIVE] === 'replace' && Object.keys(item).length === 1))
      .map(deepCopy);
  }
  const rest = [...current];
  const merged: unknown[] = [];
  for (const item of patch) {
    if (!isObject(item)) throw new StrategicPatchError('list of maps holds something that is no map');
    const id = item[key];
    if (id === undefined)
      throw new StrategicPatchError(`map: ${goMap(item)} does not contain declared merge key: ${key}`);
    const at = rest.findIndex(other => isObject(other) && deepEqual(other[key], id));
    const found = at < 0 ? {} : rest.splice(at, 1)[0];
    if (item[DIRECTIVE] !== 'delete') merged.push(strategicMerge(found, item, schema?.items));
  }
  return interleave(merged, rest, current, key);
}

/** The patch's items come first, unless the server's own order differs. */
function interleave(patched: unknown[], rest: unknown[], order: unknown[], key: string): unknown[] {
  const rank = (item: unknown) =>
    order.findIndex(o => isObject(o) && isObject(item) && deepEqual(o[key], item[key]));
  const out: unknown[] = [];
  let [i, j] = [0, 0];
  while (i < patched.length && j < rest.length) {
    const [left, right] = [rank(patched[i]), rank(rest[j])];
    if (left < 0 || left < right) out.push(patched[i++]);
    else out.push(rest[j++]);
  }
  return [...out, ...patched.slice(i), ...rest.slice(j)];
}

function goMap(value: JsonObject): string {
  const fields = Object.keys(value).sort();
  return `map[${fields.map(f => `${f}:${isObject(value[f]) ? goMap(value[f]) : String(value[f])}`).join(' ')}]`;
}

function retain(out: JsonObject, patch: JsonObject): void {
  const keep = patch[RETAIN];
  if (!Array.isArray(keep)) return;
  for (const field of Object.keys(out)) if (!keep.includes(field)) delete out[field];
}

function deletePrimitives(out: JsonObject, patch: JsonObject): void {
  for (const [directive, values] of Object.entries(patch)) {
    if (!directive.startsWith(DELETE_PRIMITIVES) || !Array.isArray(values)) continue;
    const field = directive.slice(DELETE_PRIMITIVES.length);
    const list = out[field];
    if (Array.isArray(list)) out[field] = list.filter(item => !values.some(gone => deepEqual(gone, item)));
  }
}

/** Orders the items that the client named. Other items keep their places. */
function reorder(out: JsonObject, patch: JsonObject, schema: FieldSchema | undefined): void {
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(ORDER) || !Array.isArray(order)) continue;
    const field = directive.slice(ORDER.length);
    const list = out[field];
    if (!Array.isArray(list)) continue;
    const key = schema?.child(field)?.patchMergeKey ?? '';
    const rank = (item: unknown) =>
      order.findIndex(o =>
        isObject(o) && isObject(item) ? deepEqual(o[key], item[key]) : deepEqual(o, item),
      );
    const ordered = list.filter(item => rank(item) >= 0).sort((a, b) => rank(a) - rank(b));
    let next = 0;
    out[field] = list.map(item => (rank(item) >= 0 ? ordered[next++] : item));
  }
}

function withoutDirectives(value: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [field, item] of Object.entries(value)) {
    if (field.startsWith('$')) continue;
    setField(out, field, isObject(item) && !JSON.isRawJSON(item) ? withoutDirectives(item) : deepCopy(item));
  }
  return out;
}
