// OpenAPI v3: the dumped documents of built-in kinds, and generated ones for custom kinds.
import {createHash} from 'node:crypto';
import type {Api} from '../../api.ts';
import type {ServedVersion} from '../../kinds/resource-registry.ts';
import {groupVersion, type ServedResource} from '../../kinds/served-resource.ts';
import type {JsonObject} from '../../object/stored-object.ts';
import {dumpedDocument, dumpedText} from '../../schema/dumped-schemas.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const hashes = new Map<string, string>();

export function openapiIndex(api: Api): JsonObject {
  const paths: JsonObject = {};
  for (const served of api.resources.versions()) {
    const path = documentPath(served);
    paths[path] = {serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(served)}`};
  }
  return {paths};
}

function documentPath(served: ServedVersion): string {
  return served.group === '' ? `api/${served.version}` : `apis/${served.group}/${served.version}`;
}

/** The text of the document; undefined for an unknown group version. */
export function openapiText(api: Api, path: string): string | undefined {
  const served = api.resources.versions().find(v => documentPath(v) === path);
  if (!served) return undefined;
  return served.resources[0]?.custom
    ? JSON.stringify(customDocument(served))
    : dumpedText(groupVersion(served));
}

function hashOf(served: ServedVersion): string {
  const custom = served.resources[0]?.custom !== undefined;
  const key = custom
    ? JSON.stringify(served.resources.map(r => [r.resource, r.schema()?.outer]))
    : groupVersion(served);
  let hash = hashes.get(key);
  if (!hash) {
    hash = createHash('sha256')
      .update(custom ? key : `1.36.3 ${key}`)
      .digest('hex')
      .toUpperCase();
    hashes.set(key, hash);
  }
  return hash;
}

function definitionName(resource: ServedResource): string {
  const reversed = resource.group.split('.').reverse().join('.');
  return `${reversed}.${resource.version}.${resource.kind}`;
}

function customDocument(served: ServedVersion): JsonObject {
  const schemas: JsonObject = {...metaSchemas()};
  const paths: JsonObject = {};
  for (const resource of served.resources) {
    const gvk = {group: resource.group, version: resource.version, kind: resource.kind};
    const name = definitionName(resource);
    const own = resource.schema()?.outer ?? {type: 'object'};
    const properties = {
      apiVersion: metaField('apiVersion'),
      kind: metaField('kind'),
      ...((own.properties as JsonObject | undefined) ?? {}),
      metadata: {
        description: "Standard object's metadata.",
        allOf: [{$ref: `#/components/schemas/${META}.ObjectMeta`}],
      },
    };
    schemas[name] = {...own, properties, 'x-kubernetes-group-version-kind': [gvk]};
    schemas[`${name}List`] = listSchema(resource, name);
    Object.assign(paths, pathsOf(resource, name));
  }
  return {
    openapi: '3.0.0',
    info: {title: 'Kubernetes CRD Swagger', version: 'v0.1.0'},
    paths,
    components: {schemas},
  };
}

function metaField(field: string): JsonObject {
  const meta = dumpedDocument('v1').components.schemas['io.k8s.api.core.v1.ConfigMap']!
    .properties as JsonObject;
  return meta[field] as JsonObject;
}

function metaSchemas(): JsonObject {
  const all = dumpedDocument('v1').components.schemas;
  return Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(META)));
}

function listSchema(resource: ServedResource, name: string): JsonObject {
  return {
    description: `${resource.kind}List is a list of ${resource.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: metaField('apiVersion'),
      kind: metaField('kind'),
      metadata: {allOf: [{$ref: `#/components/schemas/${META}.ListMeta`}]},
      items: {type: 'array', items: {allOf: [{$ref: `#/components/schemas/${name}`}]}},
    },
    'x-kubernetes-group-version-kind': [
      {group: resource.group, version: resource.version, kind: `${resource.kind}List`},
    ],
  };
}

/** Enough paths for kubectl: the kind of a path, and that the server validates fields. */
function pathsOf(resource: ServedResource, name: string): JsonObject {
  const gvk = {group: resource.group, version: resource.version, kind: resource.kind};
  const scope = resource.namespaced ? '/namespaces/{namespace}' : '';
  const base = `/apis/${resource.group}/${resource.version}${scope}/${resource.resource}`;
  const reference = {$ref: `#/components/schemas/${name}`};
  const content = {'application/json': {schema: reference}};
  const parameter = (id: string) => ({name: id, in: 'query', schema: {type: 'string', uniqueItems: true}});
  const write = ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter);
  const answer = {responses: {'200': {description: 'OK', content}}};
  const operation = (action: string, more: JsonObject = {}) => ({
    ...answer,
    ...more,
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  });
  const body = {requestBody: {content}};
  return {
    [base]: {get: operation('list'), post: operation('post', {parameters: write, ...body})},
    [`${base}/{name}`]: {
      get: operation('get'),
      put: operation('put', {parameters: write, ...body}),
      delete: operation('delete'),
      patch: operation('patch', {parameters: [...write, parameter('force')], ...body}),
    },
  };
}
