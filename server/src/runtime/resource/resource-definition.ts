// The CustomResourceDefinition of a resource.

import {stringify} from 'yaml';
import type {KubeObject} from '../../kube/object.ts';
import type {CustomResourceVersion, CustomResourceVersions} from './custom-resource-version.ts';
import {type StructuralSchema, structuralSchema} from './structural-schema.ts';

/** The address of the conversion webhook. */
export type ConversionTarget =
  | {url: string; caBundle: string | Buffer}
  | {service: {name: string; namespace: string; path?: string; port?: number}; caBundle?: string | Buffer};

export interface DefinitionOptions {
  /**
   * The webhook that converts objects. A resource with several versions needs it. `'None'`: the server only
   * changes apiVersion, which loses fields unless every version has the same ones.
   */
  conversion?: ConversionTarget | 'None' | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
}

export interface DefinitionParts {
  group: string;
  kind: string;
  plural: string;
  singular?: string;
  scope?: 'Namespaced' | 'Cluster';
  shortNames?: readonly string[];
  categories?: readonly string[];
  versions: CustomResourceVersions;
  stored: string;
  convertible: boolean;
}

export function definitionOf(parts: DefinitionParts, options: DefinitionOptions): KubeObject {
  const {group, kind, plural, shortNames = [], categories = []} = parts;
  checkConversion(parts, options);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(options.labels ? {labels: options.labels} : {}),
      ...(options.annotations ? {annotations: options.annotations} : {}),
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: parts.singular ?? kind.toLowerCase(),
        ...(shortNames.length ? {shortNames: [...shortNames]} : {}),
        ...(categories.length ? {categories: [...categories]} : {}),
      },
      scope: parts.scope ?? 'Namespaced',
      versions: Object.entries(parts.versions).map(([name, version]) => versionOf(name, version, parts)),
      ...(options.conversion && options.conversion !== 'None'
        ? {conversion: conversionOf(options.conversion)}
        : {}),
    },
  };
}

/** Without a webhook the server would drop the fields that only one version has. */
function checkConversion(parts: DefinitionParts, {conversion}: DefinitionOptions): void {
  const {group, kind, versions, convertible} = parts;
  const names = Object.keys(versions);
  if (conversion && conversion !== 'None' && !convertible)
    throw new Error(`${kind} (${group}) has no conversions for a webhook; add a hub and conversions`);
  if (conversion || names.length === 1) return;
  throw new Error(
    `${kind} (${group}) has the versions ${names.join(', ')} and its CRD needs a conversion: pass {conversion: {service, caBundle}}${
      convertible ? '' : ' and add a hub and conversions'
    }, or {conversion: 'None'} if all versions have the same fields`,
  );
}

export function definitionYaml(definition: KubeObject): string {
  return `---\n${stringify(definition, {lineWidth: 0, aliasDuplicateObjects: false})}`;
}

function versionOf(name: string, version: CustomResourceVersion, parts: DefinitionParts): StructuralSchema {
  const {columns = [], deprecated, scale, selectableFields = []} = version;
  return {
    name,
    served: version.served ?? true,
    storage: name === parts.stored,
    ...(deprecated ? {deprecated: true} : {}),
    ...(typeof deprecated === 'string' ? {deprecationWarning: deprecated} : {}),
    ...(columns.length ? {additionalPrinterColumns: columns.map(column => ({...column}))} : {}),
    ...(selectableFields.length ? {selectableFields: selectableFields.map(jsonPath => ({jsonPath}))} : {}),
    schema: {openAPIV3Schema: rootSchema(name, version, parts.kind)},
    ...(version.status || scale
      ? {subresources: {...(version.status ? {status: {}} : {}), ...(scale ? {scale: {...scale}} : {})}}
      : {}),
  };
}

function rootSchema(name: string, version: CustomResourceVersion, kind: string): StructuralSchema {
  const fields = Object.entries({
    ...version.fields,
    spec: version.spec,
    ...(version.status ? {status: version.status} : {}),
  });
  const properties: StructuralSchema = {
    apiVersion: {type: 'string', description: 'The version of this object, as group/version.'},
    kind: {type: 'string', description: 'The kind of this object.'},
    metadata: {type: 'object'},
  };
  const required: string[] = [];
  for (const [field, schema] of fields) {
    properties[field] = structuralSchema(schema, `${kind} ${name}: ${field}`);
    if (field !== 'status' && !schema.safeParse(undefined).success) required.push(field);
  }
  return {
    type: 'object',
    ...(version.description ? {description: version.description} : {}),
    properties,
    ...(required.length ? {required} : {}),
  };
}

function conversionOf(target: ConversionTarget): StructuralSchema {
  const caBundle =
    target.caBundle === undefined ? {} : {caBundle: Buffer.from(target.caBundle).toString('base64')};
  const clientConfig =
    'url' in target
      ? {url: target.url, ...caBundle}
      : {service: {path: '/convert', ...target.service}, ...caBundle};
  return {strategy: 'Webhook', webhook: {clientConfig, conversionReviewVersions: ['v1']}};
}
