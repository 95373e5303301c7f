// Adds and removes a few boxes of a layout without moving the others, so that a live graph stays where it is. Pure.
import type {LayoutPlacement, LayoutRequest, Point} from './layout.ts';

type Box = LayoutRequest['boxes'][number];
type Line = LayoutRequest['lines'][number];

/** A larger difference is another drawing, which is arranged anew. */
const MAX_DIFFERENCES = 3;
const ROW_GAP = 22;
const COLUMN_GAP = 66;
/** A wire keeps this distance from the boxes that it passes. */
const WIRE_GAP = 9;
const MIN_LABEL_ROOM = 40;

interface Column {
  x: number;
  right: number;
  boxes: {id: string; top: number; bottom: number}[];
}

/** Undefined if boxes changed their size, too much changed, or a line would go backwards. */
export function extendLayout(
  before: {request: LayoutRequest; placement: LayoutPlacement},
  request: LayoutRequest,
): LayoutPlacement | undefined {
  const old = new Map(before.request.boxes.map(box => [box.id, box]));
  const ids = new Set(request.boxes.map(box => box.id));
  const added = request.boxes.filter(box => !old.has(box.id));
  const removed = before.request.boxes.filter(box => !ids.has(box.id));
  if (added.length + removed.length > MAX_DIFFERENCES) return undefined;
  const stays = request.boxes.filter(box => old.has(box.id));
  if (stays.length === 0 || stays.some(box => !isSameSize(box, old.get(box.id)!))) return undefined;
  const places: Record<string, Point> = {};
  for (const {id} of stays) places[id] = before.placement.places[id]!;
  const sizes = new Map(request.boxes.map(box => [box.id, box]));
  for (const box of added) {
    const place = placeOf(box, request, places, sizes);
    if (place === undefined) return undefined;
    places[box.id] = place;
  }
  const columns = columnsOf(places, sizes);
  if (
    request.lines.some(
      line => columnIndex(columns, places, line.from) >= columnIndex(columns, places, line.to),
    )
  )
    return undefined;
  const known = new Set(before.request.lines.map(line => line.id));
  const bends: Record<string, Point[]> = {};
  for (const line of request.lines) {
    const bend = known.has(line.id) ? before.placement.bends[line.id] : bendsOf(line, columns, places, sizes);
    if (bend !== undefined && bend.length > 0) bends[line.id] = bend;
  }
  return {
    places,
    bends,
    width: Math.max(...request.boxes.map(box => places[box.id]!.x + box.width)),
    height: Math.max(...request.boxes.map(box => places[box.id]!.y + box.height)),
  };
}

function isSameSize(a: Box, b: Box): boolean {
  return a.width === b.width && a.height === b.height;
}

/** In the column after its inputs, or else before its readers, near the middle of both. */
function placeOf(
  box: Box,
  {lines}: LayoutRequest,
  places: Readonly<Record<string, Point>>,
  sizes: ReadonlyMap<string, Box>,
): Point | undefined {
  const columns = columnsOf(places, sizes);
  const inputs = lines.filter(line => line.to === box.id && places[line.from] !== undefined);
  const readers = lines.filter(line => line.from === box.id && places[line.to] !== undefined);
  const first = Math.max(-1, ...inputs.map(line => columnIndex(columns, places, line.from)));
  const last = Math.min(columns.length, ...readers.map(line => columnIndex(columns, places, line.to)));
  const at = inputs.length > 0 ? first + 1 : readers.length > 0 ? last - 1 : 0;
  if (at < 0 || at <= first || (readers.length > 0 && at >= last)) return undefined;
  const label = Math.max(0, ...inputs.map(line => line.label));
  const previous = columns[at - 1];
  const column = columns[at];
  const near = [...inputs.map(line => line.from), ...readers.map(line => line.to)].map(
    id => places[id]!.y + (sizes.get(id)?.height ?? 0) / 2,
  );
  const middle = near.length === 0 ? 0 : near.reduce((sum, y) => sum + y, 0) / near.length;
  const wanted = Math.max(0, Math.round(middle - box.height / 2));
  if (column === undefined) {
    const right = previous?.right ?? 0;
    return {x: Math.round(right + Math.max(COLUMN_GAP, label + MIN_LABEL_ROOM)), y: wanted};
  }
  const next = columns[at + 1];
  if (next !== undefined && column.x + box.width > next.x - MIN_LABEL_ROOM) return undefined;
  if (previous !== undefined && label > 0 && column.x - previous.right < label + MIN_LABEL_ROOM)
    return undefined;
  return {x: column.x, y: freeTop(column, wanted, box.height)};
}

/** The free position of a column that is nearest to the wanted one. */
function freeTop({boxes}: Column, wanted: number, height: number): number {
  const isFree = (top: number) =>
    top >= 0 && boxes.every(box => top + height + ROW_GAP <= box.top || top >= box.bottom + ROW_GAP);
  const candidates = [wanted, ...boxes.flatMap(box => [box.bottom + ROW_GAP, box.top - ROW_GAP - height])];
  return candidates.filter(isFree).sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted;
}

/** Boxes of one column have the same left edge. */
function columnsOf(places: Readonly<Record<string, Point>>, sizes: ReadonlyMap<string, Box>): Column[] {
  const byLeft = Map.groupBy(Object.entries(places), ([, {x}]) => x);
  return [...byLeft]
    .sort(([a], [b]) => a - b)
    .map(([x, boxes]) => ({
      x,
      right: Math.max(...boxes.map(([id]) => x + (sizes.get(id)?.width ?? 0))),
      boxes: boxes.map(([id, {y}]) => ({id, top: y, bottom: y + (sizes.get(id)?.height ?? 0)})),
    }));
}

function columnIndex(
  columns: readonly Column[],
  places: Readonly<Record<string, Point>>,
  id: string,
): number {
  return columns.findIndex(column => column.x === places[id]?.x);
}

/** A new wire passes each column between its ends at the free height nearest to a straight line. */
function bendsOf(
  line: Line,
  columns: readonly Column[],
  places: Readonly<Record<string, Point>>,
  sizes: ReadonlyMap<string, Box>,
): Point[] {
  const [from, to] = [places[line.from]!, places[line.to]!];
  const start = from.y + (sizes.get(line.from)?.height ?? 0) / 2;
  const end = to.y + (sizes.get(line.to)?.height ?? 0) / 2;
  return columns
    .filter(column => column.x > from.x && column.x < to.x)
    .flatMap(column => {
      const share = (column.x - from.x) / (to.x - from.x);
      const wanted = start + (end - start) * share;
      const isFree = (y: number) =>
        column.boxes.every(box => y <= box.top - WIRE_GAP || y >= box.bottom + WIRE_GAP);
      const candidates = [
        wanted,
        ...column.boxes.flatMap(box => [box.top - WIRE_GAP, box.bottom + WIRE_GAP]),
      ];
      const y = Math.round(
        candidates.filter(isFree).sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted,
      );
      return [
        {x: column.x, y},
        {x: column.right, y},
      ];
    });
}
