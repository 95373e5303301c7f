// One view of field schemas, for built-in kinds (OpenAPI with $ref) and custom ones (structural schemas).
// Decoding, defaulting, merging and field ownership use it.
import type {JsonObject} from '../object/stored-object.ts';
import {isObject} from '../object/stored-object.ts';
import {dumpedDocument} from './dumped-schemas.ts';

type SchemaType = 'object' | 'map' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'scalar' | 'any';

const PREFIX = '#/components/schemas/';
const SCALARS: Record<string, string> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'intstr.IntOrString',
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'resource.Quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'v1.Time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'v1.MicroTime',
};
const ANYTHING = new Set([
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
]);

/** A schema node. Creates its children on first use, because schemas may be recursive. */
export class FieldSchema {
  /** The node as declared, with its extensions and defaults. */
  readonly outer: JsonObject;
  /** The node that the reference points to. */
  readonly inner: JsonObject;
  /** Full name of the referenced definition, or ''. */
  readonly definition: string;
  readonly #document: string;
  readonly #fields = new Map<string, FieldSchema | undefined>();
  #type: SchemaType | undefined;
  #structs: string[] | undefined;
  #items: FieldSchema | undefined;
  #values: FieldSchema | undefined;

  constructor(node: JsonObject, document: string) {
    this.outer = node;
    this.#document = document;
    const reference = referenceOf(node);
    this.definition = reference;
    const found = reference === '' ? undefined : dumpedDocument(document).components.schemas[reference];
    this.inner = found ?? node;
  }

  get type(): SchemaType {
    this.#type ??= this.#readType();
    return this.#type;
  }

  #readType(): SchemaType {
    if (ANYTHING.has(this.definition)) return 'any';
    if (this.definition in SCALARS || this.inner['x-kubernetes-int-or-string'] === true) return 'scalar';
    const type = this.inner.type;
    if (type === 'object' || (type === undefined && this.inner.properties !== undefined)) {
      if (isObject(this.inner.properties)) return 'object';
      if (isObject(this.inner.additionalProperties)) return 'map';
      return this.#document === '' ? 'object' : 'any';
    }
    if (
      type === 'array' ||
      type === 'string' ||
      type === 'integer' ||
      type === 'number' ||
      type === 'boolean'
    )
      return type;
    return 'any';
  }

  /** Whether this is a custom resource's schema, which treats unknown fields and rules differently. */
  get custom(): boolean {
    return this.#document === '';
  }

  get format(): string {
    const format = this.inner.format;
    return typeof format === 'string' ? format : '';
  }

  get default(): unknown {
    return this.outer.default ?? this.inner.default;
  }

  /** "map", "set" or "atomic". Lists are atomic by default. */
  get listType(): string {
    const type = this.extension('x-kubernetes-list-type');
    return typeof type === 'string' ? type : 'atomic';
  }

  get listKeys(): string[] {
    const keys = this.extension('x-kubernetes-list-map-keys');
    return Array.isArray(keys) ? (keys as string[]) : [];
  }

  get atomic(): boolean {
    return this.extension('x-kubernetes-map-type') === 'atomic';
  }

  get preservesUnknown(): boolean {
    return this.inner['x-kubernetes-preserve-unknown-fields'] === true;
  }

  get required(): string[] {
    const required = this.inner.required;
    return Array.isArray(required) ? (required as string[]) : [];
  }

  get patchMergeKey(): string {
    const key = this.extension('x-kubernetes-patch-merge-key');
    return typeof key === 'string' ? key : '';
  }

  get patchStrategy(): string[] {
    const text = this.extension('x-kubernetes-patch-strategy');
    return typeof text === 'string' ? text.split(',') : [];
  }

  extension(name: string): unknown {
    return this.outer[name] ?? this.inner[name];
  }

  /** Fields that hold a struct by value, which Go always prints. OpenAPI marks them with the default {}. */
  get structFields(): string[] {
    this.#structs ??= this.fieldNames().filter(name => {
      const field = this.field(name)!;
      const {default: value} = field.outer;
      return (
        field.type === 'object' &&
        field.definition !== '' &&
        isObject(value) &&
        Object.keys(value).length === 0
      );
    });
    return this.#structs;
  }

  fieldNames(): string[] {
    return isObject(this.inner.properties) ? Object.keys(this.inner.properties) : [];
  }

  field(name: string): FieldSchema | undefined {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const properties = this.inner.properties;
    const node = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const field = isObject(node) ? new FieldSchema(node, this.#document) : undefined;
    this.#fields.set(name, field);
    return field;
  }

  get items(): FieldSchema | undefined {
    if (!this.#items && isObject(this.inner.items))
      this.#items = new FieldSchema(this.inner.items, this.#document);
    return this.#items;
  }

  /** The schema of a map's values. */
  get values(): FieldSchema | undefined {
    const node = this.inner.additionalProperties;
    if (!this.#values && isObject(node)) this.#values = new FieldSchema(node, this.#document);
    return this.#values;
  }

  /** The child schema of a field of an object or a key of a map. */
  child(name: string): FieldSchema | undefined {
    return this.field(name) ?? this.values;
  }

  /** Another node of the same document, for branches such as oneOf. */
  like(node: JsonObject): FieldSchema {
    return new FieldSchema(node, this.#document);
  }

  /** The Go type in a decoding error: "v1.PodSpec", "[]v1.Container", "map[string]string", "int32". */
  get goType(): string {
    if (this.definition !== '') return SCALARS[this.definition] ?? goName(this.definition);
    switch (this.type) {
      case 'array':
        return `[]${this.items?.goType ?? 'interface {}'}`;
      case 'map':
        return `map[string]${this.values?.goType ?? 'interface {}'}`;
      case 'string':
        return this.format === 'byte' ? '[]uint8' : 'string';
      case 'integer':
        return this.format === '' ? 'int' : this.format;
      case 'number':
        return 'float64';
      case 'boolean':
        return 'bool';
      default:
        return 'interface {}';
    }
  }
}

function referenceOf(node: JsonObject): string {
  const all = node.allOf;
  const holder = Array.isArray(all) && all.length === 1 && isObject(all[0]) ? all[0] : node;
  const reference = holder.$ref;
  return typeof reference === 'string' && reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : '';
}

/** "io.k8s.api.core.v1.PodSpec" is Go's v1.PodSpec. */
function goName(definition: string): string {
  return definition.split('.').slice(-2).join('.');
}

/** The schema of a dumped kind, found by its group, version and kind. */
export function builtInSchema(group: string, version: string, kind: string): FieldSchema | undefined {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const schemas = dumpedDocument(groupVersion).components.schemas;
  for (const [name, node] of Object.entries(schemas)) {
    const kinds = node['x-kubernetes-group-version-kind'];
    if (!Array.isArray(kinds)) continue;
    const own = kinds.some(k => isObject(k) && k.group === group && k.version === version && k.kind === kind);
    if (own && name.endsWith(`.${kind}`)) return new FieldSchema({$ref: PREFIX + name}, groupVersion);
  }
  return undefined;
}
