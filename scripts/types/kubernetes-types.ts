// Generates server/src/built-in-types, the types of built-in kinds, from the dumped schemas.
// `node scripts/types/main.ts` writes the files; a test compares them with the schemas.
import {dumpedDiscovery, dumpedDocument} from '../../server/src/cluster/schema/dumped-schemas.ts';
import {type OpenApiSchema, referencedId} from '../../server/src/kube/openapi/openapi-schema.ts';
import {
  descriptionComment,
  requiredInPractice,
  TypeWriter,
} from '../../server/src/kube/openapi/type-writer.ts';

const NOTICE = `// Generated from the OpenAPI schemas of Kubernetes 1.36 (Apache-2.0, see server/src/cluster/schemas/NOTICE).
// Do not edit. Run: node scripts/types/main.ts
`;
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const CRD = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';

/** Types that the schemas leave open, although the server accepts only these. */
const precise: Record<string, string> = {
  [`${CRD}JSONSchemaPropsOrArray`]: 'JSONSchemaProps | JSONSchemaProps[]',
  [`${CRD}JSONSchemaPropsOrBool`]: 'JSONSchemaProps | boolean',
  [`${CRD}JSONSchemaPropsOrStringArray`]: 'JSONSchemaProps | string[]',
};

const HELPERS = `/** The metadata of an object that has a name. */
export type NamedObjectMeta = ObjectMeta & {name: string};

/** An object inside another one, which needs neither apiVersion nor kind. */
export type Embedded<T extends {apiVersion: string; kind: string; metadata: unknown}> = Omit<
  T,
  'apiVersion' | 'kind' | 'metadata'
> & {apiVersion?: T['apiVersion']; kind?: T['kind']; metadata?: ObjectMeta};
`;

interface BuiltInKind {
  apiVersion: string;
  kind: string;
  /** The id of its schema. */
  id: string;
  /** False for bodies of requests, such as TokenReview. */
  stored: boolean;
}

type GroupVersionKind = {group: string; version: string; kind: string};
type Schemas = Record<string, OpenApiSchema>;

/** The file of a schema: `apps-v1` for io.k8s.api.apps.v1.Deployment. */
function fileOf(id: string): string {
  const parts = id.split('.').slice(0, -1);
  if (id.startsWith('io.k8s.apimachinery.')) return 'meta-v1';
  return `${parts.at(-2)}-${parts.at(-1)}`;
}

const nameOf = (id: string) => id.slice(id.lastIndexOf('.') + 1);
const namespaceOf = (file: string) => file.replace(/-v(\d)/, 'V$1');

function readSchemas(): {schemas: Schemas; kinds: Map<string, BuiltInKind>} {
  const schemas: Schemas = {};
  const kinds = new Map<string, BuiltInKind>();
  const served = dumpedDiscovery().groups;
  for (const {group, version} of served) {
    Object.assign(schemas, dumpedDocument(group === '' ? version : `${group}/${version}`).components.schemas);
  }
  const stored = new Set<string>();
  const wanted = new Set<string>();
  const idOf = (ref: GroupVersionKind) => `${ref.group}/${ref.version}/${ref.kind}`;
  for (const {group, version, resources} of served) {
    // Discovery leaves group and version empty if they are those of the document.
    const full = (ref: GroupVersionKind) => idOf(ref.version === '' ? {...ref, group, version} : ref);
    for (const {responseKind, verbs, subresources = []} of resources) {
      wanted.add(full(responseKind));
      if (verbs.includes('get')) stored.add(full(responseKind));
      for (const one of subresources) wanted.add(full(one.responseKind));
    }
  }
  for (const [id, schema] of Object.entries(schemas)) {
    // Types of all groups, such as DeleteOptions, list one kind for each group.
    const [ref, second] = schema['x-kubernetes-group-version-kind'] ?? [];
    if (ref === undefined || second !== undefined || !wanted.has(idOf(ref))) continue;
    const apiVersion = ref.group === '' ? ref.version : `${ref.group}/${ref.version}`;
    kinds.set(id, {apiVersion, kind: ref.kind, id, stored: stored.has(idOf(ref))});
  }
  return {schemas, kinds};
}

/** Ids of all schemas that the kinds reach. */
function reachable(schemas: Schemas, kinds: Iterable<string>): string[] {
  const seen = new Set<string>([META, ...kinds]);
  const visit = (schema: OpenApiSchema) => {
    const id = referencedId(schema);
    if (id !== undefined) seen.add(id);
    for (const inner of Object.values(schema.properties ?? {})) visit(inner);
    if (schema.items) visit(schema.items);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
  };
  for (const id of seen) if (schemas[id]) visit(schemas[id]);
  return [...seen].filter(id => schemas[id]).sort();
}

/** Returns the text of each file in server/src/built-in-types by its name. */
export function kubernetesTypes(): Map<string, string> {
  const {schemas, kinds} = readSchemas();
  const ids = reachable(schemas, kinds.keys());
  const files = new Map<string, string>();
  for (const [file, group] of Map.groupBy(ids, fileOf)) {
    files.set(`${file}.ts`, groupText(file, group, schemas, kinds));
  }
  files.set('index.ts', indexText(ids, kinds));
  return files;
}

function groupText(file: string, ids: string[], schemas: Schemas, kinds: Map<string, BuiltInKind>): string {
  const imports = new Map<string, Set<string>>();
  const use = (from: string, name: string) => {
    if (from !== file) imports.set(from, (imports.get(from) ?? new Set()).add(name));
    return name;
  };
  const writer = new TypeWriter({
    reference(id) {
      const name = use(fileOf(id), nameOf(id));
      return kinds.has(id) ? `${use('meta-v1', 'Embedded')}<${name}>` : name;
    },
    readonly: false,
    unknown: 'unknown',
    isRequired: (schema, field) => requiredInPractice(schema, field, schemas),
  });
  const texts = ids.map(id => {
    const schema = schemas[id]!;
    const kind = kinds.get(id);
    const body = kind
      ? kindText(kind, schema, writer, use)
      : (precise[id] ?? (schema.properties ? fieldsText(id, schema, writer) : writer.type(schema, 0)));
    return `${descriptionComment(schema.description, 0)}export type ${nameOf(id)} = ${body};\n`;
  });
  if (file === 'meta-v1') texts.push(HELPERS);
  const lines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, names]) => `import type {${[...names].sort().join(', ')}} from './${from}.ts';\n`);
  return `${NOTICE}${lines.join('')}\n${texts.join('\n')}`;
}

/** Conditions have one of three states, which the schemas do not say. */
function fieldsText(id: string, schema: OpenApiSchema, writer: TypeWriter): string {
  const status = schema.properties?.status;
  if (!id.endsWith('Condition') || status?.type !== 'string') return writer.fields(schema, 0);
  const states = {...status, enum: ['True', 'False', 'Unknown']};
  return writer.fields({...schema, properties: {...schema.properties, status: states}}, 0);
}

function kindText(
  {apiVersion, kind, stored}: BuiltInKind,
  schema: OpenApiSchema,
  writer: TypeWriter,
  use: (file: string, name: string) => string,
): string {
  const types: Record<string, string> = {
    apiVersion: JSON.stringify(apiVersion),
    kind: JSON.stringify(kind),
    metadata: use('meta-v1', stored ? 'NamedObjectMeta' : 'ObjectMeta'),
  };
  const lines = Object.entries(schema.properties ?? {}).map(([field, inner]) =>
    writer.field(field, inner, field in types || writer.isRequired(schema, field), 0, types[field]),
  );
  return `{\n${lines.join('\n')}\n}`;
}

/** Exports every name once. If two groups have a name, the core group or the first group wins. */
function indexText(ids: string[], kinds: Map<string, BuiltInKind>): string {
  const order = (file: string) => (file === 'core-v1' ? 0 : file === 'meta-v1' ? 1 : 2);
  const files = [...new Set(ids.map(fileOf))].sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
  const taken = new Set<string>();
  const lines: string[] = [];
  for (const file of files) {
    const own = ids.filter(id => fileOf(id) === file).map(nameOf);
    if (file === 'meta-v1') own.push('NamedObjectMeta', 'Embedded');
    const free = own.filter(name => !taken.has(name)).sort();
    for (const name of free) taken.add(name);
    if (free.length > 0)
      lines.push(`export type {\n${free.map(name => `  ${name},\n`).join('')}} from './${file}.ts';`);
    lines.push(`export type * as ${namespaceOf(file)} from './${file}.ts';`);
  }
  return `${NOTICE}${kindMap([...kinds.values()])}\n${lines.join('\n')}\n`;
}

/** A type from apiVersion and kind to the type of the object. */
function kindMap(kinds: BuiltInKind[]): string {
  const imports = new Set<string>();
  const groups = [...Map.groupBy(kinds, kind => kind.apiVersion)].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = groups.map(([apiVersion, own]) => {
    const lines = own
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
      .map(({kind, id}) => {
        imports.add(fileOf(id));
        return `    ${kind}: ${namespaceOf(fileOf(id))}.${nameOf(id)};`;
      });
    return `  ${JSON.stringify(apiVersion)}: {\n${lines.join('\n')}\n  };`;
  });
  const head = [...imports]
    .sort()
    .map(file => `import type * as ${namespaceOf(file)} from './${file}.ts';`)
    .join('\n');
  return `${head}\n\n/** The type of each built-in kind by its apiVersion and kind. */\nexport type BuiltInObjects = {\n${texts.join('\n')}\n};\n`;
}
