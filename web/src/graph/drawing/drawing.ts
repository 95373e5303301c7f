// What the graph shows, as plain values: nodes, edges, wires that wait, and what was left out and why. Leaves places to layout.
import type {CollectionNode, GraphEdge} from '@krtscope/shared/graph.ts';
import type {EdgeKind} from '@krtscope/shared/vocabulary.ts';

export type ConeSide = 'self' | 'cause' | 'effect' | 'off';

export interface DrawnNode {
  id: string;
  collection: CollectionNode;
  /** Names of indexes folded into this node, shown as tabs under it. */
  indexes: string[];
  /** Other instances of the same collection (`Pods#2`), stacked into this one. */
  copies: string[];
  /** What it reads, and what reads it, over wires that wait for the pointer: counted on its upper edge. */
  quiet: {reads: string[]; readers: string[]};
  cone: ConeSide;
}

export interface DrawnEdge {
  id: string;
  from: string;
  to: string;
  kind: EdgeKind;
  filters: string[];
  inferred: boolean;
  /** The index that answers the fetch, where one was folded away or named. */
  index?: string;
  scan: boolean;
  cone: ConeSide;
}

/** Neighbours of a drawn node that are not drawn, as one counted place to click. */
export interface Stub {
  id: string;
  of: string;
  side: 'up' | 'down';
  names: string[];
}

export type LeftOutReason = 'hidden' | 'outside' | 'idle' | 'budget';

export interface Drawing {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  /** Wires between drawn nodes that would tie the picture into a knot: counted, and drawn under the pointer. */
  quiet: DrawnEdge[];
  stubs: Stub[];
  /** Collections in the graph, and how many of them the picture holds (folded ones included). */
  of: number;
  drawn: number;
  left: {name: string; reason: LeftOutReason}[];
  /** More than the hard ceiling matched: the page asks before it draws them. */
  tooBig: boolean;
}

export interface DrawingChoice {
  focus?: string;
  up: number;
  down: number;
  budget: number;
  /** Decided by the find and hide boxes. */
  hidden: (node: CollectionNode) => boolean;
  /** Collections opened by hand beyond the hops. */
  opened: ReadonlySet<string>;
  now: number;
}

export interface Adjacency {
  up: Map<string, GraphEdge[]>;
  down: Map<string, GraphEdge[]>;
}

export function buildAdjacency(edges: readonly GraphEdge[]): Adjacency {
  const up = new Map<string, GraphEdge[]>();
  const down = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    pushTo(up, edge.to, edge);
    pushTo(down, edge.from, edge);
  }
  return {up, down};
}

/** Directed distance from one collection: how many edges up (or down) each is away. The start is 0. */
export function distancesFrom(
  start: string,
  steps: Map<string, GraphEdge[]>,
  side: 'from' | 'to',
  limit = Infinity,
) {
  const found = new Map<string, number>([[start, 0]]);
  let front = [start];
  for (let hop = 1; front.length > 0 && hop <= limit; hop++) {
    const next: string[] = [];
    for (const name of front) {
      for (const edge of steps.get(name) ?? []) {
        const other = edge[side];
        if (found.has(other)) continue;
        found.set(other, hop);
        next.push(other);
      }
    }
    front = next;
  }
  return found;
}

export function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
