// The draft as a Go krt skeleton that compiles. The formula's text is a comment in it.
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {Draft} from '../draft/drafts.ts';
import {itemParameterName} from '../draft/drafts.ts';
import type {FetchSite} from '../types/protocol.ts';

interface GoInput {
  draft: Draft;
  graph: Graph | null;
  fetches: readonly FetchSite[];
  /** A result of the formula. Its fields become the fields of the struct. */
  sample: unknown;
}

const namespaceIndexName = 'ByNamespace';

export function goSkeleton({draft, graph, fetches, sample}: GoInput): string {
  const types = new GoTypes(graph, draft.name);
  const row = exportedName(draft.name);
  const read = [...new Set(fetches.map(site => site.collection))].filter(name => name !== draft.input);
  const input = draft.kind === 'singleton' ? undefined : draft.input;
  const inputs = [...(input === undefined ? [] : [input]), ...read];
  const parameters = inputs.map(name => `${variableName(name)} krt.Collection[${types.of(name)}]`);
  const item = input === undefined ? '' : itemParameterName(input);
  const calls = fetches.map((site, at) => fetchCall(site, draft, at, item));
  const byNamespace = [...new Set(calls.flatMap(call => (call.byNamespace ? [call.collection] : [])))];
  const result = draft.kind === 'many' ? `[]${row}` : `*${row}`;
  const maker = {one: 'NewCollection', many: 'NewManyCollection', singleton: 'NewSingleton'}[draft.kind];
  const made = draft.kind === 'singleton' ? `krt.Singleton[${row}]` : `krt.Collection[${row}]`;
  const arguments_ =
    input === undefined ? 'ctx krt.HandlerContext' : `ctx krt.HandlerContext, ${item} ${types.of(input)}`;
  const fields = fieldsOf(sample);
  const key = keyOf(input, item, types, draft.kind);
  const lines = [
    ...draft.code
      .trim()
      .split('\n')
      .map(line => `\t\t// ${line.replace(/^\/\/ ?/, '')}`.trimEnd()),
    ...calls.map(call => `\t\t${call.text}`),
    ...calls.map(call => `\t\t_ = ${call.name}`),
    ...(item && !calls.some(call => call.text.includes(`${item}.`)) && !key.includes(item)
      ? [`\t\t_ = ${item}`]
      : []),
    draft.kind === 'many' ? `\t\treturn []${row}{{Key: ${key}}}` : `\t\treturn &${row}{Key: ${key}}`,
  ];
  return `package ${draft.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '') || 'draft'}

import (
${types.imports().join('\n')}
)

// ${row} is a row of the collection that was drafted in krtscope's Lab.
type ${row} struct {
${alignFields([['Key', 'string'], ...fields])}
}

func (r ${row}) ResourceName() string { return r.Key }
${types.own()}
// New${row} builds the collection. The formula's text stands where its decision belongs.
func New${row}(${[...parameters, 'opts krt.OptionsBuilder'].join(', ')}) ${made} {
${byNamespace.map(name => `\t${variableName(name)}${namespaceIndexName} := krt.NewNamespaceIndex(${variableName(name)})\n`).join('')}\treturn krt.${maker}(${input === undefined ? '' : `${variableName(input)}, `}func(${arguments_}) ${result} {
${lines.join('\n')}
\t}, opts.WithName("${draft.name}")...)
}
`;
}

/** The Go type of a collection: from an API package, or a struct to fill in. */
class GoTypes {
  readonly #resources: ReadonlyMap<string, WireResource | undefined>;
  readonly #imports = new Map<string, string>();
  readonly #own = new Set<string>();
  readonly #row: string;

  constructor(graph: Graph | null, row: string) {
    this.#resources = new Map((graph?.collections ?? []).map(node => [node.name, node.resource]));
    this.#row = exportedName(row);
  }

  isObject(name: string): boolean {
    return packageOf(this.#resources.get(name)) !== undefined;
  }

  isNamespaced(name: string): boolean {
    return this.#resources.get(name)?.namespaced ?? true;
  }

  of(name: string): string {
    const resource = this.#resources.get(name);
    const path = packageOf(resource);
    if (resource === undefined || path === undefined) {
      const own = exportedName(itemParameterName(name));
      const word = own === this.#row ? `${own}Input` : own;
      this.#own.add(word);
      return word;
    }
    const alias = `${(resource.group.split('.')[0] || 'core').replaceAll('-', '')}${resource.version}`;
    this.#imports.set(alias, path);
    return `*${alias}.${resource.kind}`;
  }

  imports(): string[] {
    const kubernetes = [...this.#imports].sort().map(([alias, path]) => `\t${alias} "${path}"`);
    return [...kubernetes, ...(kubernetes.length > 0 ? [''] : []), '\t"istio.io/istio/pkg/kube/krt"'];
  }

  own(): string {
    return [...this.#own]
      .map(
        name => `
// ${name} stands for a collection of yours: give it its fields.
type ${name} struct {
	Namespace string
	Name      string
	Labels    map[string]string
}

func (r ${name}) ResourceName() string { return r.Namespace + "/" + r.Name }
func (r ${name}) GetNamespace() string { return r.Namespace }
`,
      )
      .join('');
  }
}

function packageOf(resource: WireResource | undefined): string | undefined {
  if (resource === undefined) return undefined;
  const {group, version} = resource;
  if (group === '') return `k8s.io/api/core/${version}`;
  if (group === 'gateway.networking.k8s.io') return `sigs.k8s.io/gateway-api/apis/${version}`;
  const known = ['apps', 'batch', 'autoscaling', 'policy'];
  if (known.includes(group)) return `k8s.io/api/${group}/${version}`;
  const match =
    /^(networking|discovery|rbac\.authorization|storage|coordination|events|scheduling)\.k8s\.io$/.exec(
      group,
    );
  return match ? `k8s.io/api/${match[1]!.split('.')[0]}/${version}` : undefined;
}

interface FetchCall {
  collection: string;
  name: string;
  text: string;
  byNamespace: boolean;
}

function fetchCall(site: FetchSite, draft: Draft, at: number, item: string): FetchCall {
  const own = draft.code.slice(site.from, site.to);
  const collection = variableName(site.collection);
  const filters: string[] = [];
  let byNamespace = false;
  const argument = (word: string) =>
    new RegExp(`(?<![\\w.])${word}\\(([^()]*(?:\\([^()]*\\))?[^()]*)\\)`).exec(own)?.[1];
  const namespace = argument('namespace');
  if (namespace !== undefined) {
    byNamespace = true;
    filters.push(
      `krt.FilterIndex(${collection}${namespaceIndexName}, ${translateToGo(namespace, item, '""')})`,
    );
  }
  const take: [word: string, filter: string, none: string][] = [
    ['key', 'FilterKey', '""'],
    ['label', 'FilterLabel', 'map[string]string{}'],
    ['selects', 'FilterSelects', 'map[string]string{}'],
    ['selectsNonEmpty', 'FilterSelectsNonEmpty', 'map[string]string{}'],
  ];
  for (const [word, filter, none] of take) {
    const text = argument(word);
    if (text !== undefined) filters.push(`krt.${filter}(${translateToGo(text, item, none)})`);
  }
  for (const word of ['generic', 'index', 'keys', 'name']) {
    if (new RegExp(`(?<![\\w.])${word}\\(`).test(own))
      filters.push(`krt.FilterGeneric(func(any) bool { return true /* ${word}(…) */ })`);
  }
  const name = `${collection}Found${at === 0 ? '' : at + 1}`;
  const verb = /\.fetchOne\(/.test(own) ? 'FetchOne' : 'Fetch';
  return {
    collection: site.collection,
    name,
    byNamespace,
    text: `${name} := krt.${verb}(ctx, ${[collection, ...filters].join(', ')})`,
  };
}

/** Translates what both languages share. Other code becomes a zero value with the text as a comment. */
function translateToGo(text: string, item: string, none: string): string {
  const plain = text.trim();
  const fields: Record<string, string> = {namespace: 'Namespace', name: 'Name', labels: 'Labels'};
  const found = /^(\w+)\.(?:metadata\.)?(\w+)$/.exec(plain);
  if (found && found[1] === item && fields[found[2]!]) return `${item}.${fields[found[2]!]}`;
  if (/^'[^'\\]*'$/.test(plain)) return JSON.stringify(plain.slice(1, -1));
  return `${none} /* ${plain.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`;
}

function keyOf(input: string | undefined, item: string, types: GoTypes, kind: Draft['kind']): string {
  if (kind === 'singleton' || input === undefined) return '"static"';
  if (!types.isObject(input)) return `${item}.ResourceName()`;
  return types.isNamespaced(input) ? `${item}.Namespace + "/" + ${item}.Name` : `${item}.Name`;
}

/** Without `key`, which the struct has already. */
function fieldsOf(sample: unknown): [name: string, type: string][] {
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return [];
  return Object.entries(sample)
    .filter(([name]) => name !== 'key' && /^[A-Za-z]\w*$/.test(name))
    .map(([name, value]) => [exportedName(name), goType(value)]);
}

/** In gofmt style. */
function alignFields(fields: [name: string, type: string][]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, type]) => `\t${name.padEnd(width)} ${type}`).join('\n');
}

function goType(value: unknown): string {
  if (typeof value === 'string' || value === null) return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float64';
  if (Array.isArray(value)) return `[]${value.length > 0 ? goType(value[0]) : 'string'}`;
  const [first] = Object.values(value as object);
  return `map[string]${first === undefined ? 'string' : goType(first)}`;
}

function exportedName(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll(/\W/g, '');
}

function variableName(name: string): string {
  const word = name.slice(0, 1).toLowerCase() + name.slice(1).replaceAll(/\W/g, '');
  return ['type', 'func', 'range', 'map', 'package', 'opts', 'ctx'].includes(word) ? `${word}s` : word;
}
