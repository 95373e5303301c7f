// From choices to a placed scene. The worker arranges it, and the old layout stays until it has finished.
import type {Graph} from '@krtscope/shared/graph.ts';
import {useEffect, useEffectEvent, useMemo, useRef, useState} from 'react';
import {serverNow} from '../../stream/server-connection.ts';
import {useStableValue} from '../../ui/hooks/use-stable-value.ts';
import {type LayoutPlacement, structureKey} from '../layout/layout.ts';
import {createLayoutClient, type LayoutClient, openLayoutWorker} from '../layout/layout-client.ts';
import {type CollectionSelector, parseSelector} from '../toolbar/collection-selector.ts';
import type {GraphChoice} from '../use-graph-choice.ts';
import {prefixesOf} from './collection-groups.ts';
import {createDrawing, MAX_NODES} from './create-drawing.ts';
import type {Drawing} from './drawing.ts';
import {collectionScene, type GraphScene, layoutRequest, type PlacedScene, placeScene} from './scene.ts';

export interface DrawnGraph {
  drawing: Drawing;
  find: CollectionSelector;
  hide: CollectionSelector;
}

/** The drawing depends on structure and choices only, so that live data never moves a node. */
export function useDrawing(graph: Graph | null, choice: GraphChoice): DrawnGraph | null {
  const structure = useMemo(
    () =>
      graph === null
        ? ''
        : `${graph.collections.map(node => `${node.name}:${node.kind}`).join()}|${graph.edges.map(edge => `${edge.from}>${edge.to}:${edge.kind}:${edge.filters.join('/')}`).join()}`,
    [graph],
  );
  const newest = useRef(graph);
  newest.current = graph;
  const {focus, up, down, find, hide, budget, opened, openGroups, list} = choice;
  return useMemo(() => {
    const whole = newest.current;
    if (whole === null || structure === '') return null;
    const now = serverNow();
    const hidden = parseSelector(hide, whole, now);
    const drawnFocus =
      focus !== undefined && whole.collections.some(node => node.name === focus) ? focus : undefined;
    const found = parseSelector(find, whole, now);
    const drawing = createDrawing(whole, {
      focus: drawnFocus,
      up,
      down,
      // A list has room for all.
      budget: list ? MAX_NODES : Math.min(budget, MAX_NODES),
      hidden: hidden.matches,
      opened,
      openGroups: list ? undefined : groupsToOpen(openGroups, whole.collections.filter(found.matches)),
      now,
    });
    return {drawing, find: found, hide: hidden};
  }, [structure, focus, up, down, find, hide, budget, opened, openGroups, list]);
}

const MAX_FOUND_OPENED = 12;

/** A few found collections open their groups. Many would open the whole graph. */
function groupsToOpen(open: ReadonlySet<string>, found: readonly {name: string}[]): ReadonlySet<string> {
  if (found.length === 0 || found.length > MAX_FOUND_OPENED) return open;
  return new Set([...open, ...found.flatMap(node => prefixesOf(node.name))]);
}

export function useCollectionScene(drawn: DrawnGraph | null, focus: string | undefined): GraphScene | null {
  return useMemo(() => (drawn === null ? null : collectionScene(drawn.drawing, focus)), [drawn, focus]);
}

interface LayoutState {
  placed: PlacedScene | null;
  state: 'arranging' | 'placed' | 'slow' | 'given-up';
  reason?: string;
}

/** Positions from the worker. The old layout stays visible until the new one arrives. */
export function useLayout(scene: GraphScene | null): LayoutState {
  const arranger = useRef<LayoutClient | null>(null);
  const [arranged, setArranged] = useState<LayoutState>({placed: null, state: 'arranging'});
  const made = useMemo(() => (scene === null ? null : layoutRequest(scene)), [scene]);
  // Equal structures keep their positions.
  const request = useStableValue(made, made === null ? '' : structureKey(made));
  const put = useEffectEvent((placement: LayoutPlacement) =>
    setArranged({placed: placeScene(scene!, placement), state: 'placed'}),
  );
  useEffect(() => () => arranger.current?.end(), []);
  useEffect(() => {
    if (request === null) return;
    arranger.current ??= createLayoutClient(openLayoutWorker);
    return arranger.current.arrange(request, news => {
      if (news.kind === 'placed') put(news.placement);
      else if (news.kind === 'slow') setArranged(old => ({...old, state: 'slow'}));
      else setArranged(old => ({...old, state: 'given-up', reason: news.reason}));
    });
  }, [request]);
  return arranged;
}
