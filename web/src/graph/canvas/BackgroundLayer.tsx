// Paints the nodes of a large drawing that are not mounted as elements.
import type {Graph} from '@krtscope/shared/graph.ts';
import {useStore} from '@xyflow/react';
import {useEffect, useMemo, useRef} from 'react';
import {useSettings} from '../../store/settings.ts';
import {serverNow} from '../../stream/server-connection.ts';
import type {PlacedScene, SceneNode} from '../drawing/scene.ts';
import {type GraphContextValue, useGraphContext} from '../graph-context.ts';
import {activityLog} from '../nodes/activity.ts';
import {nodeState} from '../nodes/GraphNode.tsx';
import {nodeOutline} from '../nodes/node-outline.ts';

/** With fewer mounted nodes than this the drawing is zoomed out. */
const FAR_ELEMENT_LIMIT = 4;

const INITIAL_SIZE = 32;

type TokenColour = (token: string) => string;

export function BackgroundLayer({
  placed,
  graph,
  mounted,
}: {
  placed: PlacedScene;
  graph: Graph;
  mounted: ReadonlySet<string>;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const context = useGraphContext();
  const transform = useStore(state => state.transform);
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const theme = useSettings(settings => settings.theme);
  const shapes = useMemo(() => buildScenePaths(placed), [placed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and theme change the pixels, not the arguments
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current) paintScene(canvas.current, placed, shapes, graph, mounted, context, transform);
    });
    return () => cancelAnimationFrame(frame);
  }, [placed, shapes, graph, mounted, context, transform, width, height, theme]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without a tab stop takes no focus
  return <canvas ref={canvas} className="pulses" aria-hidden="true" />;
}

interface WireGroup {
  width: number;
  token: string;
  /** All wires in one path, for the zoomed-out view. */
  path: Path2D;
  each: {path: Path2D; from: string; to: string; top: number; bottom: number; left: number; right: number}[];
}

interface ScenePaths {
  wires: WireGroup[];
  boxes: Map<string, Path2D>;
}

/** Builds the paths once for each drawing, so that panning is cheap. */
function buildScenePaths(placed: PlacedScene): ScenePaths {
  const groups = Map.groupBy(placed.scene.edges, edge => `${edge.kind === 'fetch' ? 1.25 : 2} ${edge.cone}`);
  const wires = [...groups].map(([key, edges]) => {
    const [wide, cone] = key.split(' ');
    const path = new Path2D();
    const each = edges.flatMap(({id, from, to}) => {
      const route = placed.routes.get(id);
      if (!route) return [];
      const own = new Path2D(route.d);
      path.addPath(own);
      const [a, b] = [route.points[0]!, route.end];
      const [top, bottom] = a.y < b.y ? [a.y, b.y] : [b.y, a.y];
      return [{path: own, from, to, top, bottom, left: Math.min(a.x, b.x), right: Math.max(a.x, b.x)}];
    });
    const token = cone === 'cause' ? '--cause' : cone === 'effect' ? '--effect' : '--shape';
    return {path, each, width: Number(wide), token};
  });
  const boxes = new Map<string, Path2D>();
  for (const {id, kind, size} of placed.scene.nodes) {
    const {body, behind} = nodeOutline(kind, size.width, size.height);
    const path = new Path2D(body);
    for (const d of behind) path.addPath(new Path2D(d));
    boxes.set(id, path);
  }
  return {wires, boxes};
}

function paintScene(
  canvas: HTMLCanvasElement,
  placed: PlacedScene,
  shapes: ScenePaths,
  graph: Graph,
  mounted: ReadonlySet<string>,
  context: GraphContextValue,
  [x, y, zoom]: readonly [number, number, number],
): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const {clientWidth, clientHeight} = canvas;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== clientWidth * ratio || canvas.height !== clientHeight * ratio) {
    canvas.width = clientWidth * ratio;
    canvas.height = clientHeight * ratio;
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const style = getComputedStyle(canvas);
  const colour: TokenColour = token => style.getPropertyValue(token).trim();
  const at = (left: number, top: number) =>
    pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * (x + left * zoom), ratio * (y + top * zoom));
  at(0, 0);
  const view = {
    left: -x / zoom,
    top: -y / zoom,
    right: (clientWidth - x) / zoom,
    bottom: (clientHeight - y) / zoom,
  };
  for (const wires of shapes.wires) {
    pen.lineWidth = Math.max(wires.width, 0.5 / zoom);
    pen.strokeStyle = colour(wires.token);
    if (mounted.size < FAR_ELEMENT_LIMIT) pen.stroke(wires.path);
    else strokeInView(pen, wires.each, view, mounted);
  }
  const tones = nodeTones(graph, colour);
  const base = {
    fill: colour('--bg-2'),
    stroke: colour('--shape'),
    text: colour('--tx-1'),
    ink: colour('--ink'),
  };
  pen.font = `600 ${INITIAL_SIZE}px Inter, system-ui, sans-serif`;
  pen.textBaseline = 'middle';
  for (const node of placed.scene.nodes) {
    const place = placed.places.get(node.id)!;
    const left = place.x * zoom + x;
    const top = place.y * zoom + y;
    const out = left > clientWidth || top > clientHeight;
    if (out || left < -240 * zoom || top < -160 * zoom || mounted.has(node.id)) continue;
    at(place.x, place.y);
    pen.globalAlpha = isDim(node, context) ? 0.72 : 1;
    pen.fillStyle = base.fill;
    pen.fill(shapes.boxes.get(node.id)!);
    const tone = tones.get(node.id);
    const found = context.finding && context.found.has(node.id);
    pen.strokeStyle = found ? base.ink : (tone ?? base.stroke);
    pen.lineWidth = Math.max(found ? 3 : 1.4, (tone === undefined ? 0.7 : 1.3) / zoom);
    pen.stroke(shapes.boxes.get(node.id)!);
    if (zoom >= 0.5) continue;
    pen.fillStyle = base.text;
    // Smaller letters are not readable.
    if (zoom * INITIAL_SIZE >= 11) pen.fillText(node.id.slice(0, 2), 16, node.size.height / 2 + 1);
    if (tone === undefined) continue;
    pen.fillStyle = tone;
    pen.beginPath();
    pen.arc(node.size.width - 24, node.size.height / 2, 9, 0, Math.PI * 2);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

/** Zoomed in, most wires are out of view, and mounted nodes draw their own wires. */
function strokeInView(
  pen: CanvasRenderingContext2D,
  each: WireGroup['each'],
  view: {left: number; top: number; right: number; bottom: number},
  mounted: ReadonlySet<string>,
): void {
  for (const wire of each) {
    if (mounted.has(wire.from) && mounted.has(wire.to)) continue;
    if (wire.left > view.right || wire.right < view.left) continue;
    if (wire.top > view.bottom || wire.bottom < view.top) continue;
    pen.stroke(wire.path);
  }
}

function isDim({id, cone}: SceneNode, {finding, found, focus}: GraphContextValue): boolean {
  return (finding && !found.has(id)) || (focus !== undefined && cone === 'off');
}

function nodeTones(graph: Graph, colour: TokenColour): Map<string, string> {
  const now = serverNow();
  const tokens: Record<string, string> = {
    'node-error': colour('--error-fill'),
    'node-stale': colour('--stale'),
    'node-changed': colour('--changed-fill'),
  };
  return new Map(
    graph.collections.flatMap(collection => {
      const tone = tokens[nodeState(collection, activityLog.activityOf(collection, now))];
      return tone === undefined ? [] : [[collection.name, tone]];
    }),
  );
}
