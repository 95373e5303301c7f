// The resources that a CustomResourceDefinition serves: one per version, with the rules of its schema.
import {SchemaRules} from '../cel/schema-rules.ts';
import {isObject, type JsonObject, listAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import type {DumpedSubresource} from '../schema/dumped-schemas.ts';
import {FieldSchema} from '../schema/field-schema.ts';
import {applyDefaults} from '../schema/pruning.ts';
import {schemaErrors} from '../schema/schema-validation.ts';
import {invalidValue} from '../wire/responses/invalid-errors.ts';
import type {FieldError, KindRules} from './kind-rules.ts';
import type {CustomResourceInfo, ServedResource} from './served-resource.ts';
import {WebhookConversion} from './webhook-conversion.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

export function resourcesOf(definition: StoredObject): ServedResource[] {
  const versions = listAt(definition, 'spec', 'versions') as JsonObject[];
  const storage = versions.find(v => v.storage === true);
  // All versions share one conversion, so that each object is converted once.
  const conversion =
    stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook'
      ? new WebhookConversion(definition)
      : undefined;
  return versions
    .filter(v => v.served === true)
    .map(v => resourceOf(definition, v, stringAt(storage, 'name'), conversion));
}

function resourceOf(
  definition: StoredObject,
  version: JsonObject,
  storageVersion: string,
  conversion: WebhookConversion | undefined,
): ServedResource {
  const names = (definition.spec as JsonObject).names as JsonObject;
  const group = stringAt(definition, 'spec', 'group');
  const root = isObject(version.schema) ? version.schema.openAPIV3Schema : undefined;
  const schema = isObject(root) ? new FieldSchema(root, '') : undefined;
  const custom = {...customPart(definition, version), ...(conversion && {conversion})};
  return {
    group,
    version: stringAt(version, 'name'),
    resource: stringAt(names, 'plural'),
    kind: stringAt(names, 'kind'),
    singular: stringAt(names, 'singular'),
    namespaced: stringAt(definition, 'spec', 'scope') === 'Namespaced',
    verbs: VERBS,
    shortNames: listAt(names, 'shortNames') as string[],
    categories: listAt(names, 'categories') as string[],
    subresources: subresourcesOf(custom, group, stringAt(version, 'name'), stringAt(names, 'kind')),
    storeName: `${group}/${stringAt(names, 'plural')}`,
    storageVersion,
    custom,
    schema: () => schema,
    rules: customRules(schema, custom),
  };
}

function customPart(definition: StoredObject, version: JsonObject): CustomResourceInfo {
  const names = (definition.spec as JsonObject).names;
  const subresources = isObject(version.subresources) ? version.subresources : {};
  const columns = Array.isArray(version.additionalPrinterColumns)
    ? (version.additionalPrinterColumns as CustomResourceInfo['columns'])
    : [];
  const selectable = listAt(version, 'selectableFields').map(field => stringAt(field, 'jsonPath'));
  const gvk = `${stringAt(definition, 'spec', 'group')}/${stringAt(version, 'name')} ${stringAt(names, 'kind')}`;
  return {
    definition: definition.metadata.name,
    statusSubresource: isObject(subresources.status),
    ...(isObject(subresources.scale) && {
      scale: subresources.scale as unknown as NonNullable<CustomResourceInfo['scale']>,
    }),
    columns,
    selectableFields: selectable,
    listKind: stringAt(names, 'listKind'),
    preserveUnknownFields: (definition.spec as JsonObject).preserveUnknownFields === true,
    ...(version.deprecated === true && {
      deprecationWarning: stringAt(version, 'deprecationWarning') || `${gvk} is deprecated`,
    }),
  };
}

function subresourcesOf(
  custom: CustomResourceInfo,
  group: string,
  version: string,
  kind: string,
): DumpedSubresource[] {
  const out: DumpedSubresource[] = [];
  if (custom.statusSubresource)
    out.push({subresource: 'status', responseKind: {group, version, kind}, verbs: SUBRESOURCE_VERBS});
  if (custom.scale)
    out.push({
      subresource: 'scale',
      responseKind: {group: 'autoscaling', version: 'v1', kind: 'Scale'},
      verbs: SUBRESOURCE_VERBS,
    });
  return out;
}

function customRules(schema: FieldSchema | undefined, custom: CustomResourceInfo): KindRules {
  const rules = SchemaRules.of(schema, true);
  const checkRules = (
    object: StoredObject,
    old: StoredObject | undefined,
    errors: FieldError[],
    warnings: string[],
  ) => {
    if (!rules) return errors;
    const outcome = rules.check(object, old, errors);
    warnings.push(...outcome.warnings);
    return [...errors, ...outcome.errors];
  };
  const errorsOf = (
    object: StoredObject,
    old: StoredObject | undefined,
    warnings: string[],
  ): FieldError[] => {
    const errors = schema ? schemaErrors(object, schema, '', old) : [];
    if (custom.scale) errors.push(...scaleErrors(object, custom.scale.specReplicasPath));
    return checkRules(object, old, errors, warnings);
  };
  return {
    default(object) {
      if (schema) applyDefaults(object, schema);
    },
    validate: (object, _api, warnings) => errorsOf(object, undefined, warnings),
    validateUpdate: (object, old, _api, warnings) => errorsOf(object, old, warnings),
    validateStatus(object, old, warnings) {
      const status = schema?.field('status');
      const errors =
        status && object.status !== undefined
          ? schemaErrors(object.status, status, 'status', old.status).map(shortenStatus)
          : [];
      return checkRules(object, old, errors, warnings);
    },
  };
}

/** The status validator starts at status, so the message names the field from there. */
function shortenStatus(error: FieldError): FieldError {
  return {
    ...error,
    message: error.message.replace(
      `${error.field} in body`,
      `${error.field.replace(/^status\.?/, '')} in body`,
    ),
  };
}

function scaleErrors(object: StoredObject, path: string): FieldError[] {
  let here: unknown = object;
  for (const field of path.split('.').filter(step => step !== '')) {
    if (here === undefined || here === null) return [];
    if (!isObject(here))
      return [
        invalidValue(
          path,
          0,
          `${path} accessor error: ${goPrint(here)} is of the type ${goTypeName(here)}, expected map[string]interface{}`,
        ),
      ];
    here = here[field];
  }
  if (here === undefined || here === null || Number.isInteger(here)) return [];
  return [
    invalidValue(
      path,
      0,
      `${path} accessor error: ${goPrint(here)} is of the type ${goTypeName(here)}, expected int64`,
    ),
  ];
}

function goPrint(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(goPrint).join(' ')}]` : String(value);
}

function goTypeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean'
    ? 'bool'
    : typeof value === 'string'
      ? 'string'
      : 'map[string]interface {}';
}
