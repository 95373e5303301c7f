// Writes Kubernetes kinds as TypeScript, from the OpenAPI documents of a cluster. Writes only types that a
// kind reaches.
import type {WireResource} from '@krtscope/shared/graph.ts';
import type {OpenApi, OpenApiSchema} from '../../kube/openapi/openapi-schema.ts';
import {descriptionComment, requiredInPractice, TypeWriter} from '../../kube/openapi/type-writer.ts';

export type {OpenApi} from '../../kube/openapi/openapi-schema.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const BARE_META = '{readonly labels?: {readonly [name: string]: string}; readonly [name: string]: any}';

type Schemas = Record<string, OpenApiSchema>;

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
  #writeKind(name: string, schema: OpenApiSchema, schemas: Schemas, resource: WireResource): void {
    const writer = this.#writer(schemas);
    const builtIn = !resource.group.includes('.') || resource.group.endsWith('.k8s.io');
    const lines = Object.entries({metadata: {}, ...schema.properties} as Schemas).map(([field, inner]) => {
      const alwaysSet = /^(apiVersion|kind|metadata|spec)$/.test(field) || (field === 'status' && builtIn);
      const meta = META in schemas ? this.#reference(META, schemas) : BARE_META;
      const type =
        field === 'metadata'
          ? `${meta} & {readonly name: string; readonly uid: string${resource.namespaced ? '; readonly namespace: string' : ''}}`
          : undefined;
      return writer.field(field, inner, alwaysSet || writer.isRequired(schema, field), 1, type);
    });
    this.#texts.push(
      `${descriptionComment(schema.description, 1)}  interface ${name} {\n${lines.join('\n')}\n  }`,
    );
  }

  #reference(id: string, schemas: Schemas): string {
    const existing = this.#names.get(id);
    if (existing !== undefined) return existing;
    const schema = schemas[id];
    if (schema === undefined) return 'any';
    const writer = this.#writer(schemas);
    const name = this.#name(id, id.slice(id.lastIndexOf('.') + 1));
    const comment = descriptionComment(schema.description, 1);
    if (schema.properties === undefined) {
      this.#texts.push(`${comment}  type ${name} = ${writer.type(schema, 1)};`);
    } else {
      // Reserve the position first: a schema may contain itself.
      const at = this.#texts.push('') - 1;
      this.#texts[at] = `${comment}  interface ${name} ${writer.fields(schema, 1)}`;
    }
    return name;
  }

  #writer(schemas: Schemas): TypeWriter {
    const reference = (id: string) => this.#reference(id, schemas);
    return new TypeWriter({
      reference,
      readonly: true,
      unknown: 'any',
      isRequired: (schema, field) => requiredInPractice(schema, field, schemas),
    });
  }

  #name(id: string, preferred: string): string {
    let name = preferred.replaceAll(/[^\w$]/g, '_');
    for (let turn = 2; this.#taken.has(name); turn++) name = `${preferred}${turn}`;
    this.#taken.add(name);
    this.#names.set(id, name);
    return name;
  }
}
