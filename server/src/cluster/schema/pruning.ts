// Custom resources: pruning and defaulting by their CRD's structural schema.

import {deepCopy, setField} from '@krtscope/shared/json/deep-copy.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';
import {DecodeError, decode} from './decode.ts';
import {dumpedDocument} from './dumped-schemas.ts';
import {FieldSchema} from './field-schema.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
let metaSchema: FieldSchema | undefined;

function objectMeta(): FieldSchema {
  if (!metaSchema) {
    if (!dumpedDocument('v1').components.schemas[OBJECT_META])
      throw new Error('the dumped schemas hold no ObjectMeta');
    metaSchema = new FieldSchema({$ref: `#/components/schemas/${OBJECT_META}`}, 'v1');
  }
  return metaSchema;
}

/**
 * A custom resource as the storage keeps it: metadata decoded, unknown fields dropped and reported, defaults
 * set.
 */
export function decodeCustom(
  resource: ServedResource,
  value: JsonObject,
): {value: JsonObject; unknown: string[]} {
  const unknown: string[] = [];
  const schema = resource.schema();
  const {metadata, ...rest} = value;
  const body = deepCopy(rest) as JsonObject;
  const meta = decodeMeta(metadata, unknown);
  if (schema) {
    if (!resource.custom?.preserveUnknownFields)
      prune(body, schema, '', unknown, ['apiVersion', 'kind', 'metadata']);
    applyDefaults(body, schema);
  }
  return {value: {...body, metadata: meta}, unknown};
}

function decodeMeta(metadata: unknown, unknown: string[]): JsonObject {
  if (metadata === undefined || metadata === null) return {};
  if (!isObject(metadata))
    throw new DecodeError(
      `json: cannot unmarshal ${Array.isArray(metadata) ? 'array' : typeof metadata} into Go struct field .metadata of type v1.ObjectMeta`,
    );
  const decoded = decode(metadata, objectMeta());
  unknown.push(...decoded.unknown.map(path => `metadata.${path}`));
  return decoded.value;
}

/** Drops fields that the schema does not have, unless the schema preserves them. */
function prune(
  value: unknown,
  schema: FieldSchema,
  path: string,
  unknown: string[],
  implied: string[] = [],
): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items)
      value.forEach((item, i) => {
        prune(item, items, `${path}[${i}]`, unknown);
      });
    return;
  }
  if (!isObject(value) || JSON.isRawJSON(value)) return;
  const own =
    schema.inner['x-kubernetes-embedded-resource'] === true ? ['apiVersion', 'kind', 'metadata'] : implied;
  for (const field of Object.keys(value).sort()) {
    const here = path === '' ? field : `${path}.${field}`;
    const child = schema.child(field);
    if (child) prune(value[field], child, here, unknown);
    else if (!own.includes(field) && !schema.preservesUnknown) {
      delete value[field];
      unknown.push(here);
    }
  }
}

/** Sets defaults, also in place of a null that the schema does not allow. */
export function applyDefaults(value: unknown, schema: FieldSchema): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items) for (const item of value) applyDefaults(item, items);
    return;
  }
  if (!isObject(value)) return;
  for (const field of schema.fieldNames()) {
    const child = schema.field(field)!;
    const nullable = child.inner.nullable === true;
    if (value[field] === null && !nullable && child.default !== undefined) delete value[field];
    if (value[field] === undefined && child.default !== undefined)
      setField(value, field, deepCopy(child.default));
    if (value[field] === null && !nullable) delete value[field];
    if (value[field] !== undefined) applyDefaults(value[field], child);
  }
  const values = schema.values;
  if (values) for (const item of Object.values(value)) applyDefaults(item, values);
}
