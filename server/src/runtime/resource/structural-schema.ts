// Converts a zod schema to the structural schema of a CustomResourceDefinition. Unsupported schemas fail here with
// their path, before a server refuses them.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {RE2JS} from 're2js';
import {z} from 'zod';
import {isRecord} from '../../kube/object.ts';
import type {CelValidationRule} from './schema-markers.ts';

export type StructuralSchema = Record<string, unknown>;

/** The schema of a field that an API server would refuse. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
  }
}

export function structuralSchema(schema: z.ZodType, path: string): StructuralSchema {
  let json: StructuralSchema;
  try {
    json = z.toJSONSchema(schema, {io: 'input', target: 'openapi-3.0', cycles: 'throw'}) as StructuralSchema;
  } catch (error) {
    throw new SchemaError(path, `cannot be written as a schema: ${(error as Error).message}`);
  }
  return structural(json, path);
}

/** Keywords to copy. The others are converted or refused. */
const plain = [
  'type',
  'title',
  'description',
  'default',
  'example',
  'nullable',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
];

const formats = new Set(
  'uri email hostname ipv4 ipv6 cidr mac uuid byte password date date-time duration int32 int64 float double'.split(
    ' ',
  ),
);

function structural(json: StructuralSchema, path: string): StructuralSchema {
  if (json.$ref)
    throw new SchemaError(
      path,
      'refers to another schema, which a CRD does not allow; use z.unknown() for recursion',
    );
  if (json.prefixItems || Array.isArray(json.items))
    throw new SchemaError(path, 'is a tuple; use an object or an array');
  const made: StructuralSchema = {};
  for (const key of plain) if (json[key] !== undefined) made[key] = json[key];
  if (json.const !== undefined) made.enum = [json.const];
  bounds(made);
  text(json, made, path);
  extensions(json, made);
  if (isRecord(json.properties)) properties(json.properties, made, path);
  if (isRecord(json.items)) made.items = structural(json.items, `${path}[]`);
  if (isRecord(json.additionalProperties)) additional(json.additionalProperties, made, path);
  for (const part of list(json.allOf)) Object.assign(made, merged(made, structural(part, path)));
  const choices = [...list(json.anyOf), ...list(json.oneOf)];
  if (choices.length > 0) Object.assign(made, choice(choices, made, path));
  if (!made.type && !made['x-kubernetes-int-or-string'] && !made['x-kubernetes-preserve-unknown-fields'])
    untyped(made, path);
  rules(json, made);
  return made;
}

function list(value: unknown): StructuralSchema[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Drops the limits of JavaScript's safe integers, which zod adds. */
function bounds(made: StructuralSchema): void {
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
  if (made.type === 'integer' && made.minimum === -(2 ** 31) && made.maximum === 2 ** 31 - 1) {
    delete made.minimum;
    delete made.maximum;
    made.format = 'int32';
  }
}

function text(json: StructuralSchema, made: StructuralSchema, path: string): void {
  const isKnownFormat = typeof json.format === 'string' && formats.has(json.format);
  if (isKnownFormat) made.format = json.format;
  if (
    typeof json.pattern !== 'string' ||
    (isKnownFormat && ['date', 'date-time'].includes(String(json.format)))
  )
    return;
  try {
    RE2JS.compile(json.pattern);
  } catch (error) {
    throw new SchemaError(
      path,
      `the pattern ${json.pattern} is not valid RE2, which has no look-around and no back references: ${(error as Error).message}`,
    );
  }
  made.pattern = json.pattern;
}

function extensions(json: StructuralSchema, made: StructuralSchema): void {
  const take = (from: string, to: string) => {
    if (json[from] !== undefined) made[to] = json[from];
  };
  take('listType', 'x-kubernetes-list-type');
  take('listMapKeys', 'x-kubernetes-list-map-keys');
  take('mapType', 'x-kubernetes-map-type');
  take('embeddedResource', 'x-kubernetes-embedded-resource');
  take('preserveUnknownFields', 'x-kubernetes-preserve-unknown-fields');
  if (json.intOrString) Object.assign(made, intOrString);
}

const intOrString = {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]};

function properties(fields: StructuralSchema, made: StructuralSchema, path: string): void {
  const inner: StructuralSchema = {};
  const needed = new Set(Array.isArray(made.required) ? made.required : []);
  const rules: CelValidationRule[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (!isRecord(field)) continue;
    inner[name] = structural(field, `${path}.${name}`);
    // The server does not check a field's transition rule when the field is removed, so its parent needs the rule.
    if (field.immutable && !needed.has(name))
      rules.push({
        rule: `!has(oldSelf.${escaped(name)}) || has(self.${escaped(name)})`,
        message: `${name} is immutable and cannot be removed`,
      });
  }
  made.properties = inner;
  if (rules.length > 0) made['x-kubernetes-validations'] = rules;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Escapes a field name for CEL. */
function escaped(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}

function additional(values: StructuralSchema, made: StructuralSchema, path: string): void {
  if (Object.keys(values).length === 0 && made.properties)
    made['x-kubernetes-preserve-unknown-fields'] = true;
  else if (made.properties)
    throw new SchemaError(path, 'has named and arbitrary fields; a CRD allows one or the other');
  else if (Object.keys(values).length === 0) made['x-kubernetes-preserve-unknown-fields'] = true;
  else made.additionalProperties = structural(values, `${path}{}`);
}

function rules(json: StructuralSchema, made: StructuralSchema): void {
  const all = [...((made['x-kubernetes-validations'] as CelValidationRule[] | undefined) ?? [])];
  if (json.immutable) all.push({rule: 'self == oldSelf', message: 'Value is immutable'});
  if (Array.isArray(json.validations)) all.push(...(json.validations as CelValidationRule[]));
  if (all.length > 0) made['x-kubernetes-validations'] = all;
}

/** Converts a union: number or string, one type with several shapes, or objects with a discriminator. */
function choice(choices: StructuralSchema[], made: StructuralSchema, path: string): StructuralSchema {
  const types = new Set(choices.map(one => one.type));
  if (types.size === 2 && types.has('string') && (types.has('integer') || types.has('number')))
    return {...intOrString};
  if (types.size !== 1)
    throw new SchemaError(path, `is one of ${[...types].join(', ')}; a CRD allows one type, or intOrString`);
  const parts = choices.map(one => structural(one, path));
  if (!types.has('object')) {
    if (parts.every(part => Array.isArray(part.enum)))
      return {type: parts[0]!.type, enum: parts.flatMap(part => part.enum)};
    return {type: parts[0]!.type, anyOf: parts.map(({type: _, description: __, ...limits}) => limits)};
  }
  const fields: StructuralSchema = {};
  for (const part of parts)
    for (const [name, field] of Object.entries(isRecord(part.properties) ? part.properties : {}))
      fields[name] =
        name in fields
          ? widest(fields[name] as StructuralSchema, field as StructuralSchema, `${path}.${name}`)
          : field;
  const everywhere = parts.map(part => new Set(part.required as string[] | undefined));
  const needed = [...(everywhere[0] ?? [])].filter(name => everywhere.every(set => set.has(name)));
  return {
    ...made,
    type: 'object',
    properties: fields,
    ...(needed.length ? {required: needed} : {}),
    oneOf: parts.map(alternative),
  };
}

/** Returns the constants and required fields of one alternative. */
function alternative(part: StructuralSchema): StructuralSchema {
  const fixed = Object.entries(isRecord(part.properties) ? part.properties : {}).filter(
    ([, field]) => isRecord(field) && Array.isArray(field.enum) && field.enum.length === 1,
  );
  return {
    ...(fixed.length
      ? {
          properties: Object.fromEntries(
            fixed.map(([name, field]) => [name, {enum: (field as StructuralSchema).enum}]),
          ),
        }
      : {}),
    ...(part.required ? {required: part.required} : {}),
  };
}

function widest(a: StructuralSchema, b: StructuralSchema, path: string): StructuralSchema {
  if (deepEqual(a, b)) return a;
  if (a.type !== b.type)
    throw new SchemaError(path, `is ${a.type} in one alternative and ${b.type} in another`);
  if (Array.isArray(a.enum) && Array.isArray(b.enum))
    return {...a, enum: [...new Set([...a.enum, ...b.enum])]};
  throw new SchemaError(path, 'has different limits in another alternative; use the same limits in both');
}

function merged(a: StructuralSchema, b: StructuralSchema): StructuralSchema {
  const both = {...a, ...b};
  if (a.properties || b.properties)
    both.properties = {...(a.properties as StructuralSchema), ...(b.properties as StructuralSchema)};
  const needed = [...((a.required as string[]) ?? []), ...((b.required as string[]) ?? [])];
  if (needed.length > 0) both.required = [...new Set(needed)];
  return both;
}

function untyped(made: StructuralSchema, path: string): void {
  const values = Array.isArray(made.enum) ? made.enum : [];
  const types = new Set(values.map(value => typeof value));
  if (types.size === 1 && types.has('string')) made.type = 'string';
  else if (types.size === 1 && types.has('number'))
    made.type = values.every(Number.isInteger) ? 'integer' : 'number';
  else if (types.size === 1 && types.has('boolean')) made.type = 'boolean';
  else if (types.size > 0) throw new SchemaError(path, 'has values of several types');
  else made['x-kubernetes-preserve-unknown-fields'] = true;
}
