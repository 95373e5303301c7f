// Routes wires between placed nodes. The label is 14 px before the consumer.
import type {CollectionNodeKind, EdgeKind} from '@krtscope/shared/vocabulary.ts';
import type {NodeSize} from '../nodes/node-size.ts';
import type {LayoutPlacement, Point} from './layout.ts';

interface RouteEdge {
  id: string;
  from: string;
  to: string;
  kind: EdgeKind;
}

interface RouteNode {
  id: string;
  kind: CollectionNodeKind;
  size: NodeSize;
}

export interface EdgeRoute {
  d: string;
  /** The tip of the arrow. */
  end: Point;
  label: Point;
  /** The position of the index mark, near the start. */
  mark: Point;
  /** Points along the curve, for pulses. */
  points: Point[];
}

const ARROW = 8;
const LABEL_GAP = 14;
const SAMPLES = 20;
/** How far a wire to an earlier column runs below its nodes. */
const BACK_GAP = 22;

/** Routes all edges whose ends both have a position. */
export function routeEdges(
  nodes: readonly RouteNode[],
  edges: readonly RouteEdge[],
  placed: LayoutPlacement,
): Map<string, EdgeRoute> {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const usable = edges.filter(edge => placed.places[edge.from] && placed.places[edge.to]);
  const starts = assignPorts(byId, usable, placed, 'from');
  const ends = assignPorts(byId, usable, placed, 'to');
  const found = new Map<string, EdgeRoute>();
  for (const edge of usable) {
    const start = starts.get(edge.id)!;
    const tip = ends.get(edge.id)!;
    if (tip.x <= start.x) {
      const bottom = (id: string) => placed.places[id]!.y + (byId.get(id)?.size.height ?? 0);
      found.set(edge.id, buildBackRoute(start, tip, Math.max(bottom(edge.from), bottom(edge.to)) + BACK_GAP));
      continue;
    }
    const stops = [
      start,
      ...bendsBetween(placed.bends[edge.id] ?? [], start, tip),
      {x: tip.x - ARROW, y: tip.y},
    ];
    found.set(edge.id, buildRoute(stops, tip));
  }
  return found;
}

/** Drops bends outside the span, because the wire would run backwards. */
function bendsBetween(bends: readonly Point[], start: Point, tip: Point): Point[] {
  return bends.filter(point => point.x > start.x + 8 && point.x < tip.x - 24);
}

function assignPorts(
  nodes: ReadonlyMap<string, RouteNode>,
  edges: readonly RouteEdge[],
  placed: LayoutPlacement,
  side: 'from' | 'to',
): Map<string, Point> {
  const other = side === 'from' ? 'to' : 'from';
  const groups = Map.groupBy(edges, edge => edge[side]);
  const found = new Map<string, Point>();
  for (const [id, group] of groups) {
    const node = nodes.get(id);
    const place = placed.places[id];
    if (!node || !place) continue;
    const goal = (edge: RouteEdge) => {
      const bends = placed.bends[edge.id];
      const bend = side === 'from' ? bends?.[0] : bends?.at(-1);
      const far = placed.places[edge[other]]!;
      return bend?.y ?? far.y + (nodes.get(edge[other])?.size.height ?? 0) / 2;
    };
    const sorted = [...group].sort((a, b) => goal(a) - goal(b) || a.id.localeCompare(b.id));
    const room = node.size.height - 2 * inset(node);
    const step = sorted.length < 2 ? 0 : Math.min(22, room / (sorted.length - 1));
    sorted.forEach((edge, position) => {
      const y = node.size.height / 2 + (position - (sorted.length - 1) / 2) * step;
      found.set(edge.id, {
        x: place.x + (side === 'to' ? leftEdge(node, y) : rightEdge(node, y)),
        y: place.y + y,
      });
    });
  }
  return found;
}

function inset(node: RouteNode): number {
  return node.kind === 'singleton' ? node.size.height / 3 : 12;
}

function leftEdge(node: RouteNode, y: number): number {
  if (node.kind !== 'join') return 0;
  const half = node.size.height / 2;
  return Math.min(14, node.size.height / 4) * (Math.abs(y - half) / half);
}

function rightEdge(node: RouteNode, y: number): number {
  if (node.kind === 'many') return node.size.width + 8;
  return node.size.width - leftEdge(node, y);
}

function buildRoute(stops: readonly Point[], tip: Point): EdgeRoute {
  const first = stops[0]!;
  let d = `M${first.x} ${first.y}`;
  const points: Point[] = [first];
  for (let i = 1; i < stops.length; i++) {
    const a = stops[i - 1]!;
    const b = stops[i]!;
    const bow = Math.max(24, Math.abs(b.x - a.x) / 2);
    const c1 = {x: a.x + bow, y: a.y};
    const c2 = {x: b.x - bow, y: b.y};
    d += `C${c1.x} ${c1.y} ${c2.x} ${c2.y} ${b.x} ${b.y}`;
    for (let k = 1; k <= SAMPLES; k++) points.push(cubic(a, c1, c2, b, k / SAMPLES));
  }
  return {
    d,
    end: tip,
    label: {x: tip.x - ARROW - LABEL_GAP, y: tip.y},
    mark: points.find(point => point.x >= first.x + 20) ?? points[1] ?? first,
    points: [...points, tip],
  };
}

/** A wire of a cycle leads back to an earlier column. It runs below both nodes instead of through them. */
function buildBackRoute(start: Point, tip: Point, y: number): EdgeRoute {
  const end = {x: tip.x - ARROW, y: tip.y};
  const right = {x: start.x, y};
  const left = {x: end.x, y};
  const bow = 40;
  const turns: [Point, Point, Point, Point][] = [
    [start, {x: start.x + bow, y: start.y}, {x: start.x + bow, y}, right],
    [left, {x: end.x - bow, y}, {x: end.x - bow, y: end.y}, end],
  ];
  const curve = ([a, b, c, d]: (typeof turns)[number]) =>
    Array.from({length: SAMPLES}, (_, k) => cubic(a, b, c, d, (k + 1) / SAMPLES));
  const text = ([, b, c, d]: (typeof turns)[number]) => `C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`;
  return {
    d: `M${start.x} ${start.y}${text(turns[0]!)}L${left.x} ${left.y}${text(turns[1]!)}`,
    end: tip,
    label: {x: (left.x + right.x) / 2, y},
    mark: {x: start.x + 20, y: start.y},
    points: [start, ...curve(turns[0]!), left, ...curve(turns[1]!), tip],
  };
}

function cubic(a: Point, b: Point, c: Point, d: Point, t: number): Point {
  const u = 1 - t;
  const k = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] as const;
  return {
    x: k[0] * a.x + k[1] * b.x + k[2] * c.x + k[3] * d.x,
    y: k[0] * a.y + k[1] * b.y + k[2] * c.y + k[3] * d.y,
  };
}

/** The point at share `t` of a sampled wire. */
export function pointAlong(points: readonly Point[], t: number): Point {
  const last = points.length - 1;
  const at = Math.max(0, Math.min(1, t)) * last;
  const i = Math.min(last - 1, Math.floor(at));
  const a = points[i]!;
  const b = points[i + 1] ?? a;
  const f = at - i;
  return {x: a.x + (b.x - a.x) * f, y: a.y + (b.y - a.y) * f};
}
