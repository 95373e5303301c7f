// Defines a custom resource once: kinds with types, the CRD, validation and conversion.

import type {z} from 'zod';
import type {KubeObject} from '../../kube/object.ts';
import {type Kind, kind} from '../scheme/kind.ts';
import {type Conversion, Converter} from './conversion.ts';
import type {
  CustomResourceVersion,
  CustomResourceVersions,
  InputOfVersion,
  ObjectOfVersion,
} from './custom-resource-version.ts';
import {type DefinitionOptions, definitionOf, definitionYaml} from './resource-definition.ts';

/** The type of the objects of a kind: `type Database = ObjectOf<typeof Database>`. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

/** The type of objects on write, where fields with defaults are optional. */
export type InputOf<R, Name extends string> =
  R extends CustomResource<infer V, infer Group, infer KindName>
    ? Name extends keyof V
      ? InputOfVersion<V[Name], `${Group}/${Name}`, KindName>
      : never
    : never;

export interface ResourceOptions<
  V extends CustomResourceVersions,
  Hub extends keyof V & string,
  Group extends string = string,
  KindName extends string = string,
> {
  group: Group;
  kind: KindName;
  /** In lower case. Default: the kind with an s. */
  plural?: string;
  singular?: string;
  scope?: 'Namespaced' | 'Cluster';
  shortNames?: readonly string[];
  categories?: readonly string[];
  versions: V;
  /** The version that all conversions go through. */
  hub?: Hub;
  conversions?: {
    [Name in Exclude<keyof V & string, Hub>]: Conversion<ObjectOfVersion<V[Name]>, ObjectOfVersion<V[Hub]>>;
  };
}

export interface Problem {
  /** `spec.replicas`. */
  field: string;
  message: string;
}

export interface CustomResource<
  V extends CustomResourceVersions = CustomResourceVersions,
  Group extends string = string,
  KindName extends string = string,
> {
  readonly group: Group;
  readonly kind: KindName;
  readonly plural: string;
  readonly stored: string;
  /** One kind for each version: `kinds.v1`. */
  readonly kinds: {
    readonly [Name in keyof V & string]: Kind<ObjectOfVersion<V[Name], `${Group}/${Name}`, KindName>>;
  };
  /** Undefined without conversions. */
  readonly converter: Converter | undefined;
  /** Returns the CustomResourceDefinition object. With several versions it needs `conversion`. */
  definition(options?: DefinitionOptions): KubeObject;
  /** Returns the CustomResourceDefinition as YAML, for `kubectl apply -f`. */
  yaml(options?: DefinitionOptions): string;
  /** Checks an object against the schema of its version. Only the server evaluates CEL rules. */
  validate(object: KubeObject): Problem[];
}

/** Throws on a definition that a server would refuse: stored versions, conversions or a schema that is not structural. */
export function defineResource<
  const V extends CustomResourceVersions,
  const Group extends string,
  const KindName extends string,
  const Hub extends keyof V & string = keyof V & string,
>(options: ResourceOptions<V, Hub, Group, KindName>): CustomResource<V, Group, KindName> {
  const names = Object.keys(options.versions);
  const title = `${options.kind} (${options.group})`;
  const stored = storageVersionOf(title, options.versions);
  const plural = options.plural ?? `${options.kind.toLowerCase()}s`;
  if (plural !== plural.toLowerCase())
    throw new Error(`${title}: the plural ${plural} must be in lower case`);
  const converter = converterOf(title, options as never);
  const kinds = Object.fromEntries(
    names.map(name => [name, kind<KubeObject>(`${options.group}/${name}`, options.kind)]),
  );
  const parts = {...options, plural, stored, convertible: converter !== undefined};
  // Check the schema at once, not at its first use.
  definitionOf(parts, {conversion: 'None'});
  return {
    group: options.group,
    kind: options.kind,
    plural,
    stored,
    kinds: kinds as unknown as CustomResource<V, Group, KindName>['kinds'],
    converter,
    definition: (how = {}) => definitionOf(parts, how),
    yaml: (how = {}) => definitionYaml(definitionOf(parts, how)),
    validate: object => problemsOf(options.versions, options.group, object),
  };
}

function storageVersionOf(title: string, versions: CustomResourceVersions): string {
  const names = Object.keys(versions);
  if (names.length === 0) throw new Error(`${title}: add a version, such as v1alpha1`);
  const marked = names.filter(name => versions[name]!.stored);
  if (names.length === 1) return names[0]!;
  if (marked.length === 1) return marked[0]!;
  throw new Error(
    `${title}: ${marked.length} versions are stored; mark exactly one of ${names.join(', ')} as stored`,
  );
}

function converterOf(
  title: string,
  options: {
    group: string;
    kind: string;
    versions: CustomResourceVersions;
    hub?: string;
    conversions?: Record<string, Conversion<KubeObject, KubeObject>>;
  },
): Converter | undefined {
  const {hub, conversions} = options;
  const names = Object.keys(options.versions);
  if (!hub && !conversions) return undefined;
  if (!hub || !names.includes(hub))
    throw new Error(`${title}: set hub to the version that all conversions go through`);
  const missing = names.filter(name => name !== hub && !conversions?.[name]);
  if (missing.length > 0)
    throw new Error(
      `${title}: ${missing.join(', ')} cannot be converted; every version but the hub ${hub} needs a conversion`,
    );
  const unknown = Object.keys(conversions ?? {}).filter(name => name === hub || !names.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `${title}: there is a conversion of ${unknown.join(', ')}, which is ${unknown.includes(hub) ? 'the hub' : 'no version'}`,
    );
  return new Converter(options.group, options.kind, hub, new Map(Object.entries(conversions ?? {})));
}

function problemsOf(versions: CustomResourceVersions, group: string, object: KubeObject): Problem[] {
  const name = (object.apiVersion ?? '').slice(group.length + 1);
  const version = Object.hasOwn(versions, name) ? versions[name] : undefined;
  if (!version)
    return [
      {
        field: 'apiVersion',
        message: `${object.apiVersion} is none of ${Object.keys(versions)
          .map(one => `${group}/${one}`)
          .join(', ')}`,
      },
    ];
  return Object.entries(fieldsOf(version)).flatMap(([field, schema]) => {
    if (object[field] === undefined && field !== 'spec') return [];
    const parsed = schema.safeParse(object[field]);
    return (parsed.error?.issues ?? []).map(issue => ({
      field: fieldPath(field, issue.path),
      message: issue.message,
    }));
  });
}

function fieldPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${String(step)}`),
    root,
  );
}

export function fieldsOf(version: CustomResourceVersion): Record<string, z.ZodType> {
  return {...version.fields, spec: version.spec, ...(version.status ? {status: version.status} : {})};
}
