// Formulas that tests copy: every recipe, and formulas that a seeded generator composes from the words of docs/formulas.md.
import type {Graph} from '../../../shared/src/graph.ts';
import {recipes} from '../../../shared/src/recipes/recipes.ts';
import type {Draft} from '../../../web/src/lab/draft/drafts.ts';

const source = (name: string, kind: string, group = '', version = 'v1') => ({
  name,
  resource: {
    group,
    version,
    resource: name.toLowerCase(),
    kind,
    namespaced: !/^N(odes|amespaces)$/.test(name),
  },
});

/** The collections that the formulas read. */
export const graph = {
  collections: [
    source('Pods', 'Pod'),
    source('Services', 'Service'),
    source('Namespaces', 'Namespace'),
    source('Nodes', 'Node'),
    source('Secrets', 'Secret'),
    source('ConfigMaps', 'ConfigMap'),
    source('Deployments', 'Deployment', 'apps'),
    source('ReplicaSets', 'ReplicaSet', 'apps'),
    source('PodDisruptionBudgets', 'PodDisruptionBudget', 'policy'),
    source('HorizontalPodAutoscalers', 'HorizontalPodAutoscaler', 'autoscaling', 'v2'),
    source('EndpointSlices', 'EndpointSlice', 'discovery.k8s.io'),
    source('NetworkPolicies', 'NetworkPolicy', 'networking.k8s.io'),
    source('HTTPRoutes', 'HTTPRoute', 'gateway.networking.k8s.io'),
    source('Gateways', 'Gateway', 'gateway.networking.k8s.io'),
  ],
} as unknown as Graph;

const draftOf = (formula: Pick<Draft, 'name' | 'kind' | 'input' | 'code' | 'params'>): Draft => ({
  id: formula.name,
  pins: [],
  history: [],
  ...formula,
});

export const recipeDrafts: Draft[] = recipes.map(({name, kind, input, code}) =>
  draftOf({name, kind, input, code}),
);

/** A text of helpers.ts, and formulas that use it and groups. */
export const helperFile = `// Shared by formulas.
interface Counted {n: number}
const step = 2;
export const twice = (row: Counted): Counted => ({n: row.n * step});
export function podsIn(ctx: Context, ns: string) {
  return ctx.fetch(Pods, namespace(ns));
}
`;

export const sharingDrafts: Draft[] = [
  draftOf({
    name: 'Helped',
    kind: 'one',
    input: 'Namespaces',
    code: '(ctx, ns) => twice({n: podsIn(ctx, ns.metadata.name).length})',
  }),
  draftOf({
    name: 'Grouped',
    kind: 'many',
    input: 'Pods by spec.nodeName',
    code: '(ctx, group) => group.objects.map(pod => ({key: group.key + keyOf(pod), of: group.objects.length}))',
  }),
];

/** Inputs with a namespace. */
const inputs = ['Pods', 'Services', 'ConfigMaps', 'Deployments', 'ReplicaSets'];

const fetches = [
  'ctx.fetch(Pods, namespace(namespaceOf(item)))',
  'ctx.fetch(Pods, label(item.metadata.labels))',
  "ctx.fetch(Pods, label({matchExpressions: [{key: 'app', operator: 'In', values: ['a', 'b']}]}))",
  "ctx.fetch(Pods, namespace('shop'), generic(pod => pod.spec.containers.length > 1))",
  "ctx.fetch(Pods, keys('shop/pod-0', ['bank/pod-1']))",
  "ctx.fetch(Pods, index(Pods, 'spec.nodeName', 'n1'))",
  "ctx.fetch(Pods, index(Pods, 'spec.containers.image', 'nginx'))",
  "ctx.fetch(collection('Pods'), name('pod-0', namespaceOf(item)))",
  'ctx.fetch(Pods, selects(item.metadata.labels))',
];
const expressions = [
  'pods.length',
  'pods.map(nameOf)',
  'countBy(pods, pod => pod.spec.nodeName)',
  'sum(pods.flatMap(pod => pod.spec.containers), one => quantity(one.resources?.requests?.cpu ?? 0))',
  'unique(pods.flatMap(pod => pod.spec.containers.map(one => one.image ?? ""))).sort()',
  'pods.map(pod => rootOwner(pod)?.name ?? null)',
  'pods.filter(isReady).length',
  'Object.keys(groupBy(pods, pod => labelsOf(pod).app)).sort()',
  "matches({matchExpressions: [{key: 'app', operator: 'NotIn', values: ['c']}]}, labelsOf(item))",
  'ctx.fetchOne(ReplicaSets, key(namespaceOf(item) + "/rs-0"))?.metadata.name ?? null',
  "param('limit', 3) + pods.length",
  "param('word', 'none') + keyOf(item)",
  'decodeBase64(encodeBase64(nameOf(item)))',
  'Math.floor(ctx.minute() / 3_600_000)',
  "certificates('').length",
  "ownerOf(item)?.kind ?? '(none)'",
  "time('2026-01-01T00:00:00Z')",
];
/** Each gives rows of another form: an object, its own key, a list, nothing, a discarded result. */
const results: {kind: Draft['kind']; text: (fields: string) => string}[] = [
  {kind: 'one', text: fields => `return {${fields}};`},
  {kind: 'one', text: fields => `return {key: \`own \${keyOf(item)}\`, ${fields}};`},
  {kind: 'one', text: fields => `if (pods.length === 0) return null;\n  return {${fields}};`},
  {
    kind: 'one',
    text: fields => `if (nameOf(item).endsWith('1')) return ctx.discard();\n  return {${fields}};`,
  },
  {kind: 'one', text: () => 'return keyOf(item);'},
  {kind: 'one', text: () => 'return pods.length;'},
  {
    kind: 'many',
    text: fields => `return pods.map(pod => ({key: \`\${keyOf(item)} \${keyOf(pod)}\`, ${fields}}));`,
  },
  {
    kind: 'many',
    text: () => 'if (pods.length < 2) return;\n  return pods.map(pod => keyOf(item) + nameOf(pod));',
  },
  {kind: 'singleton', text: fields => `return {${fields}};`},
];
/** Code keeps what stands after it. */
const ends = ['', ';', ' // the end', ';\n// the end', ' /* end */ '];

/** A small generator of numbers with a seed (mulberry32). */
function seededNumbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The same seed gives the same formulas. */
export function generatedDrafts(count: number, seed: number): Draft[] {
  const below = seededNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return Array.from({length: count}, (_, at) => {
    const {kind, text} = results[at % results.length]!;
    const input = pick(inputs);
    const fields = Array.from({length: 1 + below(3)}, (__, field) => `f${field}: ${pick(expressions)}`);
    const head = kind === 'singleton' ? 'ctx' : `ctx, item`;
    const first =
      kind === 'singleton'
        ? "  const item = ctx.fetchOne(Pods, key('shop/pod-0'));\n  if (item === undefined) return null;\n"
        : '';
    const code = `(${head}) => {\n${first}  const pods = ${pick(fetches)};\n  ${text(fields.join(', '))}\n}${pick(ends)}`;
    const params = below(2) === 0 ? {limit: 7} : undefined;
    return draftOf({
      name: `Generated${at}`,
      kind,
      input: kind === 'singleton' ? undefined : input,
      code,
      params: params !== undefined && code.includes("param('limit'") ? params : undefined,
    });
  });
}
