// The drawing: the flow library shows what scene and layout decided; nothing is dragged, arrows walk along edges.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Pulse} from '@krtscope/shared/stream.ts';
import {
  type Edge,
  type Node,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import {Icon} from '../ui/Icon.tsx';
import {GraphNode} from './GraphNode.tsx';
import {GraphWire} from './GraphWire.tsx';
import {GraphContext, type GraphContextValue} from './graph-context.ts';
import {ALL_MOUNTED, nodeAt} from './in-view.ts';
import {type PulseHandle, PulseLayer} from './PulseLayer.tsx';
import type {PlacedScene} from './scene.ts';
import {UnderLayer} from './UnderLayer.tsx';
import {useMounted} from './use-mounted.ts';
import {type Step, walk} from './walk.ts';

const nodeTypes = {box: GraphNode};
const edgeTypes = {wire: GraphWire};

export interface CanvasProps {
  graph: Graph;
  placed: PlacedScene;
  context: GraphContextValue;
  live: boolean;
  /** At a past moment: its wave, standing still on its wires. */
  still: Pulse | undefined;
  pulses: RefObject<PulseHandle | null>;
  onSampled: (words: string) => void;
  /** Cards that float over the drawing. */
  children: ReactNode;
  foot: ReactNode;
  waiting: ReadonlySet<string>;
}

export function GraphCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <GraphContext value={props.context}>
        <Canvas {...props} />
      </GraphContext>
    </ReactFlowProvider>
  );
}

function Canvas({
  graph,
  placed,
  context,
  live,
  still,
  pulses,
  onSampled,
  children,
  foot,
  waiting,
}: CanvasProps) {
  const stage = useRef<HTMLElement>(null);
  const flow = useReactFlow();
  const whole = useMemo(() => flowParts(placed, waiting), [placed, waiting]);
  const level = useStore(state => zoomLevel(state.transform[2]));
  const mounted = useMounted(placed, level === 'far', [context.roving, context.focus]);
  const {nodes, edges} = useMemo(() => partsOf(whole, mounted), [whole, mounted]);
  const painted = placed.scene.nodes.length > ALL_MOUNTED;
  const under = (event: MouseEvent) =>
    painted ? nodeAt(placed, flow.screenToFlowPosition({x: event.clientX, y: event.clientY})) : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.key.startsWith('Arrow') || !(event.target as HTMLElement).classList.contains('node-button'))
      return;
    event.preventDefault();
    const next = context.roving === undefined ? undefined : walk(placed, context.roving, event.key as Step);
    if (next === undefined) return;
    context.walked.current = next;
    context.focusNode(next);
  };
  return (
    <section ref={stage} className={`canvas canvas-${level}`} aria-label="Graph" onKeyDown={onKeyDown}>
      {painted ? <UnderLayer placed={placed} graph={graph} mounted={mounted} /> : null}
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        onPaneClick={event => {
          const node = under(event);
          if (node) context.pick(node);
        }}
        onPaneMouseMove={event => {
          const node = under(event);
          const pane = event.currentTarget as HTMLElement;
          pane.style.cursor = node ? 'pointer' : '';
          pane.title = node?.id ?? '';
        }}
        minZoom={FURTHEST}
        maxZoom={1.6}
        proOptions={{hideAttribution: true}}
      >
        <Viewport placed={placed} focus={context.focus} roving={context.roving} />
      </ReactFlow>
      <PulseLayer
        placed={placed}
        focus={context.focus}
        live={live}
        still={still}
        handle={pulses}
        onSampled={onSampled}
      />
      <EdgeTabs placed={placed} context={context} />
      {children}
      <div className="canvas-foot">
        {foot}
        <ZoomControls />
      </div>
    </section>
  );
}

function flowParts(placed: PlacedScene, waiting: ReadonlySet<string>): {nodes: Node[]; edges: Edge[]} {
  return {
    nodes: placed.scene.nodes.map(node => ({
      id: node.id,
      type: 'box',
      position: placed.places.get(node.id)!,
      data: {node},
      ...fixed(node.size),
      zIndex: node.cone === 'self' ? 2 : 1,
    })),
    edges: placed.scene.edges.flatMap((edge): Edge[] => {
      const route = placed.routes.get(edge.id);
      return route
        ? [
            {
              id: edge.id,
              source: edge.from,
              target: edge.to,
              type: 'wire',
              data: {edge, route, waiting: waiting.has(edge.to)},
              zIndex: 0,
            },
          ]
        : [];
    }),
  };
}

/** Size and ports are known: measured in the page, hundreds of nodes would be laid out again and again. */
function fixed({width, height}: {width: number; height: number}): Partial<Node> {
  const port = {y: height / 2, width: 1, height: 1};
  return {
    width,
    height,
    measured: {width, height},
    handles: [
      {type: 'target', position: Position.Left, x: 0, ...port},
      {type: 'source', position: Position.Right, x: width, ...port},
    ],
  };
}

/** Some of the nodes and the edges between them. */
function partsOf(
  whole: {nodes: Node[]; edges: Edge[]},
  ids: ReadonlySet<string>,
): {nodes: Node[]; edges: Edge[]} {
  if (ids.size >= whole.nodes.length) return whole;
  return {
    nodes: whole.nodes.filter(node => ids.has(node.id)),
    edges: whole.edges.filter(edge => ids.has(edge.source) && ids.has(edge.target)),
  };
}

export function zoomLevel(zoom: number): 'far' | 'middle' | 'small' | 'near' {
  if (zoom < 0.42) return 'far';
  if (zoom < 0.62) return 'middle';
  return zoom < 0.88 ? 'small' : 'near';
}

/** Brings the picture into view when it is new, the selection when it moved; live news never move it. */
function Viewport({
  placed,
  focus,
  roving,
}: {
  placed: PlacedScene;
  focus: string | undefined;
  roving: string | undefined;
}) {
  const flow = useReactFlow();
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const shown = useRef<PlacedScene | null>(null);
  const ready = width > 0 && height > 0;
  useEffect(() => {
    if (!ready || shown.current === placed) return;
    const first = shown.current === null;
    shown.current = placed;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void flow.setViewport(fit(placed, width, height, focus), {duration: first || calm ? 0 : 250});
  }, [placed, focus, ready, width, height, flow]);
  useEffect(() => {
    const at = roving === undefined ? undefined : placed.places.get(roving);
    if (!ready || !at || !document.activeElement?.classList.contains('node-button')) return;
    const {x, y, zoom} = flow.getViewport();
    const left = at.x * zoom + x;
    const top = at.y * zoom + y;
    if (left < 20 || top < 20 || left > width - 200 || top > height - 120)
      void flow.setCenter(at.x + 90, at.y + 30, {zoom, duration: 150});
  }, [roving, placed, ready, width, height, flow]);
  return null;
}

const FURTHEST = 0.08;

/** Cards float at the top, the foot at the bottom, stubs beside the last column. */
const ROOM = {left: 32, right: 64, top: 116, bottom: 64};

/** The whole picture if it fits at a readable size, else around the selection at that size. */
export function fit(
  placed: PlacedScene,
  width: number,
  height: number,
  focus: string | undefined,
): {x: number; y: number; zoom: number} {
  const zoom = Math.min(
    1.15,
    (width - ROOM.left - ROOM.right) / (placed.width + 12),
    (height - ROOM.top - ROOM.bottom) / placed.height,
  );
  const at = focus === undefined ? undefined : placed.places.get(focus);
  const readable = Math.max(zoom, 0.5);
  if (zoom >= 0.5 || !at) {
    return {
      zoom: Math.max(zoom, FURTHEST),
      x: Math.max(ROOM.left, (width - placed.width * zoom) / 2),
      y: Math.max(ROOM.top, (height - ROOM.bottom - placed.height * zoom) / 2),
    };
  }
  return {zoom: readable, x: width / 2 - (at.x + 100) * readable, y: height / 2 - (at.y + 60) * readable};
}

function ZoomControls() {
  const flow = useReactFlow();
  const zoom = useStore(state => state.transform[2]);
  return (
    <fieldset className="zoom" aria-label="Zoom">
      <button type="button" onClick={() => void flow.zoomOut()} aria-label="Zoom out">
        <Icon name="minus" size={14} />
      </button>
      <span className="zoom-share">{Math.round(zoom * 100)}%</span>
      <button type="button" onClick={() => void flow.zoomIn()} aria-label="Zoom in">
        <Icon name="plus" size={14} />
      </button>
      <button
        type="button"
        onClick={() => void flow.fitView({duration: 150, padding: 0.08})}
        aria-label="Fit the drawing"
      >
        <Icon name="fit" size={14} />
      </button>
    </fieldset>
  );
}

/** Neighbours of the selection beyond the edge of the view, as tabs to fly to. */
function EdgeTabs({placed, context}: {placed: PlacedScene; context: GraphContextValue}) {
  const flow = useReactFlow();
  const [x, y, zoom] = useStore(state => state.transform);
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const {focus} = context;
  if (focus === undefined || width === 0) return null;
  const near = placed.scene.edges.flatMap(edge =>
    edge.from === focus ? [edge.to] : edge.to === focus ? [edge.from] : [],
  );
  const tabs = [...new Set(near)].flatMap(id => {
    const at = placed.places.get(id)!;
    const size = placed.scene.nodes.find(node => node.id === id)!.size;
    const left = at.x * zoom + x;
    const top = at.y * zoom + y;
    const side = left + size.width * zoom < 24 ? 'left' : left > width - 24 ? 'right' : undefined;
    return side ? [{id, side, top: Math.max(60, Math.min(height - 90, top)), at}] : [];
  });
  return tabs.slice(0, 8).map(tab => (
    <button
      key={tab.id}
      type="button"
      className={`edge-tab edge-tab-${tab.side}`}
      style={{top: tab.top}}
      onClick={() => void flow.setCenter(tab.at.x + 90, tab.at.y + 30, {zoom, duration: 250})}
    >
      {tab.side === 'left' ? '‹ ' : ''}
      {tab.id}
      {tab.side === 'right' ? ' ›' : ''}
    </button>
  ));
}
