// The fields of a source's kind, from its OpenAPI document, for the editor of What if.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {FieldNode, FieldType, KindFields} from '@krtscope/shared/what-if/field-schema.ts';
import {EngineFailure} from '../../engine/link/engine-link.ts';
import {type OpenApiSchema, referencedId} from '../../kube/openapi/openapi-schema.ts';
import type {OpenApiDocuments} from '../types/declarations.ts';

const MAX_ABOUT = 200;
/** Written as a text or a number: no type to check. */
const LOOSE =
  /\.(?:IntOrString|Quantity|RawExtension|FieldsV1|JSON|JSONSchemaPropsOr(?:Array|Bool|StringArray))$/;
const TIMES = /\.(?:Time|MicroTime)$/;
const SCALARS = new Set<string>(['string', 'integer', 'number', 'boolean']);

type OpenApiSchemas = Readonly<Record<string, OpenApiSchema>>;

/** Throws EngineFailure for a collection that is not a source. */
export async function kindFieldsOf(
  graph: Graph,
  collection: string,
  documents: OpenApiDocuments,
): Promise<KindFields> {
  const resource = graph.collections.find(({name}) => name === collection)?.resource;
  if (resource === undefined)
    throw new EngineFailure({
      code: 'unknown-collection',
      message: `${collection} is not a source of Kubernetes objects`,
      hint: 'GET /api/v1/graph lists the sources: those with a resource',
    });
  const {group, version, kind} = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const schemas = (await documents(resource))?.components?.schemas ?? {};
  const root = Object.entries(schemas).find(([, schema]) =>
    schema['x-kubernetes-group-version-kind']?.some(
      one => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  if (root === undefined) return {apiVersion, kind, objects: {}};
  const writer = new FieldWriter(schemas);
  return {apiVersion, kind, root: writer.object(...root), objects: writer.objects};
}

class FieldWriter {
  readonly objects: KindFields['objects'] = {};
  readonly #schemas: OpenApiSchemas;

  constructor(schemas: OpenApiSchemas) {
    this.#schemas = schemas;
  }

  object(name: string, schema: OpenApiSchema): FieldNode {
    if (this.objects[name] === undefined) {
      const fields: Record<string, FieldNode> = {};
      // Before its fields, because one of them may be the same object.
      this.objects[name] = fields;
      for (const [field, inner] of Object.entries(schema.properties ?? {}))
        fields[field] = this.#node(inner, `${name}.${field}`);
    }
    return {type: 'object', object: name};
  }

  #node(schema: OpenApiSchema, place: string): FieldNode {
    const id = referencedId(schema);
    const about = firstSentence(schema.description ?? this.#schemas[id ?? '']?.description);
    if (id !== undefined) {
      if (LOOSE.test(id)) return {type: 'any', about};
      if (TIMES.test(id)) return {type: 'string', about};
    }
    const found = id === undefined ? schema : (this.#schemas[id] ?? {});
    if (found['x-kubernetes-int-or-string'] || found.oneOf || found.anyOf) return {type: 'any', about};
    if (found.properties !== undefined)
      return found['x-kubernetes-preserve-unknown-fields']
        ? {type: 'any', about}
        : {...this.object(id ?? place, found), about};
    if (found.type === 'array') return {type: 'list', about, of: this.#node(found.items ?? {}, `${place}[]`)};
    if (typeof found.additionalProperties === 'object')
      return {type: 'map', about, of: this.#node(found.additionalProperties, `${place}{}`)};
    const type: FieldType = SCALARS.has(found.type ?? '') ? (found.type as FieldType) : 'any';
    const choices = found.enum?.filter(one => typeof one === 'string');
    return {type, about, ...(choices?.length ? {choices} : {})};
  }
}

function firstSentence(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [sentence = ''] = text.replace(/\s+/g, ' ').split(/(?<=[.!?])\s/, 1);
  return sentence.length > MAX_ABOUT ? `${sentence.slice(0, MAX_ABOUT - 1)}…` : sentence;
}
