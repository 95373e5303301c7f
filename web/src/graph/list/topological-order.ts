// The order of the strip: sources first, then each collection after its inputs.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';

/** Kahn's algorithm. It keeps the order of the answer, and puts cycles last. */
export function topologicalOrder(graph: Graph): CollectionNode[] {
  const waits = new Map(graph.collections.map(node => [node.name, new Set<string>()]));
  const feeds = new Map<string, string[]>();
  for (const edge of graph.edges) {
    if (edge.from === edge.to || !waits.has(edge.from)) continue;
    waits.get(edge.to)?.add(edge.from);
    feeds.set(edge.from, [...(feeds.get(edge.from) ?? []), edge.to]);
  }
  const ordered: CollectionNode[] = [];
  const placed = new Set<string>();
  let rest = [...graph.collections];
  while (rest.length > 0) {
    const ready = rest.filter(node => waits.get(node.name)!.size === 0);
    const batch = ready.length > 0 ? ready : rest;
    for (const node of batch) {
      ordered.push(node);
      placed.add(node.name);
      for (const next of feeds.get(node.name) ?? []) waits.get(next)?.delete(node.name);
    }
    rest = rest.filter(node => !placed.has(node.name));
  }
  return ordered;
}

interface StripWire {
  from: number;
  to: number;
  side: 'cause' | 'effect';
}

/** The wires of the selected collection as positions in the list. */
export function stripWires(order: readonly CollectionNode[], graph: Graph, selected?: string): StripWire[] {
  if (selected === undefined) return [];
  const place = new Map(order.map((node, position) => [node.name, position]));
  const wires = new Map<string, StripWire>();
  for (const edge of graph.edges) {
    const from = place.get(edge.from);
    const to = place.get(edge.to);
    if (from === undefined || to === undefined || from === to) continue;
    if (edge.to === selected) wires.set(`${from} ${to}`, {from, to, side: 'cause'});
    else if (edge.from === selected) wires.set(`${from} ${to}`, {from, to, side: 'effect'});
  }
  return [...wires.values()];
}
