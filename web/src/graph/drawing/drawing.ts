// The types of a drawing: nodes, edges, stubs, and what was left out. Layout adds positions.
import type {CollectionNode, GraphEdge} from '@krtscope/shared/graph.ts';
import type {EdgeKind} from '@krtscope/shared/vocabulary.ts';
import type {GroupState} from './collection-groups.ts';

export type ConeSide = 'self' | 'cause' | 'effect' | 'off';

export interface DrawnNode {
  id: string;
  collection: CollectionNode;
  /** Names of the indexes of this collection, shown as tabs. */
  indexes: string[];
  /** Other instances of the same collection (`Pods#2`). */
  copies: string[];
  /** The members of a closed group. The group is drawn in their place. */
  members?: CollectionNode[];
  /** Both ends of its quiet wires. The node shows their counts. */
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
  /** The index that answers the fetch. */
  index?: string;
  scan: boolean;
  cone: ConeSide;
}

/** Neighbours of a node that are not drawn. A click draws them. */
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
  /** Wires that would clutter the picture. They are counted, and drawn under the pointer. */
  quiet: DrawnEdge[];
  stubs: Stub[];
  /** The number of collections in the graph. */
  of: number;
  drawn: number;
  left: {name: string; reason: LeftOutReason}[];
  /** Groups of the graph by name prefix. */
  groups: GroupState[];
  /** The node that shows a folded or grouped collection. */
  shownBy: ReadonlyMap<string, string>;
  /** More nodes match than the budget allows. */
  tooBig: boolean;
}

export interface DrawingChoice {
  focus?: string;
  up: number;
  down: number;
  budget: number;
  /** From the hide box. */
  hidden: (node: CollectionNode) => boolean;
  /** Collections that the reader opened with a stub. */
  opened: ReadonlySet<string>;
  /** Prefixes of open groups. Undefined draws no groups. */
  openGroups?: ReadonlySet<string>;
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

/** The number of edges up or down from the start to each collection. */
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
