// Writes Kubernetes kinds as TypeScript, from the OpenAPI documents of a cluster. Writes only types that a
// kind reaches.
import type {WireResource} from '@krtscope/shared/graph.ts';

export interface OpenApiSchema {
  type?: string;
  format?: string;
  description?: string;
  $ref?: string;
  allOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
  anyOf?: OpenApiSchema[];
  enum?: unknown[];
  items?: OpenApiSchema;
  properties?: Record<string, OpenApiSchema>;
  additionalProperties?: OpenApiSchema | boolean;
  required?: string[];
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-group-version-kind'?: {group: string; version: string; kind: string}[];
}

export interface OpenApi {
  components?: {schemas?: Record<string, OpenApiSchema>};
}

const REF = '#/components/schemas/';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const BARE_META = '{readonly labels?: {readonly [name: string]: string}; readonly [name: string]: any}';

type SchemaFields = Record<string, OpenApiSchema>;

/** Collects the types of kinds, each once, in one text. */
export class KindTypes {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>(['Object']);
  readonly #texts: string[] = [];

  /** The type of one kind in `k8s`, or undefined if the document does not contain it. */
  add(document: OpenApi, resource: WireResource): string | undefined {
    const schemas = document.components?.schemas ?? {};
    const found = Object.entries(schemas).find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some(
        one => one.group === resource.group && one.version === resource.version && one.kind === resource.kind,
      ),
    );
    if (found === undefined) return undefined;
    const [id, schema] = found;
    const existing = this.#names.get(`kind ${id}`);
    if (existing !== undefined) return existing;
    const name = this.#name(`kind ${id}`, resource.kind);
    this.#writeKind(name, schema, schemas, resource);
    return name;
  }

  text(): string {
    return `declare namespace k8s {\n${this.#texts.join('\n')}\n}\n`;
  }

  /** A server always sets name, namespace and spec, even if the schema calls them optional. */
  #writeKind(
    name: string,
    schema: OpenApiSchema,
    schemas: Record<string, OpenApiSchema>,
    resource: WireResource,
  ): void {
    const lines: string[] = [];
    const builtIn = !resource.group.includes('.') || resource.group.endsWith('.k8s.io');
    for (const [field, inner] of Object.entries({metadata: {}, ...schema.properties} as SchemaFields)) {
      const alwaysSet = field === 'metadata' || field === 'spec' || (field === 'status' && builtIn);
      const optional =
        !alwaysSet && !(schema.required ?? []).includes(field) && !/^(apiVersion|kind)$/.test(field);
      const type =
        field === 'metadata'
          ? `${META in schemas ? this.#reference(META, schemas) : BARE_META} & {readonly name: string; readonly uid: string${resource.namespaced ? '; readonly namespace: string' : ''}}`
          : this.#type(inner, schemas, 2);
      lines.push(
        `${descriptionComment(inner.description, 2)}    readonly ${quoteProperty(field)}${optional ? '?' : ''}: ${type};`,
      );
    }
    this.#texts.push(
      `${descriptionComment(schema.description, 1)}  interface ${name} {\n${lines.join('\n')}\n  }`,
    );
  }

  #reference(id: string, schemas: Record<string, OpenApiSchema>): string {
    const existing = this.#names.get(id);
    if (existing !== undefined) return existing;
    const schema = schemas[id];
    if (schema === undefined) return 'any';
    const name = this.#name(id, id.slice(id.lastIndexOf('.') + 1));
    if (schema.properties === undefined) {
      this.#texts.push(
        `${descriptionComment(schema.description, 1)}  type ${name} = ${this.#type(schema, schemas, 1)};`,
      );
    } else {
      // Reserve the position first: a schema may contain itself.
      const at = this.#texts.push('') - 1;
      this.#texts[at] =
        `${descriptionComment(schema.description, 1)}  interface ${name} ${this.#fields(schema, schemas, 1)}`;
    }
    return name;
  }

  #name(id: string, preferred: string): string {
    let name = preferred.replaceAll(/[^\w$]/g, '_');
    for (let turn = 2; this.#taken.has(name); turn++) name = `${preferred}${turn}`;
    this.#taken.add(name);
    this.#names.set(id, name);
    return name;
  }

  #fields(schema: OpenApiSchema, schemas: Record<string, OpenApiSchema>, depth: number): string {
    const required = new Set(schema.required ?? []);
    const pad = '  '.repeat(depth + 1);
    const lines = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
      const type = this.#type(inner, schemas, depth + 1);
      return `${descriptionComment(inner.description, depth + 1)}${pad}readonly ${quoteProperty(field)}${required.has(field) ? '' : '?'}: ${type};`;
    });
    if (schema['x-kubernetes-preserve-unknown-fields']) lines.push(`${pad}readonly [name: string]: any;`);
    return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
  }

  #type(schema: OpenApiSchema, schemas: Record<string, OpenApiSchema>, depth: number): string {
    if (schema.$ref !== undefined) return this.#reference(schema.$ref.slice(REF.length), schemas);
    if (schema.allOf?.length === 1) return this.#type(schema.allOf[0]!, schemas, depth);
    if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'number | string';
    if (schema.enum?.every(one => typeof one === 'string')) {
      return schema.enum.map(one => JSON.stringify(one)).join(' | ') || 'string';
    }
    if (schema.properties !== undefined) return this.#fields(schema, schemas, depth);
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
      const inner =
        schema.additionalProperties === true
          ? 'any'
          : this.#type(schema.additionalProperties, schemas, depth);
      return `{readonly [name: string]: ${inner}}`;
    }
    if (schema.oneOf?.length) {
      return [...new Set(schema.oneOf.map(one => this.#type(one, schemas, depth)))].join(' | ');
    }
    switch (schema.type) {
      case 'string':
        return 'string';
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'array': {
        const inner = schema.items ? this.#type(schema.items, schemas, depth) : 'any';
        return /^[\w.]+$/.test(inner) ? `readonly ${inner}[]` : `readonly (${inner})[]`;
      }
      default:
        return 'any';
    }
  }
}

function quoteProperty(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The schema's description for the hover: its first paragraph, which cannot end the comment. */
function descriptionComment(description: string | undefined, depth: number): string {
  const text = description?.split('\n')[0]?.replaceAll('*/', '* /').trim().slice(0, 400);
  return text ? `${'  '.repeat(depth)}/** ${text} */\n` : '';
}
