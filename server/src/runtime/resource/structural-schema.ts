// From a zod schema to the structural schema that a CustomResourceDefinition takes. What cannot be said there is
// refused here with its path, before a server does it.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {RE2JS} from 're2js';
import {z} from 'zod';
import {isRecord} from '../../kube/object.ts';
import type {CelValidationRule} from './schema-markers.ts';

export type StructuralSchema = Record<string, unknown>;

/** A schema that no API server would take, with the field at fault. */
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

/** Taken over as they are; everything else is translated or refused. */
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
    throw new SchemaError(path, 'refers to another schema; a CRD takes none, use z.unknown() for recursion');
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

/** The limits of exact numbers are JavaScript's, not the resource's. */
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
  const known = typeof json.format === 'string' && formats.has(json.format);
  if (known) made.format = json.format;
  if (typeof json.pattern !== 'string' || (known && ['date', 'date-time'].includes(String(json.format))))
    return;
  try {
    RE2JS.compile(json.pattern);
  } catch (error) {
    throw new SchemaError(
      path,
      `the pattern ${json.pattern} is not one of RE2, which knows no look-around and no back references: ${(error as Error).message}`,
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
  const kept: CelValidationRule[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (!isRecord(field)) continue;
    inner[name] = structural(field, `${path}.${name}`);
    // A transition rule of a field is not asked when the field goes: its parent must be.
    if (field.immutable && !needed.has(name))
      kept.push({
        rule: `!has(oldSelf.${escaped(name)}) || has(self.${escaped(name)})`,
        message: `${name} is immutable and cannot be removed`,
      });
  }
  made.properties = inner;
  if (kept.length > 0) made['x-kubernetes-validations'] = kept;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A field's name as CEL takes it. */
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
    throw new SchemaError(path, 'has named and any other fields; a CRD takes one or the other');
  else if (Object.keys(values).length === 0) made['x-kubernetes-preserve-unknown-fields'] = true;
  else made.additionalProperties = structural(values, `${path}{}`);
}

function rules(json: StructuralSchema, made: StructuralSchema): void {
  const all = [...((made['x-kubernetes-validations'] as CelValidationRule[] | undefined) ?? [])];
  if (json.immutable) all.push({rule: 'self == oldSelf', message: 'Value is immutable'});
  if (Array.isArray(json.validations)) all.push(...(json.validations as CelValidationRule[]));
  if (all.length > 0) made['x-kubernetes-validations'] = all;
}

/** A union: number or text, one type with several shapes, or objects that a field tells apart. */
function choice(choices: StructuralSchema[], made: StructuralSchema, path: string): StructuralSchema {
  const types = new Set(choices.map(one => one.type));
  if (types.size === 2 && types.has('string') && (types.has('integer') || types.has('number')))
    return {...intOrString};
  if (types.size !== 1)
    throw new SchemaError(
      path,
      `is one of ${[...types].join(', ')}; a CRD takes one type, or a number or text`,
    );
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

/** What tells one alternative from the others: its fixed values and what it needs. */
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
  throw new SchemaError(path, 'has other limits in another alternative; give it the same ones in both');
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
