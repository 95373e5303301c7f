// Places for nodes: dagre from left to right over plain boxes. Pure; runs in the worker and in tests.
import {layout as arrange, Graph} from '@dagrejs/dagre';

export interface LayoutBox {
  id: string;
  width: number;
  height: number;
}

export interface LayoutLine {
  id: string;
  from: string;
  to: string;
  /** Room for a label near the consumer. */
  label: number;
  weight: number;
}

export interface LayoutRequest {
  boxes: LayoutBox[];
  lines: LayoutLine[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Placement {
  /** Upper left corners by node. */
  places: Record<string, Point>;
  /** Bends of edges that pass between columns, by edge; edges between neighbours have none. */
  bends: Record<string, Point[]>;
  width: number;
  height: number;
}

const COLUMN_GAP = 96;
const ROW_GAP = 28;

export function layout(request: LayoutRequest): Placement {
  const graph = new Graph({multigraph: true});
  graph.setGraph({
    rankdir: 'LR',
    nodesep: ROW_GAP,
    edgesep: 14,
    ranksep: COLUMN_GAP,
    ranker: request.boxes.length > 200 ? 'longest-path' : 'network-simplex',
  });
  for (const box of request.boxes) graph.setNode(box.id, {width: box.width, height: box.height});
  for (const line of request.lines) {
    graph.setEdge(
      line.from,
      line.to,
      {weight: line.weight, width: line.label, height: line.label > 0 ? 18 : 0, labelpos: 'c'},
      line.id,
    );
  }
  arrange(graph);
  return read(graph, request);
}

function read(graph: Graph, request: LayoutRequest): Placement {
  const places: Record<string, Point> = {};
  let width = 0;
  let height = 0;
  for (const box of request.boxes) {
    const {x, y} = graph.node(box.id) as Point;
    places[box.id] = {x: Math.round(x - box.width / 2), y: Math.round(y - box.height / 2)};
    width = Math.max(width, x + box.width / 2);
    height = Math.max(height, y + box.height / 2);
  }
  const bends: Record<string, Point[]> = {};
  for (const line of request.lines) {
    const points = (graph.edge(line.from, line.to, line.id) as {points?: Point[]} | undefined)?.points ?? [];
    const inner = points.slice(1, -1).map(point => ({x: Math.round(point.x), y: Math.round(point.y)}));
    // A label makes dagre add a middle point to every edge; only those that pass other columns need to bend.
    if (inner.length > 1) bends[line.id] = inner;
  }
  return {places, bends, width: Math.round(width), height: Math.round(height)};
}

/** The same structure always gets the same key: names, sizes and edges, never live values. */
export function structureKey(request: LayoutRequest): string {
  const boxes = request.boxes.map(box => `${box.id}:${box.width}x${box.height}`).sort();
  const lines = request.lines.map(line => `${line.id}:${line.label}`).sort();
  return `${boxes.join(',')}|${lines.join(',')}`;
}
