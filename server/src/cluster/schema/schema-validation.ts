// Validates a value by a structural schema, with the real server's error texts.
import {isIPv4, isIPv6} from 'node:net';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {RE2JS} from 're2js';
import type {FieldError} from '../kinds/kind-rules.ts';
import {isObject, type JsonObject} from '../object/stored-object.ts';
import {
  duplicate,
  goValue,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../wire/responses/invalid-errors.ts';
import type {FieldSchema} from './field-schema.ts';

const patterns = new Map<string, RE2JS>();

/** Go's regular expressions, which do not backtrack. */
function compiled(pattern: string): RE2JS {
  let found = patterns.get(pattern);
  if (!found) {
    found = RE2JS.compile(pattern);
    patterns.set(pattern, found);
  }
  return found;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (JSON.isRawJSON(value)) return 'integer';
  return typeof value;
}

function hasType(value: unknown, type: string): boolean {
  const name = typeName(value);
  return name === type || (type === 'number' && name === 'integer');
}

function wrongType(path: string, shown: string, wanted: string, value: unknown): FieldError {
  const name = JSON.stringify(typeName(value));
  return {
    reason: 'FieldValueTypeInvalid',
    field: path,
    message: `Invalid value: ${name}: ${shown} in body must be of type ${wanted}: ${name}`,
  };
}

/**
 * All broken rules of a value at `path` ('' for the whole object). Values that did not change may break them:
 * otherwise a stricter schema would block other fixes of old objects.
 */
export function schemaErrors(value: unknown, schema: FieldSchema, path: string, old?: unknown): FieldError[] {
  if (old !== undefined && deepEqual(value, old)) return [];
  const node = schema.inner;
  if (value === null && node.nullable === true) return [];
  if (node['x-kubernetes-int-or-string'] === true) {
    if (hasType(value, 'integer') || hasType(value, 'string')) return combined(value, node, schema, path);
    return [wrongType(path, path, 'integer,string', value)];
  }
  const type = typeof node.type === 'string' ? node.type : '';
  if (type !== '' && !hasType(value, type)) {
    const errors = [wrongType(path, path, type, value)];
    if (type === 'integer' && typeof value === 'number')
      errors.push(nilError(`Checked value must be of type integer (default format) in ${path}`));
    return errors;
  }
  const errors: FieldError[] = [];
  if (Array.isArray(value)) errors.push(...arrayErrors(value, schema, path, old));
  else if (isObject(value) && !JSON.isRawJSON(value)) errors.push(...objectErrors(value, schema, path, old));
  else if (typeof value === 'string') errors.push(...stringErrors(value, node, path));
  else if (typeof value === 'number') errors.push(...numberErrors(value, node, path));
  if (Array.isArray(node.enum) && !node.enum.some(item => deepEqual(item, value))) {
    errors.push({
      ...notSupported(path, value, []),
      message: `Unsupported value: ${goValue(value)}: supported values: ${node.enum.map(goValue).join(', ')}`,
    });
  }
  return [...errors, ...combined(value, node, schema, path)];
}

function nilError(message: string): FieldError {
  return {reason: 'FieldValueInvalid', field: '<nil>', message: `Invalid value: "": ${message}`};
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

function objectErrors(value: JsonObject, schema: FieldSchema, path: string, old: unknown): FieldError[] {
  const before = isObject(old) ? old : {};
  const errors: FieldError[] = [];
  const count = Object.keys(value).length;
  const {maxProperties, minProperties} = schema.inner as {maxProperties?: number; minProperties?: number};
  if (maxProperties !== undefined && count > maxProperties) errors.push(tooMany(path, count, maxProperties));
  if (minProperties !== undefined && count < minProperties)
    errors.push(
      invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`),
    );
  for (const field of schema.required)
    if (value[field] === undefined) errors.push(required(join(path, field)));
  for (const field of Object.keys(value).sort()) {
    const child = schema.child(field);
    if (path === '' && (field === 'metadata' || field === 'apiVersion' || field === 'kind')) continue;
    if (child && value[field] !== undefined)
      errors.push(...schemaErrors(value[field], child, join(path, field), before[field]));
  }
  return errors;
}

function tooMany(path: string, count: number, most: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    field: path,
    message: `Too many: ${count}: must have at most ${most} items`,
  };
}

function arrayErrors(value: unknown[], schema: FieldSchema, path: string, old: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const {maxItems, minItems, uniqueItems} = schema.inner as {
    maxItems?: number;
    minItems?: number;
    uniqueItems?: boolean;
  };
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
  if (minItems !== undefined && value.length < minItems) {
    errors.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  const identity = (item: unknown) => {
    if (schema.listType !== 'map' || !isObject(item)) return item;
    return Object.fromEntries(
      schema.listKeys.filter(key => item[key] !== undefined).map(key => [key, item[key]]),
    );
  };
  // Only the items of a keyed list can be matched with their old versions.
  const oldItems = schema.listType === 'map' && Array.isArray(old) ? old : [];
  const items = schema.items;
  if (items)
    value.forEach((item, i) => {
      const before = oldItems.find(other => deepEqual(identity(other), identity(item)));
      errors.push(...schemaErrors(item, items, `${path}[${i}]`, before));
    });
  if (schema.listType === 'atomic' && !uniqueItems) return errors;
  value.forEach((item, i) => {
    if (value.slice(0, i).some(other => deepEqual(identity(other), identity(item))))
      errors.push(duplicate(`${path}[${i}]`, identity(item)));
  });
  return errors;
}

function stringErrors(value: string, node: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const length = [...value].length;
  if (typeof node.maxLength === 'number' && length > node.maxLength) return [tooLong(path, node.maxLength)];
  if (typeof node.minLength === 'number' && length < node.minLength) {
    return [invalidValue(path, value, `${path} in body should be at least ${node.minLength} chars long`)];
  }
  if (typeof node.pattern === 'string' && !compiled(node.pattern).matcher(value).find()) {
    errors.push(invalidValue(path, value, `${path} in body should match '${node.pattern}'`));
  }
  if (typeof node.format === 'string' && !fitsFormat(value, node.format)) {
    errors.push({
      reason: 'FieldValueTypeInvalid',
      field: path,
      message: `Invalid value: ${goValue(value)}: ${path} in body must be of type ${node.format}: ${goValue(value)}`,
    });
  }
  return errors;
}

function fitsFormat(value: string, format: string): boolean {
  switch (format) {
    case 'date-time':
      return (
        /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(value) &&
        !Number.isNaN(Date.parse(value))
      );
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'ipv4':
      return isIPv4(value);
    case 'ipv6':
      return isIPv6(value);
    case 'uuid':
      return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value);
    case 'email':
      return /^[^@\s]+@[^@\s]+$/.test(value);
    case 'byte':
      return /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0;
    case 'duration':
      return /^([+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$|^0$/.test(value);
    default:
      return true;
  }
}

function numberErrors(value: number, node: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (node.format === 'int32' && Math.abs(value) > 2147483647) {
    return [nilError(`Checked value must be of type integer with format int32 in ${path}`)];
  }
  if (typeof node.multipleOf === 'number') {
    if (value === 0)
      errors.push(
        invalidValue(path, value, `factor MultipleOf declared for ${path} must be positive: ${value}`),
      );
    else if (!Number.isInteger(value / node.multipleOf))
      errors.push(invalidValue(path, value, `${path} in body should be a multiple of ${node.multipleOf}`));
  }
  if (typeof node.maximum === 'number') {
    const over = node.exclusiveMaximum === true ? value >= node.maximum : value > node.maximum;
    if (over)
      errors.push(
        invalidValue(
          path,
          value,
          `${path} in body should be less than ${node.exclusiveMaximum === true ? '' : 'or equal to '}${node.maximum}`,
        ),
      );
  }
  if (typeof node.minimum === 'number') {
    const under = node.exclusiveMinimum === true ? value <= node.minimum : value < node.minimum;
    if (under)
      errors.push(
        invalidValue(
          path,
          value,
          `${path} in body should be greater than ${node.exclusiveMinimum === true ? '' : 'or equal to '}${node.minimum}`,
        ),
      );
  }
  return errors;
}

/** Validates oneOf, anyOf, allOf and not. */
function combined(value: unknown, node: JsonObject, schema: FieldSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const tries = (list: unknown) =>
    (Array.isArray(list) ? list.filter(isObject) : []).map(item =>
      schemaErrors(value, schema.like(item), path),
    );
  if (Array.isArray(node.oneOf)) {
    const results = tries(node.oneOf);
    const valid = results.filter(r => r.length === 0).length;
    if (valid === 0)
      errors.push(
        nilError(`"${path}" must validate one and only one schema (oneOf). Found none valid`),
        ...(results[0] ?? []),
      );
    else if (valid > 1)
      errors.push(
        nilError(
          `"${path}" must validate one and only one schema (oneOf). Found ${valid} valid alternatives`,
        ),
      );
  }
  if (Array.isArray(node.anyOf)) {
    const results = tries(node.anyOf);
    if (!results.some(r => r.length === 0))
      errors.push(nilError(`"${path}" must validate at least one schema (anyOf)`), ...(results[0] ?? []));
  }
  if (Array.isArray(node.allOf)) {
    const results = tries(node.allOf).filter(r => r.length > 0);
    if (results.length > 0)
      errors.push(nilError(`"${path}" must validate all the schemas (allOf)`), ...results.flat());
  }
  if (isObject(node.not) && schemaErrors(value, schema.like(node.not), path).length === 0) {
    errors.push(nilError(`"${path}" must not validate the schema (not)`));
  }
  return errors;
}
