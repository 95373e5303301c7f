// The scene of the canvas: nodes and wires with positions, for both levels. Pure, without React.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {
  type CollectionNodeKind,
  type EdgeKind,
  type RunOutcome,
  UNKNOWN_FILTER_TEXT,
} from '@krtscope/shared/vocabulary.ts';
import {type EdgeRoute, routeEdges} from '../layout/edge-route.ts';
import type {LayoutPlacement, LayoutRequest, Point} from '../layout/layout.ts';
import {type NodeSize, nodeMargin, nodeSize} from '../nodes/node-size.ts';
import type {ConeSide, Drawing, DrawnEdge, DrawnNode} from './drawing.ts';

export interface SceneNode {
  id: string;
  kind: CollectionNodeKind;
  size: NodeSize;
  /** Space above and below for chips and tabs. */
  margin: {top: number; bottom: number};
  cone: ConeSide;
  drawn?: DrawnNode;
  item?: {collection: string; key: string; outcome?: RunOutcome; focus: boolean; missing?: boolean};
}

export interface SceneEdge {
  id: string;
  from: string;
  to: string;
  kind: EdgeKind;
  label: string;
  /** The label that appears under the pointer. */
  hint: string;
  /** All filters, for the tooltip and the list. */
  title: string;
  index: boolean;
  scan: boolean;
  cone: ConeSide;
}

export interface GraphScene {
  nodes: SceneNode[];
  edges: SceneEdge[];
  /** Wires that are drawn only under the pointer. Layout ignores them. */
  quiet: SceneEdge[];
  /** The node that shows a folded or grouped collection. */
  shownBy?: ReadonlyMap<string, string>;
}

const MAX_LABEL_LENGTH = 16;
const CHAR_WIDTH = 6.4;

/** The short text of a filter on a wire. */
export function wireLabel(filters: readonly string[], scan: boolean): string {
  const first = filters[0]?.replaceAll('metadata.', '').replace('namespace = namespace and ', 'same ns, ');
  // An unknown filter has no label, because the label would say nothing.
  if (first === undefined || first === UNKNOWN_FILTER_TEXT) return '';
  const text = first.length > MAX_LABEL_LENGTH ? shortenLabel(first) : first;
  const more = filters.length > 1 ? ` +${filters.length - 1}` : '';
  return `${text}${more}${scan && /^all$|^$/.test(first) ? ' ⚠' : ''}`;
}

/** Cuts at a space if possible. */
function shortenLabel(text: string): string {
  const space = text.lastIndexOf(' ', MAX_LABEL_LENGTH);
  return space > MAX_LABEL_LENGTH / 2 ? text.slice(0, space) : `${text.slice(0, MAX_LABEL_LENGTH - 1)}…`;
}

export function labelWidth(text: string): number {
  return text === '' ? 0 : Math.round(text.length * CHAR_WIDTH + 14);
}

export function collectionScene(drawing: Drawing, focus: string | undefined): GraphScene {
  const sceneEdge = (edge: DrawnEdge): SceneEdge => {
    const hint = edge.kind === 'fetch' ? wireLabel(edge.filters, edge.scan) : '';
    return {
      id: edge.id,
      from: edge.from,
      to: edge.to,
      kind: edge.kind,
      // Without a selection there is no room for labels at a readable size.
      label: focus === undefined ? '' : hint,
      hint,
      title: edge.filters.join('\n'),
      index: edge.index !== undefined,
      scan: edge.scan,
      cone: edge.cone,
    };
  };
  const edges = drawing.edges.map(sceneEdge);
  const arriving = Map.groupBy(edges, edge => edge.to);
  const nodes = drawing.nodes.map((drawn): SceneNode => {
    const labels = focus === undefined ? 0 : (arriving.get(drawn.id)?.length ?? 0);
    return {
      id: drawn.id,
      kind: drawn.collection.kind,
      size: nodeSize(drawn, focus, labels),
      margin: nodeMargin(drawn),
      cone: drawn.cone,
      drawn,
    };
  });
  return {
    nodes,
    edges,
    quiet: drawing.quiet.map(edge => ({...sceneEdge(edge), label: '', hint: ''})),
    shownBy: drawing.shownBy,
  };
}

export const itemId = (ref: {collection: string; key: string}) => `${ref.collection} ${ref.key}`;

/** The items of the loaded details, at most `budget`. */
export function itemScene(
  focus: {collection: string; key: string},
  details: readonly ItemDetail[],
  kindOf: (collection: string) => CollectionNodeKind,
  kindBetween: (from: string, to: string) => EdgeKind,
  budget: number,
): GraphScene & {left: number} {
  const refs = new Map<string, {collection: string; key: string; outcome?: RunOutcome}>();
  const edges = new Map<string, SceneEdge>();
  const side = new Map<string, ConeSide>();
  const missing = new Set<string>();
  const add = (ref: {collection: string; key: string; outcome?: RunOutcome | undefined}, cone: ConeSide) => {
    const id = itemId(ref);
    const existing = refs.get(id);
    if (!existing) refs.set(id, {collection: ref.collection, key: ref.key, outcome: ref.outcome});
    else if (ref.outcome && !existing.outcome) existing.outcome = ref.outcome;
    if (!side.has(id)) side.set(id, cone);
    return id;
  };
  const wire = (from: string, to: string, kind: EdgeKind, filter: string, cone: ConeSide) => {
    const id = `${from}→${to}`;
    const existing = edges.get(id);
    if (existing && existing.label !== '') return;
    edges.set(id, {
      id,
      from,
      to,
      kind,
      label: wireLabel(filter ? [filter] : [], false),
      hint: '',
      title: filter,
      index: false,
      scan: false,
      cone,
    });
  };
  add(focus, 'self');
  for (const detail of details) {
    const self = add({...detail, outcome: detail.outcome}, 'off');
    const cone = side.get(self)!;
    // Follow inputs of causes and readers of effects only: other items did not take part.
    for (const ref of detail.precedents) {
      if (cone === 'effect' && !refs.has(itemId(ref))) continue;
      const way = cone === 'effect' ? 'effect' : 'cause';
      const kind = ref.filter === undefined ? kindBetween(ref.collection, detail.collection) : 'fetch';
      wire(add(ref, way), self, kind, ref.filter ?? '', way);
    }
    // A fetch without a match explains what is missing, so it is drawn too.
    for (const {collection, filter, matched} of detail.dependencies) {
      if (matched > 0) continue;
      const id = add({collection, key: filter}, cone === 'effect' ? 'effect' : 'cause');
      missing.add(id);
      wire(id, self, 'fetch', 'no match', cone === 'effect' ? 'effect' : 'cause');
    }
    if (cone === 'cause') continue;
    for (const ref of detail.dependents)
      wire(self, add(ref, 'effect'), kindBetween(detail.collection, ref.collection), '', 'effect');
  }
  const drawn = new Set([...refs.keys()].slice(0, budget));
  const labelled = (id: string) =>
    [...edges.values()].filter(edge => edge.to === id && drawn.has(edge.from)).length;
  const nodes = [...drawn].map((id): SceneNode => {
    const ref = refs.get(id)!;
    const isFocus = id === itemId(focus);
    return {
      id,
      kind: kindOf(ref.collection),
      size: {width: 212, height: Math.max(52, labelled(id) * 20 + 8)},
      margin: {top: 0, bottom: 0},
      cone: isFocus ? 'self' : (side.get(id) ?? 'off'),
      item: {...ref, focus: isFocus, missing: missing.has(id)},
    };
  });
  return {
    nodes,
    edges: [...edges.values()].filter(edge => drawn.has(edge.from) && drawn.has(edge.to)),
    quiet: [],
    left: refs.size - drawn.size,
  };
}

/** The arranger depends on the order of its input. A fixed order gives the same layout every time. */
const byId = (a: {id: string}, b: {id: string}) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

export function layoutRequest(scene: GraphScene): LayoutRequest {
  return {
    boxes: [...scene.nodes].sort(byId).map(node => ({
      id: node.id,
      width: node.size.width + (node.kind === 'many' ? 8 : 0),
      height: node.size.height + node.margin.top + node.margin.bottom,
    })),
    lines: [
      ...[...scene.edges].sort(byId).map(edge => ({
        id: edge.id,
        from: edge.from,
        to: edge.to,
        label: labelWidth(edge.label),
        weight: edge.kind === 'fetch' ? 1 : 4,
      })),
      ...invisibleLines(scene),
    ],
  };
}

/** Puts a collection that reads nearly everything in the last column, with one invisible line. */
function invisibleLines(scene: GraphScene): LayoutRequest['lines'] {
  const wide = scene.nodes.filter(
    node =>
      (node.drawn?.quiet.reads.length ?? 0) > 0 &&
      !scene.edges.some(edge => edge.from === node.id || edge.to === node.id),
  );
  if (wide.length === 0) return [];
  const feeds = Map.groupBy(scene.edges, edge => edge.to);
  const depth = new Map<string, number>();
  const depthOf = (id: string, trail: ReadonlySet<string>): number => {
    const existing = depth.get(id);
    if (existing !== undefined || trail.has(id)) return existing ?? 0;
    const up = (feeds.get(id) ?? []).map(edge => edge.from);
    const found = Math.max(0, ...up.map(from => depthOf(from, new Set([...trail, id])) + 1));
    depth.set(id, found);
    return found;
  };
  const others = scene.nodes.filter(node => !wide.includes(node)).map(node => node.id);
  const most = Math.max(0, ...others.map(id => depthOf(id, new Set())));
  const feeder = others.find(id => depthOf(id, new Set()) === most - 1);
  if (feeder === undefined) return [];
  return wide.map(node => ({id: `unseen ${node.id}`, from: feeder, to: node.id, label: 0, weight: 0}));
}

export interface PlacedScene {
  scene: GraphScene;
  places: Map<string, Point>;
  routes: Map<string, EdgeRoute>;
  width: number;
  height: number;
}

/** Joins a scene with its positions. A node without one is newer than the layout and goes to the right edge. */
export function placeScene(scene: GraphScene, placement: LayoutPlacement): PlacedScene {
  const places = new Map<string, Point>();
  let late = 0;
  for (const node of scene.nodes) {
    const found = placement.places[node.id];
    places.set(
      node.id,
      found ? {x: found.x, y: found.y + node.margin.top} : {x: placement.width + 96, y: late},
    );
    if (!found) late += node.size.height + 28;
  }
  const shifted: LayoutPlacement = {...placement, places: Object.fromEntries(places)};
  return {
    scene,
    places,
    routes: routeEdges(scene.nodes, scene.edges, shifted),
    width: placement.width,
    height: placement.height,
  };
}
