// From structural schemas to CEL: the types that rules see, and the values of objects.
import {isObject, type JsonObject} from '../object/stored-object.ts';
import type {FieldSchema} from '../schema/field-schema.ts';
import {parseDuration, parseTimestamp} from './library/time.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
} from './types.ts';
import {CelError, CelKeyedList, CelObject} from './values.ts';

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const ESCAPES: Record<string, string> = {'.': '__dot__', '-': '__dash__', '/': '__slash__'};

/** The name of a property in rules; undefined if rules cannot name it. */
function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replaceAll('__', '__underscores__').replace(/[.\-/]/g, letter => ESCAPES[letter]!);
}

/** The type of a value; undefined if rules cannot read it. */
export function typeOfSchema(schema: FieldSchema, root: boolean, name = 'selfType'): CelType | undefined {
  const node = schema.inner;
  if (node['x-kubernetes-int-or-string'] === true) return DYN;
  switch (node.type) {
    case 'array': {
      const of = schema.items && typeOfSchema(schema.items, isEmbedded(schema.items), `${name}.@idx`);
      return of && listOf(of);
    }
    case 'object':
      return objectType(schema, root, name);
    case 'string':
      if (node.format === 'byte') return BYTES;
      if (node.format === 'duration') return DURATION;
      return node.format === 'date' || node.format === 'date-time' ? TIMESTAMP : STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    default:
      return undefined;
  }
}

const isEmbedded = (schema: FieldSchema): boolean => schema.inner['x-kubernetes-embedded-resource'] === true;

function objectType(schema: FieldSchema, root: boolean, name: string): CelType | undefined {
  if (schema.values) {
    const value = typeOfSchema(schema.values, isEmbedded(schema.values), `${name}.@elem`);
    return value && mapOf(STRING, value);
  }
  const fields = new Map<string, CelType>();
  for (const field of schema.fieldNames()) {
    const child = schema.field(field)!;
    const escaped = escapeName(field);
    const type = escaped && typeOfSchema(child, isEmbedded(child), `${name}.${escaped}`);
    if (escaped && type) {
      fields.set(escaped, type);
      // Reserved words are fields without underscores, too.
      if (RESERVED.has(field)) fields.set(field, type);
    }
  }
  // These are always there at the root of a resource.
  if (root) {
    fields.set('apiVersion', STRING);
    fields.set('kind', STRING);
    const metadata = new Map([
      ['name', STRING],
      ['generateName', STRING],
    ]);
    fields.set('metadata', {kind: 'object', name: `${name}.metadata`, fields: metadata});
  }
  return {kind: 'object', name, fields};
}

/** The value that rules see. The type belongs to the schema. */
export function valueOfSchema(value: unknown, schema: FieldSchema | undefined, type: CelType): unknown {
  if (value === null || value === undefined) return null;
  if (type === DYN) return plainValue(value);
  switch (type.kind) {
    case 'list':
      return Array.isArray(value) ? listValue(value, schema, type.of) : plainValue(value);
    case 'map':
      return isObject(value)
        ? new Map(
            Object.entries(value).map(([key, item]) => [
              key,
              valueOfSchema(item, schema?.values, type.value),
            ]),
          )
        : plainValue(value);
    case 'object':
      return isObject(value) ? objectValue(value, schema, type) : plainValue(value);
    default:
      return scalarValue(value, type);
  }
}

function listValue(value: unknown[], schema: FieldSchema | undefined, of: CelType): unknown[] {
  const items = value.map(item => valueOfSchema(item, schema?.items, of));
  if (!schema || schema.listType === 'atomic') return items;
  const keys = schema.listKeys.map(key => escapeName(key) ?? key);
  const keyOf = (item: unknown) =>
    item instanceof CelObject ? keys.map(key => item.fields.get(key) ?? null) : [item];
  return CelKeyedList.of1(items, schema.listType === 'map' ? keyOf : undefined);
}

function objectValue(
  value: JsonObject,
  schema: FieldSchema | undefined,
  type: CelType & {kind: 'object'},
): CelObject {
  const fields = new Map<string, unknown>();
  for (const [field, item] of Object.entries(value)) {
    const escaped = escapeName(field);
    const own = escaped === undefined ? undefined : type.fields.get(escaped);
    if (escaped === undefined || !own || item === null || item === undefined) continue;
    const converted = valueOfSchema(item, schema?.child(field), own);
    fields.set(escaped, converted);
    if (RESERVED.has(field)) fields.set(field, converted);
  }
  return new CelObject(type, fields);
}

function scalarValue(value: unknown, type: CelType): unknown {
  if (type === INT) return JSON.isRawJSON(value) ? BigInt(value.rawJSON) : BigInt(value as number);
  if (type === DOUBLE) return JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
  if (typeof value !== 'string') return plainValue(value);
  if (type === BYTES) return new Uint8Array(Buffer.from(value, 'base64'));
  if (type === DURATION) return parseDuration(value);
  if (type === TIMESTAMP)
    return parseTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : value);
  return value;
}

/** A value without a schema. */
export function plainValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (JSON.isRawJSON(value)) return BigInt(value.rawJSON);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (isObject(value)) return new Map(Object.entries(value).map(([key, item]) => [key, plainValue(item)]));
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  throw new CelError(`unsupported value of type ${typeof value}`);
}
