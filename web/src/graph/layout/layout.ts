// Arranges boxes from left to right with dagre. Pure. Runs in the worker.
import {layout as arrange, Graph} from '@dagrejs/dagre';

interface LayoutBox {
  id: string;
  width: number;
  height: number;
}

interface LayoutLine {
  id: string;
  from: string;
  to: string;
  /** The width of the label near the consumer. */
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

export interface LayoutPlacement {
  /** The upper left corner of each node. */
  places: Record<string, Point>;
  /** Bends of edges that cross other columns. */
  bends: Record<string, Point[]>;
  width: number;
  height: number;
}

const COLUMN_GAP = 66;
/** Added to the label: arrow, gap, and room for the wire to bend. */
const LABEL_ROOM = 62;
const ROW_GAP = 22;
/** From this count on the rows are closer together, because height is scarce. */
const CROWDED_FROM = 200;
const CROWDED_GAP = 14;
/** Above this many nodes columns are packed. */
const PACKED_FROM = 60;
/** A drawing with few rows is spread to about this height, so that its wires do not overlap. */
const SPREAD_HEIGHT = 470;

export function layout(request: LayoutRequest): LayoutPlacement {
  const graph = new Graph({multigraph: true});
  const crowd = request.boxes.length > CROWDED_FROM;
  graph.setGraph({
    rankdir: 'LR',
    nodesep: crowd ? CROWDED_GAP : ROW_GAP,
    edgesep: crowd ? 4 : 14,
    ranksep: COLUMN_GAP,
    // The best ranker takes seconds for hundreds of nodes. The fastest puts unread sources in the last column.
    ranker: crowd ? 'tight-tree' : 'network-simplex',
  });
  for (const box of request.boxes) graph.setNode(box.id, {width: box.width, height: box.height});
  for (const line of request.lines) {
    graph.setEdge(line.from, line.to, {weight: line.weight, width: 0, height: 0, labelpos: 'c'}, line.id);
  }
  arrange(graph);
  return readPlacement(graph, request);
}

interface Columns {
  /** The edges of each column, and how far the column moves to the right. */
  list: {left: number; right: number; shift: number}[];
  of: Map<string, number>;
}

/** Moves each column to the right until its widest label has room. */
function columnsOf(graph: Graph, request: LayoutRequest): Columns {
  const boxes = request.boxes.map(box => ({...box, x: (graph.node(box.id) as Point).x}));
  const centres = [...new Set(boxes.map(box => Math.round(box.x)))].sort((a, b) => a - b);
  const of = new Map(boxes.map(box => [box.id, centres.indexOf(Math.round(box.x))]));
  const list = centres.map((_, column) => {
    const inColumn = boxes.filter(box => of.get(box.id) === column);
    return {
      left: Math.min(...inColumn.map(box => box.x - box.width / 2)),
      right: Math.max(...inColumn.map(box => box.x + box.width / 2)),
      shift: 0,
    };
  });
  for (let column = 1; column < list.length; column++) {
    const here = list[column]!;
    const before = list[column - 1]!;
    const labels = request.lines.filter(line => of.get(line.to) === column).map(line => line.label);
    // Packed columns are tall. A wider gap makes the wires easier to follow.
    const least = request.boxes.length > PACKED_FROM ? COLUMN_GAP + request.boxes.length * 0.5 : COLUMN_GAP;
    const gap = Math.max(least, Math.max(0, ...labels) + LABEL_ROOM);
    here.shift = before.shift + gap - (here.left - before.right);
  }
  return {list, of};
}

function readPlacement(graph: Graph, request: LayoutRequest): LayoutPlacement {
  const columns = columnsOf(graph, request);
  const places: Record<string, Point> = {};
  let width = 0;
  let height = 0;
  const packed = request.boxes.length > PACKED_FROM ? packColumns(graph, request, columns) : undefined;
  const lowest = Math.max(1, ...request.boxes.map(box => (graph.node(box.id) as Point).y + box.height / 2));
  const spread = packed ? 1 : Math.max(1, Math.min(1.5, SPREAD_HEIGHT / lowest));
  for (const box of request.boxes) {
    const y = packed?.get(box.id) ?? (graph.node(box.id) as Point).y * spread;
    const column = columns.list[columns.of.get(box.id)!]!;
    const left = column.left + column.shift;
    places[box.id] = {x: Math.round(left), y: Math.round(y - box.height / 2)};
    width = Math.max(width, left + box.width);
    height = Math.max(height, y + box.height / 2);
  }
  const bends: Record<string, Point[]> = {};
  if (packed) return {places, bends, width: Math.round(width), height: Math.round(height)};
  for (const line of request.lines) {
    const edge = graph.edge(line.from, line.to, line.id) as {points?: Point[]} | undefined;
    const points = (edge?.points ?? []).map(point => ({x: point.x, y: point.y * spread}));
    const passed = passedColumns(columns, line, points);
    if (passed.length > 0) bends[line.id] = passed;
  }
  return {places, bends, width: Math.round(width), height: Math.round(height)};
}

/** Closes the gaps in each column and keeps the order. Straight wires would make the drawing several times as high. */
function packColumns(graph: Graph, request: LayoutRequest, columns: Columns): Map<string, number> {
  const gap = request.boxes.length > CROWDED_FROM ? CROWDED_GAP : ROW_GAP;
  const found = new Map<string, number>();
  const stacks = Map.groupBy(request.boxes, box => columns.of.get(box.id)!);
  const tall = (boxes: readonly LayoutBox[]) => boxes.reduce((sum, box) => sum + box.height + gap, 0) - gap;
  const highest = Math.max(...[...stacks.values()].map(tall));
  for (const boxes of stacks.values()) {
    const order = boxes
      .map(box => ({box, y: (graph.node(box.id) as Point).y}))
      .sort((one, other) => one.y - other.y);
    let at = (highest - tall(boxes)) / 2;
    for (const {box} of order) {
      found.set(box.id, at + box.height / 2);
      at += box.height + gap;
    }
  }
  return found;
}

/** The points where a wire passes the columns between its ends. */
function passedColumns(columns: Columns, line: LayoutLine, points: readonly Point[]): Point[] {
  const from = columns.of.get(line.from) ?? 0;
  const to = columns.of.get(line.to) ?? 0;
  return columns.list.slice(from + 1, Math.max(from + 1, to)).flatMap(column => {
    const centre = (column.left + column.right) / 2;
    const near = [...points].sort((a, b) => Math.abs(a.x - centre) - Math.abs(b.x - centre))[0];
    if (!near) return [];
    const y = Math.round(near.y);
    return [
      {x: Math.round(column.left + column.shift), y},
      {x: Math.round(column.right + column.shift), y},
    ];
  });
}

/** A key of names, sizes and edges. Live values do not change it. */
export function structureKey(request: LayoutRequest): string {
  const boxes = request.boxes.map(box => `${box.id}:${box.width}x${box.height}`).sort();
  const lines = request.lines.map(line => `${line.id}:${line.label}`).sort();
  return `${boxes.join(',')}|${lines.join(',')}`;
}
