// Draws the placed scene with React Flow. Arrow keys move along edges.

import type {Graph} from '@krtscope/shared/graph.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {
  type Edge,
  type Node,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import {zoomLevel} from './zoom-level.ts';
import '@xyflow/react/dist/base.css';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
} from 'react';
import type {PlacedScene} from '../drawing/scene.ts';
import {GraphContext, type GraphContextValue} from '../graph-context.ts';
import {routeEdges} from '../layout/edge-route.ts';
import {GraphNode} from '../nodes/GraphNode.tsx';
import {type PulseHandle, PulseLayer} from '../waves/PulseLayer.tsx';
import {type ArrowKey, nextNode} from './arrow-navigation.ts';
import {BackgroundLayer} from './BackgroundLayer.tsx';
import {EdgeTabs} from './EdgeTabs.tsx';
import {GraphWire, HoverLabelContext} from './GraphWire.tsx';
import {hoverLabels} from './hover-labels.ts';
import {Minimap} from './Minimap.tsx';
import {type PressTarget, PressTracker} from './press-tracker.ts';
import {useMountedNodes} from './use-mounted-nodes.ts';
import {MIN_ZOOM, Viewport} from './Viewport.tsx';
import {MOUNT_ALL_UP_TO, nodeAt} from './visible-nodes.ts';
import {ZoomControls} from './ZoomControls.tsx';
import './graph-canvas.css';

const nodeTypes = {box: GraphNode};
const edgeTypes = {wire: GraphWire};

interface GraphCanvasProps {
  graph: Graph;
  placed: PlacedScene;
  context: GraphContextValue;
  live: boolean;
  /** The wave of a past moment or of What if, drawn without motion. */
  still: BatchPulse | undefined;
  supposed: boolean;
  pulses: RefObject<PulseHandle | null>;
  onSampled: (words: string) => void;
  /** Shown above and below the drawing, never over it. */
  head: ReactNode;
  foot: ReactNode;
  waiting: ReadonlySet<string>;
}

export function GraphCanvas({head, foot, ...props}: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <GraphContext value={props.context}>
        <div className="graph-picture column">
          {head}
          <FlowCanvas {...props} />
          <div className="canvas-foot">
            {foot}
            <ZoomControls placed={props.placed} />
          </div>
        </div>
      </GraphContext>
    </ReactFlowProvider>
  );
}

function FlowCanvas({
  graph,
  placed,
  context,
  live,
  still,
  supposed,
  pulses,
  onSampled,
  waiting,
}: Omit<GraphCanvasProps, 'head' | 'foot'>) {
  const stage = useRef<HTMLElement>(null);
  const flow = useReactFlow();
  const whole = useMemo(() => flowParts(placed, waiting), [placed, waiting]);
  const {hovered} = context;
  const quiet = useMemo(() => quietEdgeParts(placed, hovered), [placed, hovered]);
  const labels = useMemo(() => hoverLabels(placed, hovered), [placed, hovered]);
  const level = useStore(state => zoomLevel(state.transform[2]));
  const mounted = useMountedNodes(placed, level === 'far' || level === 'dots', [
    context.roving,
    context.focus,
  ]);
  const {nodes, edges: drawnEdges} = useMemo(() => partsOf(whole, mounted), [whole, mounted]);
  const edges = useMemo(
    () => (quiet.length === 0 ? drawnEdges : [...drawnEdges, ...quiet]),
    [drawnEdges, quiet],
  );
  const painted = placed.scene.nodes.length > MOUNT_ALL_UP_TO;
  const under = (event: MouseEvent) =>
    painted ? nodeAt(placed, flow.screenToFlowPosition({x: event.clientX, y: event.clientY})) : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.key.startsWith('Arrow') || !(event.target as HTMLElement).classList.contains('node-button'))
      return;
    event.preventDefault();
    const next =
      context.roving === undefined ? undefined : nextNode(placed, context.roving, event.key as ArrowKey);
    if (next === undefined) return;
    context.walked.current = next;
    context.focusNode(next);
  };
  /** After the reader has moved the drawing, a resize does not fit it again. */
  const moved = useRef(false);
  const press = useRef(new PressTracker());
  const clicked = useRef<string | undefined>(undefined);
  const pressed = (event: PointerEvent): PressTarget | undefined => {
    const target = event.target as HTMLElement;
    if (target.closest('.edge-tab')) return undefined;
    const stub = target.closest<HTMLElement>('[data-stub]')?.dataset.stub;
    if (stub !== undefined) return {stub: JSON.parse(stub) as string[]};
    const id = target.closest<HTMLElement>('[data-node]')?.dataset.node ?? under(event)?.id;
    return id === undefined ? undefined : {node: id};
  };
  const onPointerDownCapture = (event: PointerEvent) => {
    const on = event.button === 0 ? pressed(event) : undefined;
    if (on) press.current.down(on, pointerPosition(event));
  };
  const release = useEffectEvent((event: globalThis.PointerEvent) => {
    const gesture = press.current.up(pointerPosition(event));
    if (gesture?.on.stub) context.open(gesture.on.stub);
    const node = placed.scene.nodes.find(one => one.id === gesture?.on.node);
    if (!gesture || !node) return;
    if (gesture.kind === 'twice') context.enter(node);
    else {
      clicked.current = node.id;
      context.pick(node);
    }
  });
  // On the window, because the canvas may have moved away from the pointer.
  useEffect(() => {
    const up = (event: globalThis.PointerEvent) => release(event);
    const cancel = () => press.current.cancel();
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    return () => {
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
    };
  }, []);
  return (
    <section
      ref={stage}
      className={`canvas canvas-${level}`}
      aria-label="Graph"
      onKeyDown={onKeyDown}
      onPointerDownCapture={onPointerDownCapture}
    >
      {painted ? <BackgroundLayer placed={placed} graph={graph} mounted={mounted} /> : null}
      <HoverLabelContext value={labels}>
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
          onNodeMouseEnter={(_, node) => context.hover(node.id)}
          onNodeMouseLeave={() => context.hover(undefined)}
          onPaneMouseMove={event => {
            const node = under(event);
            if (painted && placed.scene.quiet.length > 0) context.hover(node?.id);
            const pane = event.currentTarget as HTMLElement;
            pane.style.cursor = node ? 'pointer' : '';
            pane.title = node?.id ?? '';
          }}
          onMoveStart={event => {
            if (event !== null) moved.current = true;
          }}
          minZoom={MIN_ZOOM}
          maxZoom={1.6}
          proOptions={{hideAttribution: true}}
        >
          <Viewport
            placed={placed}
            focus={context.focus}
            roving={context.roving}
            moved={moved}
            pressed={clicked}
            target={firstFound(placed, context)}
          />
        </ReactFlow>
      </HoverLabelContext>
      <PulseLayer
        placed={placed}
        focus={context.focus}
        live={live}
        still={still}
        supposed={supposed}
        handle={pulses}
        onSampled={onSampled}
      />
      <EdgeTabs placed={placed} context={context} />
      <Minimap placed={placed} />
    </section>
  );
}

/** With many matches there is no one place to go to. */
const MAX_FOUND = 12;

function firstFound({scene}: PlacedScene, {finding, found}: GraphContextValue): string | undefined {
  const nodes = finding ? scene.nodes.filter(node => found.has(node.id)) : [];
  return nodes.length > MAX_FOUND ? undefined : nodes[0]?.id;
}

function pointerPosition({
  clientX,
  clientY,
  timeStamp,
}: Pick<PointerEvent, 'clientX' | 'clientY' | 'timeStamp'>): {
  x: number;
  y: number;
  time: number;
} {
  return {x: clientX, y: clientY, time: timeStamp};
}

/** The quiet wires of the hovered node, drawn over the picture. */
function quietEdgeParts(placed: PlacedScene, hovered: string | undefined): Edge[] {
  const quiet = placed.scene.quiet.filter(edge => edge.from === hovered || edge.to === hovered);
  if (quiet.length === 0) return [];
  const found = routeEdges(placed.scene.nodes, quiet, {
    places: Object.fromEntries(placed.places),
    bends: {},
    width: placed.width,
    height: placed.height,
  });
  return quiet.map(edge => ({
    id: edge.id,
    source: edge.from,
    target: edge.to,
    type: 'wire',
    data: {edge, route: found.get(edge.id)!, waiting: false},
    zIndex: 3,
  }));
}

function flowParts(placed: PlacedScene, waiting: ReadonlySet<string>): {nodes: Node[]; edges: Edge[]} {
  return {
    nodes: placed.scene.nodes.map(node => ({
      id: node.id,
      type: 'box',
      position: placed.places.get(node.id)!,
      data: {node},
      ...fixedSize(node.size),
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

/** The size is known. Measuring hundreds of nodes in the page would be slow. */
function fixedSize({width, height}: {width: number; height: number}): Partial<Node> {
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
