// From the graph answer to the drawing: fold indexes and copies, take hops, rank, cut to the budget, quieten hubs.
import type {CollectionNode, Graph, GraphEdge} from '@krtscope/shared/graph.ts';
import {
  type Adjacency,
  buildAdjacency,
  type ConeSide,
  type Drawing,
  type DrawingChoice,
  type DrawnEdge,
  type DrawnNode,
  distancesFrom,
  pushTo,
  type Stub,
} from './drawing.ts';
import {isBroken, isIdle, isWaiting, rankNode} from './node-rank.ts';

/** A source that many read and nothing is computed from one by one; its wires would tie the drawing into a knot. */
const HUB_READERS = 5;
/** A collection that reads more than this counts its wires in place of drawing them. */
const WIDE_READER = 7;

export const MAX_NODES = 500;

interface FoldedGraph {
  nodes: Map<string, CollectionNode>;
  edges: (GraphEdge & {index?: string})[];
  indexes: Map<string, string[]>;
  copies: Map<string, string[]>;
}

export function createDrawing(graph: Graph, choice: DrawingChoice): Drawing {
  const folded = foldGraph(graph);
  const near = buildAdjacency(folded.edges);
  const focus = choice.focus === undefined ? undefined : ownerOf(folded, choice.focus);
  const cone = coneOf(focus, near);
  const {kept, left, matched} = selectNodes(folded, near, cone, focus, choice);
  const between = edgesBetween(folded.edges, kept, cone);
  const [quiet, edges] = partition(between, createQuietEdgeTest(folded, near, focus));
  const nodes = [...kept].map(
    (name): DrawnNode => ({
      id: name,
      collection: folded.nodes.get(name)!,
      indexes: folded.indexes.get(name) ?? [],
      copies: folded.copies.get(name) ?? [],
      quiet: {
        reads: quiet.filter(edge => edge.to === name).map(edge => edge.from),
        readers: quiet.filter(edge => edge.from === name).map(edge => edge.to),
      },
      cone: cone.get(name) ?? 'off',
    }),
  );
  return {
    nodes,
    edges,
    quiet,
    stubs: stubsOf(folded, near, kept),
    of: graph.collections.length,
    drawn: nodes.length,
    left,
    tooBig: matched > choice.budget,
  };
}

/** Indexes become tabs on their owner, `Name#2` joins its first instance. */
function foldGraph(graph: Graph): FoldedGraph {
  const nodes = new Map<string, CollectionNode>();
  const indexes = new Map<string, string[]>();
  const copies = new Map<string, string[]>();
  const stands = new Map<string, string>();
  const byName = new Map(graph.collections.map(node => [node.name, node]));
  for (const node of graph.collections) {
    const owner = graph.edges.find(edge => edge.to === node.name && edge.kind === 'index')?.from;
    const first = /^(.*)#\d+$/.exec(node.name)?.[1];
    const readsMore = graph.edges.some(edge => edge.from === node.name && edge.kind === 'input');
    if (node.kind === 'index' && owner !== undefined && byName.has(owner) && !readsMore) {
      pushTo(indexes, owner, node.name);
      stands.set(node.name, owner);
    } else if (first !== undefined && byName.get(first)?.kind === node.kind) {
      pushTo(copies, first, node.name);
      stands.set(node.name, first);
    } else nodes.set(node.name, node);
  }
  const edges = new Map<string, GraphEdge & {index?: string}>();
  for (const edge of graph.edges) {
    const from = stands.get(edge.from) ?? edge.from;
    const to = stands.get(edge.to) ?? edge.to;
    if (from === to || !nodes.has(from) || !nodes.has(to)) continue;
    const index = indexes.get(from)?.includes(edge.from) ? edge.from : undefined;
    const id = `${from} ${to} ${edge.kind}`;
    const known = edges.get(id);
    if (!known) edges.set(id, {...edge, from, to, ...(index !== undefined && {index})});
    else known.filters = [...new Set([...known.filters, ...edge.filters])];
  }
  return {nodes, edges: [...edges.values()], indexes, copies};
}

function ownerOf(folded: FoldedGraph, name: string): string | undefined {
  if (folded.nodes.has(name)) return name;
  for (const map of [folded.indexes, folded.copies]) {
    for (const [owner, names] of map) if (names.includes(name)) return owner;
  }
  return undefined;
}

/**
 * Wires that wait for the pointer: those of a source that many read and nothing is computed from one by one, and those of
 * a collection that reads nearly everything. The selection's own are always drawn.
 */
function createQuietEdgeTest(
  folded: FoldedGraph,
  near: Adjacency,
  focus: string | undefined,
): (edge: DrawnEdge) => boolean {
  const fetches = (edges: readonly GraphEdge[] | undefined) =>
    (edges ?? []).filter(edge => edge.kind === 'fetch').length;
  const wide = new Set([...folded.nodes.keys()].filter(name => fetches(near.up.get(name)) > WIDE_READER));
  const hubs = new Set(
    [...folded.nodes.keys()].filter(name => {
      const out = near.down.get(name) ?? [];
      const drives = out.some(edge => edge.kind === 'input' || edge.kind === 'join');
      return !drives && (near.up.get(name) ?? []).length === 0 && fetches(out) >= HUB_READERS;
    }),
  );
  return edge =>
    edge.kind === 'fetch' &&
    edge.from !== focus &&
    edge.to !== focus &&
    (wide.has(edge.to) || hubs.has(edge.from));
}

function partition<T>(list: readonly T[], test: (one: T) => boolean): [yes: T[], no: T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const one of list) (test(one) ? yes : no).push(one);
  return [yes, no];
}

function coneOf(focus: string | undefined, near: Adjacency): Map<string, ConeSide> {
  const cone = new Map<string, ConeSide>();
  if (focus === undefined) return cone;
  for (const name of distancesFrom(focus, near.down, 'to').keys()) cone.set(name, 'effect');
  for (const name of distancesFrom(focus, near.up, 'from').keys()) cone.set(name, 'cause');
  cone.set(focus, 'self');
  return cone;
}

function selectNodes(
  folded: FoldedGraph,
  near: Adjacency,
  cone: ReadonlyMap<string, ConeSide>,
  focus: string | undefined,
  choice: DrawingChoice,
) {
  const left: Drawing['left'] = [];
  const wanted: CollectionNode[] = [];
  const within = focus === undefined ? undefined : namesWithinHops(focus, near, folded, choice);
  for (const node of folded.nodes.values()) {
    const asked = node.name === focus || choice.opened.has(node.name);
    if (!asked && choice.hidden(node)) left.push({name: node.name, reason: 'hidden'});
    else if (!asked && within && !within.has(node.name) && !isBroken(node) && !isWaiting(node))
      left.push({name: node.name, reason: isIdle(node, choice.now) ? 'idle' : 'outside'});
    else wanted.push(node);
  }
  const order = new Map(wanted.map((node, position) => [node.name, position]));
  const first = (node: CollectionNode) =>
    node.name === focus ? -1 : rankNode(node, cone.has(node.name), choice.now);
  wanted.sort((a, b) => first(a) - first(b) || order.get(a.name)! - order.get(b.name)!);
  const kept = new Set(wanted.slice(0, choice.budget).map(node => node.name));
  for (const node of wanted.slice(choice.budget)) left.push({name: node.name, reason: 'budget'});
  return {kept, left, matched: wanted.length};
}

/** The cone cut at the hops, and the other legs of the joins in it: a join with one leg would be a lie. */
function namesWithinHops(
  focus: string,
  near: Adjacency,
  folded: FoldedGraph,
  choice: DrawingChoice,
): Set<string> {
  const names = new Set([
    ...distancesFrom(focus, near.up, 'from', choice.up).keys(),
    ...distancesFrom(focus, near.down, 'to', choice.down).keys(),
  ]);
  for (const name of [...names]) {
    if (folded.nodes.get(name)?.kind !== 'join') continue;
    for (const edge of near.up.get(name) ?? []) names.add(edge.from);
  }
  return names;
}

function edgesBetween(
  edges: readonly (GraphEdge & {index?: string})[],
  kept: ReadonlySet<string>,
  cone: ReadonlyMap<string, ConeSide>,
): DrawnEdge[] {
  return edges
    .filter(edge => kept.has(edge.from) && kept.has(edge.to))
    .map(edge => ({
      id: `${edge.from}→${edge.to}:${edge.kind}`,
      from: edge.from,
      to: edge.to,
      kind: edge.kind,
      filters: edge.filters,
      inferred: (edge.inferred ?? []).length > 0,
      ...((edge.index ?? edge.via === 'index') && {index: edge.index ?? ''}),
      scan: edge.via === 'scan',
      cone: edgeCone(cone.get(edge.from), cone.get(edge.to)),
    }));
}

function edgeCone(from: ConeSide | undefined, to: ConeSide | undefined): ConeSide {
  if ((from === 'cause' || from === 'self') && (to === 'cause' || to === 'self')) return 'cause';
  if ((from === 'effect' || from === 'self') && (to === 'effect' || to === 'self')) return 'effect';
  return 'off';
}

function stubsOf(folded: FoldedGraph, near: Adjacency, kept: ReadonlySet<string>): Stub[] {
  const stubs: Stub[] = [];
  for (const of of kept) {
    for (const side of ['up', 'down'] as const) {
      const names = (near[side].get(of) ?? [])
        .map(edge => (side === 'up' ? edge.from : edge.to))
        .filter(name => folded.nodes.has(name) && !kept.has(name));
      if (names.length > 0) stubs.push({id: `${of}:${side}`, of, side, names: [...new Set(names)]});
    }
  }
  return stubs;
}
