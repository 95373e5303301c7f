// From the graph answer to the drawing: fold indexes and copies, put hubs on the shelf, take hops, rank, cut to the budget.
import type {CollectionNode, Graph, GraphEdge} from '@krtscope/shared/graph.ts';
import {
  type Adjacency,
  adjacency,
  type Cone,
  type Drawing,
  type DrawingChoice,
  type DrawnEdge,
  type DrawnNode,
  push,
  reach,
  type ShelfEntry,
  type Stub,
} from './drawing.ts';
import {isBroken, isIdle, isWaiting, rank} from './rank.ts';

/** A source that many read and nothing is computed from one by one; its wires would tie the drawing into a knot. */
const HUB_READERS = 5;
/** A collection that reads more than this shows a chip in place of the wires. */
const WIDE_READER = 7;

export const CEILING = 500;

interface Folded {
  nodes: Map<string, CollectionNode>;
  edges: (GraphEdge & {index?: string})[];
  indexes: Map<string, string[]>;
  copies: Map<string, string[]>;
}

export function draw(graph: Graph, choice: DrawingChoice): Drawing {
  const folded = fold(graph);
  const near = adjacency(folded.edges);
  const shelf = shelfOf(folded, near, choice.focus);
  const onShelf = new Set(shelf.map(entry => entry.collection.name));
  const focus = choice.focus === undefined ? undefined : ownerOf(folded, choice.focus);
  const cone = coneOf(focus, near);
  const {kept, left, matched} = select(folded, near, onShelf, cone, focus, choice);
  const wide = new Map<string, string[]>();
  const edges = edgesBetween(folded.edges, kept, cone, focus, wide);
  const nodes = [...kept].map((name): DrawnNode => {
    const readsWide = wide.get(name);
    return {
      id: name,
      collection: folded.nodes.get(name)!,
      indexes: folded.indexes.get(name) ?? [],
      copies: folded.copies.get(name) ?? [],
      hubs: shelf.filter(entry => entry.readers.includes(name)).map(entry => entry.collection.name),
      ...(readsWide && {reads: readsWide}),
      cone: cone.get(name) ?? 'off',
    };
  });
  const inside = nodes.reduce((sum, node) => sum + 1 + node.indexes.length + node.copies.length, 0);
  return {
    nodes,
    edges,
    shelf,
    stubs: stubsOf(folded, near, kept, onShelf, wide),
    of: graph.collections.length,
    drawn: inside + shelf.length,
    left,
    tooBig: matched > choice.budget,
  };
}

/** Indexes become tabs on their owner, `Name#2` joins its first instance. */
function fold(graph: Graph): Folded {
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
      push(indexes, owner, node.name);
      stands.set(node.name, owner);
    } else if (first !== undefined && byName.get(first)?.kind === node.kind) {
      push(copies, first, node.name);
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

function ownerOf(folded: Folded, name: string): string | undefined {
  if (folded.nodes.has(name)) return name;
  for (const map of [folded.indexes, folded.copies]) {
    for (const [owner, names] of map) if (names.includes(name)) return owner;
  }
  return undefined;
}

function shelfOf(folded: Folded, near: Adjacency, focus: string | undefined): ShelfEntry[] {
  const shelf: ShelfEntry[] = [];
  for (const node of folded.nodes.values()) {
    const out = near.down.get(node.name) ?? [];
    if (node.name === focus || out.length === 0 || (near.up.get(node.name) ?? []).length > 0) continue;
    if (out.some(edge => edge.kind === 'input' || edge.kind === 'join')) continue;
    const config = ['static', 'trigger', 'file', 'singleton'].includes(node.kind);
    const readers = [...new Set(out.map(edge => edge.to))];
    if (config || readers.length >= HUB_READERS) shelf.push({collection: node, readers});
  }
  return shelf;
}

function coneOf(focus: string | undefined, near: Adjacency): Map<string, Cone> {
  const cone = new Map<string, Cone>();
  if (focus === undefined) return cone;
  for (const name of reach(focus, near.down, 'to').keys()) cone.set(name, 'effect');
  for (const name of reach(focus, near.up, 'from').keys()) cone.set(name, 'cause');
  cone.set(focus, 'self');
  return cone;
}

function select(
  folded: Folded,
  near: Adjacency,
  onShelf: ReadonlySet<string>,
  cone: ReadonlyMap<string, Cone>,
  focus: string | undefined,
  choice: DrawingChoice,
) {
  const left: Drawing['left'] = [];
  const wanted: CollectionNode[] = [];
  const within = focus === undefined ? undefined : withinHops(focus, near, folded, choice);
  for (const node of folded.nodes.values()) {
    if (onShelf.has(node.name)) continue;
    const asked = node.name === focus || choice.opened.has(node.name);
    if (!asked && choice.hidden(node)) left.push({name: node.name, reason: 'hidden'});
    else if (!asked && within && !within.has(node.name) && !isBroken(node) && !isWaiting(node))
      left.push({name: node.name, reason: isIdle(node, choice.now) ? 'idle' : 'outside'});
    else wanted.push(node);
  }
  const order = new Map(wanted.map((node, position) => [node.name, position]));
  const first = (node: CollectionNode) =>
    node.name === focus ? -1 : rank(node, cone.has(node.name), choice.now);
  wanted.sort((a, b) => first(a) - first(b) || order.get(a.name)! - order.get(b.name)!);
  const kept = new Set(wanted.slice(0, choice.budget).map(node => node.name));
  for (const node of wanted.slice(choice.budget)) left.push({name: node.name, reason: 'budget'});
  return {kept, left, matched: wanted.length};
}

/** The cone cut at the hops, and the other legs of the joins in it: a join with one leg would be a lie. */
function withinHops(focus: string, near: Adjacency, folded: Folded, choice: DrawingChoice): Set<string> {
  const names = new Set([
    ...reach(focus, near.up, 'from', choice.up).keys(),
    ...reach(focus, near.down, 'to', choice.down).keys(),
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
  cone: ReadonlyMap<string, Cone>,
  focus: string | undefined,
  wide: Map<string, string[]>,
): DrawnEdge[] {
  const drawn: DrawnEdge[] = [];
  const fetches = new Map<string, GraphEdge[]>();
  for (const edge of edges) if (edge.kind === 'fetch') push(fetches, edge.to, edge);
  for (const [to, list] of fetches) {
    if (to !== focus && list.length > WIDE_READER)
      wide.set(
        to,
        list.map(edge => edge.from),
      );
  }
  for (const edge of edges) {
    if (!kept.has(edge.from) || !kept.has(edge.to)) continue;
    // Of a wide reader's wires only the selection's own is drawn.
    if (edge.kind === 'fetch' && wide.has(edge.to) && edge.from !== focus) continue;
    drawn.push({
      id: `${edge.from}→${edge.to}:${edge.kind}`,
      from: edge.from,
      to: edge.to,
      kind: edge.kind,
      filters: edge.filters,
      inferred: (edge.inferred ?? []).length > 0,
      ...((edge.index ?? edge.via === 'index') && {index: edge.index ?? ''}),
      scan: edge.via === 'scan',
      cone: edgeCone(cone.get(edge.from), cone.get(edge.to)),
    });
  }
  return drawn;
}

function edgeCone(from: Cone | undefined, to: Cone | undefined): Cone {
  if ((from === 'cause' || from === 'self') && (to === 'cause' || to === 'self')) return 'cause';
  if ((from === 'effect' || from === 'self') && (to === 'effect' || to === 'self')) return 'effect';
  return 'off';
}

function stubsOf(
  folded: Folded,
  near: Adjacency,
  kept: ReadonlySet<string>,
  onShelf: ReadonlySet<string>,
  wide: ReadonlyMap<string, string[]>,
): Stub[] {
  const stubs: Stub[] = [];
  for (const of of kept) {
    for (const side of ['up', 'down'] as const) {
      const names = (near[side].get(of) ?? [])
        .map(edge => (side === 'up' ? edge.from : edge.to))
        .filter(name => folded.nodes.has(name) && !kept.has(name) && !onShelf.has(name))
        .filter(name => !(side === 'up' && wide.get(of)?.includes(name)));
      if (names.length > 0) stubs.push({id: `${of}:${side}`, of, side, names: [...new Set(names)]});
    }
  }
  return stubs;
}
