// Creates the drawing: folds indexes and copies, applies hops and budget, quietens hubs.
import type {CollectionNode, Graph, GraphEdge} from '@krtscope/shared/graph.ts';
import {closedGroupOf, type GroupState, groupSizes, groupSummary, prefixesOf} from './collection-groups.ts';
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

/** A source with this many fetching readers, and no other, is a hub. Its wires would clutter the drawing. */
const HUB_READERS = 5;
/** A collection with more fetches than this shows a count instead of wires. */
const WIDE_READER = 7;

export const MAX_NODES = 1000;

interface FoldedGraph {
  nodes: Map<string, CollectionNode>;
  edges: (GraphEdge & {index?: string})[];
  indexes: Map<string, string[]>;
  copies: Map<string, string[]>;
  members: Map<string, CollectionNode[]>;
  groups: GroupState[];
  shownBy: Map<string, string>;
}

export function createDrawing(graph: Graph, choice: DrawingChoice): Drawing {
  const folded = foldGraph(graph, choice);
  const near = buildAdjacency(folded.edges);
  const focus = choice.focus === undefined ? undefined : ownerOf(folded, choice.focus);
  const cone = coneOf(focus, near);
  const {drawn, left, matched} = selectNodes(folded, near, cone, focus, choice);
  const between = edgesBetween(folded.edges, drawn, cone);
  const [quiet, edges] = partition(between, createQuietEdgeTest(folded, near, focus));
  // Sorted by name, so that the layout does not depend on the live rank.
  const nodes = [...drawn].sort().map(
    (name): DrawnNode => ({
      id: name,
      collection: folded.nodes.get(name)!,
      indexes: folded.indexes.get(name) ?? [],
      copies: folded.copies.get(name) ?? [],
      members: folded.members.get(name),
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
    stubs: stubsOf(folded, near, drawn),
    of: graph.collections.length,
    drawn: nodes.length,
    left,
    groups: folded.groups,
    shownBy: folded.shownBy,
    tooBig: matched > choice.budget,
  };
}

/** Indexes become tabs of their collection, `Name#2` is stacked on `Name`, closed groups become one node. */
function foldGraph(graph: Graph, choice: DrawingChoice): FoldedGraph {
  const nodes = new Map<string, CollectionNode>();
  const indexes = new Map<string, string[]>();
  const copies = new Map<string, string[]>();
  const foldedInto = new Map<string, string>();
  const byName = new Map(graph.collections.map(node => [node.name, node]));
  for (const node of graph.collections) {
    const owner = graph.edges.find(edge => edge.to === node.name && edge.kind === 'index')?.from;
    const first = /^(.*)#\d+$/.exec(node.name)?.[1];
    const readsMore = graph.edges.some(edge => edge.from === node.name && edge.kind === 'input');
    if (node.kind === 'index' && owner !== undefined && byName.has(owner) && !readsMore) {
      pushTo(indexes, owner, node.name);
      foldedInto.set(node.name, owner);
    } else if (first !== undefined && byName.get(first)?.kind === node.kind) {
      pushTo(copies, first, node.name);
      foldedInto.set(node.name, first);
    } else nodes.set(node.name, node);
  }
  const {members, groups} = foldGroups(nodes, foldedInto, choice);
  const edges = new Map<string, GraphEdge & {index?: string}>();
  for (const edge of graph.edges) {
    const from = nodeOf(edge.from, foldedInto);
    const to = nodeOf(edge.to, foldedInto);
    if (from === to || !nodes.has(from) || !nodes.has(to)) continue;
    const index = indexes.get(from)?.includes(edge.from) ? edge.from : undefined;
    const id = `${from} ${to} ${edge.kind}`;
    const existing = edges.get(id);
    if (!existing) edges.set(id, {...edge, from, to, index});
    else existing.filters = [...new Set([...existing.filters, ...edge.filters])];
  }
  const shownBy = new Map([...foldedInto.keys()].map(name => [name, nodeOf(name, foldedInto)]));
  return {nodes, edges: [...edges.values()], indexes, copies, members, groups, shownBy};
}

/** An index of a grouped collection is folded twice. Names in a document can form a cycle, so stop after two steps. */
function nodeOf(name: string, foldedInto: ReadonlyMap<string, string>): string {
  const owner = foldedInto.get(name) ?? name;
  return foldedInto.get(owner) ?? owner;
}

/** Replaces the members of closed groups in `nodes`. Groups of the focus and of opened collections are open. */
function foldGroups(
  nodes: Map<string, CollectionNode>,
  foldedInto: Map<string, string>,
  {focus, opened, openGroups}: DrawingChoice,
): {members: Map<string, CollectionNode[]>; groups: GroupState[]} {
  const members = new Map<string, CollectionNode[]>();
  if (openGroups === undefined) return {members, groups: []};
  const chosen = [...opened, ...(focus === undefined ? [] : [focus])];
  const open = new Set([...openGroups, ...chosen.flatMap(prefixesOf)]);
  const sizes = groupSizes([...nodes.keys()]);
  for (const node of [...nodes.values()]) {
    const group = closedGroupOf(node.name, sizes, open);
    if (group === undefined) continue;
    pushTo(members, group, node);
    foldedInto.set(node.name, group);
    nodes.delete(node.name);
  }
  for (const [id, list] of members) nodes.set(id, groupSummary(id, list));
  return {members, groups: [...sizes].map(([id, size]) => ({id, size, open: open.has(id)}))};
}

function ownerOf({nodes, shownBy}: FoldedGraph, name: string): string | undefined {
  return nodes.has(name) ? name : shownBy.get(name);
}

/** Quiet wires are drawn only under the pointer: those of hubs and of wide readers, except the selection's own. */
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
  const candidates: CollectionNode[] = [];
  const within = focus === undefined ? undefined : namesWithinHops(focus, near, folded, choice);
  for (const node of folded.nodes.values()) {
    const isChosen = node.name === focus || choice.opened.has(node.name);
    if (!isChosen && choice.hidden(node)) left.push({name: node.name, reason: 'hidden'});
    else if (!isChosen && within && !within.has(node.name) && !isBroken(node) && !isWaiting(node))
      left.push({name: node.name, reason: isIdle(node, choice.now) ? 'idle' : 'outside'});
    else candidates.push(node);
  }
  const order = new Map(candidates.map((node, position) => [node.name, position]));
  const first = (node: CollectionNode) =>
    node.name === focus ? -1 : rankNode(node, cone.has(node.name), choice.now);
  candidates.sort((a, b) => first(a) - first(b) || order.get(a.name)! - order.get(b.name)!);
  const drawn = new Set(candidates.slice(0, choice.budget).map(node => node.name));
  for (const node of candidates.slice(choice.budget)) left.push({name: node.name, reason: 'budget'});
  return {drawn, left, matched: candidates.length};
}

/** The cone within the hops, with all inputs of its joins: a join with one input would be wrong. */
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
  drawn: ReadonlySet<string>,
  cone: ReadonlyMap<string, ConeSide>,
): DrawnEdge[] {
  return edges
    .filter(edge => drawn.has(edge.from) && drawn.has(edge.to))
    .map(edge => ({
      id: `${edge.from}→${edge.to}:${edge.kind}`,
      from: edge.from,
      to: edge.to,
      kind: edge.kind,
      filters: edge.filters,
      inferred: (edge.inferred ?? []).length > 0,
      index: edge.index ?? (edge.via === 'index' ? '' : undefined),
      scan: edge.via === 'scan',
      cone: edgeCone(cone.get(edge.from), cone.get(edge.to)),
    }));
}

function edgeCone(from: ConeSide | undefined, to: ConeSide | undefined): ConeSide {
  if ((from === 'cause' || from === 'self') && (to === 'cause' || to === 'self')) return 'cause';
  if ((from === 'effect' || from === 'self') && (to === 'effect' || to === 'self')) return 'effect';
  return 'off';
}

function stubsOf(folded: FoldedGraph, near: Adjacency, drawn: ReadonlySet<string>): Stub[] {
  const stubs: Stub[] = [];
  for (const of of drawn) {
    for (const side of ['up', 'down'] as const) {
      const names = (near[side].get(of) ?? [])
        .map(edge => (side === 'up' ? edge.from : edge.to))
        .filter(name => folded.nodes.has(name) && !drawn.has(name));
      if (names.length > 0) stubs.push({id: `${of}:${side}`, of, side, names: [...new Set(names)]});
    }
  }
  return stubs;
}
