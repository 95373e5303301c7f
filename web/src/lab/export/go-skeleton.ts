// The draft as a Go krt skeleton that compiles. The formula's text is a comment in it.
import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import {parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import type {Draft} from '../draft/drafts.ts';
import {itemParameterName} from '../draft/drafts.ts';
import type {FetchSite} from '../types/protocol.ts';
import {
  endsWithNothing,
  type GoFormula,
  goFetch,
  namespaceIndexName,
  goVariable as variableName,
} from './go-expressions.ts';

interface GoInput {
  draft: Draft;
  graph: Graph | null;
  fetches: readonly FetchSite[];
  /** A result of the formula. Its fields become the fields of the struct. */
  sample: unknown;
}

export function goSkeleton({draft, graph, fetches, sample}: GoInput): string {
  const types = new GoTypes(graph, draft.name);
  const row = exportedName(draft.name);
  const read = [...new Set(fetches.map(site => site.collection))].filter(name => name !== draft.input);
  const input = draft.kind === 'singleton' ? undefined : draft.input;
  const inputs = [...(input === undefined ? [] : [input]), ...read];
  const parameters = inputs.map(name => `${variableName(name)} krt.Collection[${types.of(name)}]`);
  const item = input === undefined ? '' : itemParameterName(input);
  const formula: GoFormula = {
    code: draft.code,
    item,
    isObject: input !== undefined && types.isObject(input),
    isNamespaced: input === undefined || types.isNamespaced(input),
  };
  const calls = fetches.map((site, at) => goFetch(site, formula, at));
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
    ...endsWithNothing(formula, calls),
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
    const group = parseGroupName(name);
    if (group !== undefined) return `krt.IndexObject[string, ${this.of(group.collection)}]`;
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

function keyOf(input: string | undefined, item: string, types: GoTypes, kind: Draft['kind']): string {
  if (kind === 'singleton' || input === undefined) return '"static"';
  if (parseGroupName(input) !== undefined) return `${item}.Key`;
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
