// The rules and schema of a source's kind: those of Kubernetes itself, or those that the cluster's OpenAPI document states.
import type {WireResource} from '@krtscope/shared/graph.ts';
import type {Api} from '../../cluster/api.ts';
import {resourcesOf} from '../../cluster/kinds/custom-resources.ts';
import type {ServedResource} from '../../cluster/kinds/served-resource.ts';
import type {JsonObject, StoredObject} from '../../cluster/object/stored-object.ts';
import type {OpenApiDocuments} from '../types/declarations.ts';
import type {OpenApi} from '../types/kind-types.ts';

export interface EditableKind {
  readonly served: ServedResource;
  /** False: nothing is known about its fields, so they are neither defaulted nor validated. */
  readonly hasSchema: boolean;
}

export async function editableKindOf(
  api: Api,
  resource: WireResource,
  documents: OpenApiDocuments,
): Promise<EditableKind> {
  const {group, version, resource: plural} = resource;
  const builtIn = api.resources.find(group, version, plural);
  if (builtIn !== undefined) return {served: builtIn, hasSchema: builtIn.schema() !== undefined};
  const document = await documents(resource);
  const schema = schemaOf(document, resource);
  const definition = definitionOf(resource, schema, hasStatusPath(document, plural));
  const [served] = resourcesOf(definition);
  if (served === undefined) throw new Error(`${plural} is not served`);
  api.resources.define(definition.metadata.name, [served]);
  return {served, hasSchema: schema !== undefined};
}

function schemaOf(document: OpenApi | undefined, resource: WireResource): JsonObject | undefined {
  const {group, version, kind} = resource;
  const found = Object.values(document?.components?.schemas ?? {}).find(schema =>
    schema['x-kubernetes-group-version-kind']?.some(
      one => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  if (found === undefined) return undefined;
  // The rest of a custom schema has no references; metadata has rules of its own.
  const properties = {...found.properties, metadata: {type: 'object'}};
  return {...found, properties} as unknown as JsonObject;
}

function hasStatusPath(document: OpenApi | undefined, plural: string): boolean {
  const {paths = {}} = (document ?? {}) as {paths?: object};
  return Object.keys(paths).some(path => path.endsWith(`/${plural}/{name}/status`));
}

/** A CRD that would serve the kind in the same way. */
function definitionOf(
  {group, version, resource: plural, kind, namespaced}: WireResource,
  schema: JsonObject | undefined,
  hasStatus: boolean,
): StoredObject {
  const openAPIV3Schema = schema ?? {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List`},
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: {openAPIV3Schema},
          ...(hasStatus ? {subresources: {status: {}}} : {}),
        },
      ],
    },
  } as unknown as StoredObject;
}
