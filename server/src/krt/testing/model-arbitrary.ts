// Generators of the model test: random graphs and random scripts, all of them valid.
import fc from 'fast-check';
import type {
  CaseSpec,
  Condition,
  FetchSpec,
  FilterKind,
  FormulaSpec,
  Item,
  Labels,
  NodeSpec,
  Operation,
} from './model-spec.ts';
import {FAULTS, TRIGGERS} from './model-spec.ts';

const small = fc.nat(30);
const conditions: Condition[] = ['never', 'never', 'never', 'n is 3', 'n is 2', 'found none', 'found some'];
const filterSets: FilterKind[][] = [
  [],
  ['key'],
  ['keys'],
  ['namespace'],
  ['label'],
  ['selects'],
  ['selectsNonEmpty'],
  ['index'],
  ['generic'],
  ['namespace', 'label'],
  ['namespace', 'selectsNonEmpty'],
  ['namespace', 'selects'],
  ['key', 'label'],
  ['keys', 'namespace'],
  ['index', 'label'],
  ['index', 'namespace', 'generic'],
  ['label', 'selects'],
  ['generic', 'namespace'],
];

const item: fc.Arbitrary<Item> = fc.record(
  {
    key: fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5'),
    ns: fc.constantFrom('a', 'b'),
    labels: fc.constantFrom<Labels[]>(
      {},
      {app: 'x'},
      {app: 'y'},
      {app: 'x', tier: 'db'},
      {app: 'y', tier: 'db'},
      {tier: 'web'},
    ),
    selector: fc.constantFrom<Labels[]>({}, {app: 'x'}, {app: 'y'}, {tier: 'db'}, {app: 'x', tier: 'db'}),
    n: fc.nat(4),
    ref: fc.constantFrom('k1', 'k2', 'k3', 'k9'),
    tag: fc.constantFrom('', 't'),
  },
  {requiredKeys: ['key', 'ns', 'labels', 'n', 'ref', 'tag']},
);

interface RawFetch {
  target: number;
  filters: FilterKind[];
  how: FetchSpec['how'];
  when: FetchSpec['when'];
}

const rawFetch: fc.Arbitrary<RawFetch> = fc.record({
  target: small,
  filters: fc.constantFrom(...filterSets),
  how: fc.constantFrom<FetchSpec['how'][]>('fetch', 'fetch', 'fetch', 'one', 'partial', 'exists'),
  when: fc.constantFrom<FetchSpec['when'][]>('always', 'always', 'odd', 'found'),
});

const rawFormula = fc.record({
  fetches: fc.array(rawFetch, {maxLength: 3}),
  fail: fc.constantFrom(...conditions),
  discard: fc.constantFrom(...conditions),
  keys: fc.constantFrom<FormulaSpec['keys'][]>('same', 'same', 'same', 'rename', 'collide'),
  coarse: fc.boolean(),
  drop: fc.boolean(),
  trigger: fc.constantFrom(undefined, undefined, 0, 1),
});

type Kind = NodeSpec['kind'];
const kinds: Kind[] = [
  'source',
  'static',
  'one',
  'one',
  'one',
  'many',
  'many',
  'singleton',
  'nothing',
  'status',
  'statusMany',
  'map',
  'join',
  'unchecked',
  'merge',
  'nested',
  'group',
];

const rawNode = fc.record({
  kind: fc.constantFrom(...kinds),
  a: small,
  b: small,
  c: small,
  late: fc.constantFrom(false, false, true),
  by: fc.constantFrom<('ns' | 'n')[]>('ns', 'n'),
  formula: rawFormula,
});

type RawNode = typeof rawNode extends fc.Arbitrary<infer T> ? T : never;

function nodeOf(raw: RawNode, i: number): NodeSpec {
  const pick = (n: number) => n % i;
  if (i < 2 || raw.kind === 'source') return {kind: 'source', late: raw.late};
  const formula: FormulaSpec = {
    ...raw.formula,
    fetches: raw.formula.fetches.map(f => ({...f, target: pick(f.target)})),
  };
  const inputs = [...new Set([pick(raw.a), pick(raw.b), pick(raw.c)])];
  switch (raw.kind) {
    case 'static':
      return {kind: 'static', late: raw.late};
    case 'one':
    case 'many':
    case 'status':
    case 'statusMany':
      return {kind: raw.kind, input: pick(raw.a), formula};
    case 'singleton':
    case 'nothing':
      return {kind: raw.kind, formula};
    case 'map':
      return {kind: 'map', input: pick(raw.a)};
    case 'group':
      return {kind: 'group', input: pick(raw.a), by: raw.by};
    case 'nested':
      return {kind: 'nested', inputs, attached: inputs.slice(raw.c % 2)};
    default:
      return {kind: raw.kind, inputs};
  }
}

const rawOperation = fc.record({
  do: fc.constantFrom<Operation['do'][]>(
    ...(['set', 'set', 'set', 'setIf', 'touch', 'relabel', 'move', 'delete', 'delete', 'recreate'] as const),
    ...([
      'deleteSome',
      'reset',
      'sync',
      'sync',
      'attach',
      'detach',
      'trigger',
      'replace',
      'create',
      'stop',
      'throw',
    ] as const),
  ),
  node: small,
  member: small,
  item,
  items: fc.array(item, {maxLength: 4}),
});

type RawOperation = typeof rawOperation extends fc.Arbitrary<infer T> ? T : never;

/** The node of one of these kinds that the number selects, if there is one. */
function among(nodes: readonly NodeSpec[], n: number, ok: (spec: NodeSpec) => boolean): number | undefined {
  const fit = nodes.flatMap((spec, i) => (ok(spec) ? [i] : []));
  return fit.length === 0 ? undefined : fit[n % fit.length];
}

function operationOf(raw: RawOperation, nodes: readonly NodeSpec[]): Operation[] {
  const source = among(nodes, raw.node, s => s.kind === 'source' || s.kind === 'static')!;
  switch (raw.do) {
    case 'sync': {
      const node = among(nodes, raw.node, s => 'late' in s && s.late);
      return node === undefined ? [] : [{do: 'sync', node}];
    }
    case 'attach':
    case 'detach': {
      const node = among(nodes, raw.node, s => s.kind === 'nested');
      if (node === undefined) return [];
      const {inputs} = nodes[node] as Extract<NodeSpec, {kind: 'nested'}>;
      return [{do: raw.do, node, member: inputs[raw.member % inputs.length]!}];
    }
    case 'replace': {
      const node = among(nodes, raw.node, s => ['one', 'many', 'singleton'].includes(s.kind));
      return node === undefined ? [] : [{do: 'replace', node, salt: raw.member % 3}];
    }
    case 'trigger':
      return [{do: 'trigger', trigger: raw.node % TRIGGERS, value: raw.member % 3}];
    case 'reset':
      return [{do: 'reset', node: source, items: raw.items}];
    case 'deleteSome':
      return [{do: 'deleteSome', node: source, ns: raw.item.ns}];
    case 'create':
    case 'stop':
    case 'throw':
      return [{do: raw.do}];
    default:
      return [{do: raw.do, node: source, item: raw.item}];
  }
}

export interface Size {
  readonly nodes: number;
  readonly batches: number;
  /** Functions of the graph throw, too. */
  readonly faults?: boolean;
}

export function caseSpec(size: Size): fc.Arbitrary<CaseSpec> {
  return fc
    .record({
      nodes: fc.array(rawNode, {minLength: 3, maxLength: size.nodes}),
      initial: fc.array(fc.array(item, {maxLength: 4}), {minLength: 2, maxLength: size.nodes}),
      created: small,
      quiet: fc.boolean(),
      faults: size.faults ? fc.subarray([...FAULTS], {minLength: 1}) : fc.constant([]),
      batches: fc.array(
        fc.oneof(
          fc.array(rawOperation, {minLength: 1, maxLength: 1}),
          fc.array(rawOperation, {minLength: 1, maxLength: 5}),
        ),
        {
          minLength: 1,
          maxLength: size.batches,
        },
      ),
    })
    .map(raw => {
      const nodes = raw.nodes.map(nodeOf);
      const initial = nodes.map((spec, i) => {
        if (spec.kind === 'source') return raw.initial[i] ?? [];
        return spec.kind === 'static' ? (raw.initial[i] ?? []).slice(0, 1) : [];
      });
      const batches = raw.batches.map(ops => ops.flatMap(op => operationOf(op, nodes)));
      return {
        quiet: raw.quiet,
        faults: raw.faults,
        nodes,
        initial,
        created: Math.max(2, nodes.length - (raw.created % 3)),
        batches,
      };
    });
}
