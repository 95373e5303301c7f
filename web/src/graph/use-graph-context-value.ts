// Builds the value that every node on the canvas reads. It changes only when its content changes.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {useEffect, useMemo, useRef, useState} from 'react';
import {select} from '../store/navigation.ts';
import type {SceneNode} from './drawing/scene.ts';
import type {DrawnGraph} from './drawing/use-scene.ts';
import type {GraphContextValue} from './graph-context.ts';
import {heatValue} from './nodes/heat.ts';
import {openCollections, openGroup, type useGraphChoice} from './use-graph-choice.ts';
import {stopsOf, waveCounts} from './waves/wave-sentence.ts';

export function useGraphContextValue(
  graph: Graph,
  drawn: DrawnGraph,
  choice: ReturnType<typeof useGraphChoice>,
  nodes: readonly SceneNode[],
  wave: BatchPulse | undefined,
  moment: number | null,
): GraphContextValue {
  const [roving, setRoving] = useState<string | undefined>(undefined);
  const [hovered, hover] = useState<string | undefined>(undefined);
  const walked = useRef<string | undefined>(undefined);
  const isDrawn = roving !== undefined && nodes.some(node => node.id === roving);
  const stop = isDrawn ? roving : (nodes.find(node => node.cone === 'self')?.id ?? nodes[0]?.id);
  const focus = nodes.find(node => node.cone === 'self')?.id;
  useEffect(() => setRoving(focus), [focus]);
  const heatMost = Math.max(0, ...graph.collections.map(node => heatValue(node, choice.heat)));
  // Live numbers change often. Memoize, so that nodes are drawn only when the content changes.
  const {shownBy} = drawn.drawing;
  const names = graph.collections
    .filter(drawn.find.matches)
    .flatMap(({name}) => [name, shownBy.get(name) ?? name]);
  const foundKey = names.join('\n');
  const found = useMemo(() => new Set(foundKey.split('\n').filter(Boolean)), [foundKey]);
  const stubs = useMemo(() => stubMap(drawn), [drawn]);
  const waves = useMemo(() => waveFacts(wave, graph.edges), [wave, graph.edges]);
  const ends = useMemo(
    () => new Map([...countEnds(drawn.drawing.edges), ...countEnds(graph.edges)]),
    [graph.edges, drawn],
  );
  const wires = useMemo(() => {
    const counts = countEnds(drawn.drawing.edges);
    return new Map([...counts].map(([id, one]) => [id, {up: one.inputs > 0, down: one.outputs > 0}]));
  }, [drawn]);
  return useMemo(
    () => ({
      focus,
      roving: stop,
      heat: choice.heat,
      heatMost,
      found,
      finding: choice.find !== '',
      hovered,
      hover,
      moment,
      ...waves,
      stubs: choice.level === 'item' ? new Map() : stubs,
      inputs: id => ends.get(id) ?? {inputs: 0, outputs: 0},
      wired: id => wires.get(id) ?? {up: false, down: false},
      pick: node => {
        if (node.drawn?.members) openGroup(choice, node.id);
        else if (node.item?.missing) select({collection: node.item.collection});
        else
          select(node.item ? {collection: node.item.collection, key: node.item.key} : {collection: node.id});
      },
      enter: node => {
        if (node.drawn?.members) openGroup(choice, node.id);
        else if (node.item?.missing) select({collection: node.item.collection}, 'sheet');
        else if (node.item) select(node.item, 'why');
        else select({collection: node.id}, 'sheet');
      },
      open: names => openCollections(choice, names),
      focusNode: setRoving,
      walked,
    }),
    [focus, stop, choice, heatMost, found, hovered, moment, waves, stubs, ends, wires],
  );
}

function countEnds(edges: readonly {from: string; to: string}[]) {
  const ends = new Map<string, {inputs: number; outputs: number}>();
  const of = (id: string) => {
    const counts = ends.get(id) ?? {inputs: 0, outputs: 0};
    ends.set(id, counts);
    return counts;
  };
  for (const edge of edges) {
    of(edge.to).inputs++;
    of(edge.from).outputs++;
  }
  return ends;
}

function stubMap(drawn: DrawnGraph) {
  const map = new Map<string, {up?: string[]; down?: string[]}>();
  for (const stub of drawn.drawing.stubs) map.set(stub.of, {...map.get(stub.of), [stub.side]: stub.names});
  return map;
}

/** Run counts and writes of the wave, and the collections behind the point where it stopped. */
function waveFacts(wave: BatchPulse | undefined, edges: Graph['edges']) {
  if (!wave) return {counts: new Map(), writes: new Map(), notRun: new Set<string>()};
  const counts = new Map(waveCounts(wave).map(count => [count.collection, count]));
  const notRun = new Set(
    stopsOf(wave).flatMap(stop =>
      edges.filter(edge => edge.from === stop.collection && edge.kind !== 'fetch').map(edge => edge.to),
    ),
  );
  for (const name of counts.keys()) notRun.delete(name);
  const writes = new Map(
    [...Map.groupBy(wave.roots, root => root.collection)].map(([of, all]) => [of, all.length]),
  );
  return {counts, writes, notRun};
}
