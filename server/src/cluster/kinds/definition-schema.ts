// Validates the schema of a CRD: it must be structural, and its defaults and patterns must be valid.
import {RE2JS, RE2JSException} from 're2js';
import {isObject, type JsonObject} from '../object/stored-object.ts';
import {FieldSchema} from '../schema/field-schema.ts';
import {schemaErrors} from '../schema/schema-validation.ts';
import {forbiddenField, invalidValue, notSupported, required} from '../wire/responses/invalid-errors.ts';
import type {FieldError} from './kind-rules.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

export function definitionSchemaErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type === undefined || schema.type === '')
    errors.push(required(`${path}.type`, 'must not be empty at the root'));
  else if (schema.type !== 'object')
    errors.push(invalidValue(`${path}.type`, schema.type, 'must be object at the root'));
  errors.push(...nodeErrors(schema, path, true));
  return errors;
}

function nodeErrors(node: JsonObject, path: string, root: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const type = typeof node.type === 'string' ? node.type : '';
  const loose =
    node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '' && !loose && !root) {
    const where = path.endsWith(']') ? 'for specified object fields' : 'for specified array items';
    errors.push(required(`${path}.type`, `must not be empty ${where}`));
  }
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  if (type === 'array' && !isObject(node.items)) errors.push(required(`${path}.items`, 'must be specified'));
  if (node.uniqueItems === true)
    errors.push(
      forbiddenField(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  if (isObject(node.properties) && isObject(node.additionalProperties)) {
    errors.push(
      forbiddenField(
        `${path}.additionalProperties`,
        'additionalProperties and properties are mutual exclusive',
      ),
    );
  }
  errors.push(...patternErrors(node, path), ...listErrors(node, path));
  if (node.default !== undefined && errors.length === 0) errors.push(...defaultErrors(node, path));
  if (isObject(node.properties)) {
    for (const [field, child] of Object.entries(node.properties))
      if (isObject(child)) errors.push(...nodeErrors(child, `${path}.properties[${field}]`, false));
  }
  if (isObject(node.items)) errors.push(...nodeErrors(node.items, `${path}.items`, false));
  if (isObject(node.additionalProperties))
    errors.push(...nodeErrors(node.additionalProperties, `${path}.additionalProperties`, false));
  return errors;
}

function patternErrors(node: JsonObject, path: string): FieldError[] {
  if (typeof node.pattern !== 'string') return [];
  try {
    RE2JS.compile(node.pattern);
    return [];
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return [
      invalidValue(
        `${path}.pattern`,
        node.pattern,
        `must be a valid regular expression, but isn't: ${error.message}`,
      ),
    ];
  }
}

function listErrors(node: JsonObject, path: string): FieldError[] {
  const type = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'];
  const errors: FieldError[] = [];
  if (type !== undefined && !['atomic', 'set', 'map'].includes(String(type))) {
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, type, ['atomic', 'map', 'set']));
  }
  if (type === 'map' && !Array.isArray(keys)) {
    errors.push(
      required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'),
    );
  }
  return errors;
}

function defaultErrors(node: JsonObject, path: string): FieldError[] {
  return schemaErrors(node.default, new FieldSchema(node, ''), '').map(error => ({
    ...error,
    field: `${path}.default${error.field === '' ? '' : `.${error.field}`}`,
  }));
}
