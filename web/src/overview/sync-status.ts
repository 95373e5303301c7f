// The sync ladder's data: order of the rungs, blocking chains, counts. Pure.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {isStale} from '../freshness/freshness.ts';

type CollectionSyncState = 'synced' | 'stale' | 'waiting' | 'listing' | 'error' | 'absent';

export interface CollectionSync {
  node: CollectionNode;
  state: CollectionSyncState;
  source: boolean;
}

function syncStateOf(node: CollectionNode): CollectionSyncState {
  if (node.state === 'not installed' || node.state === 'left out') return 'absent';
  if (isStale(node)) return 'stale';
  if (node.state === 'forbidden' || node.state === 'unreachable' || node.state === 'stopped') return 'error';
  if (node.state === 'listing') return 'listing';
  return node.synced ? 'synced' : 'waiting';
}

const sourceKinds = new Set(['source', 'static', 'file', 'trigger']);

/** Sources first, then derived collections in topological order. */
export function orderBySync(graph: Graph): CollectionSync[] {
  const names = new Set(graph.collections.map(one => one.name));
  const feeds = new Map<string, Set<string>>();
  for (const edge of graph.edges) {
    if (!names.has(edge.from) || edge.from === edge.to) continue;
    feeds.set(edge.to, (feeds.get(edge.to) ?? new Set()).add(edge.from));
  }
  const depth = new Map<string, number>();
  const depthOf = (name: string, path: Set<string>): number => {
    const cached = depth.get(name);
    if (cached !== undefined) return cached;
    if (path.has(name)) return 0;
    path.add(name);
    const deepest = Math.max(-1, ...[...(feeds.get(name) ?? [])].map(one => depthOf(one, path)));
    path.delete(name);
    depth.set(name, deepest + 1);
    return deepest + 1;
  };
  return graph.collections
    .map((node, at) => ({node, at, source: sourceKinds.has(node.kind)}))
    .sort((a, b) => {
      if (a.source !== b.source) return a.source ? -1 : 1;
      return depthOf(a.node.name, new Set()) - depthOf(b.node.name, new Set()) || a.at - b.at;
    })
    .map(({node, source}) => ({node, source, state: syncStateOf(node)}));
}

/** Chains from waiting collections to the source that blocks them, longest first, one per source. */
export function blockerChains(graph: Graph): CollectionNode[][] {
  const byName = new Map(graph.collections.map(one => [one.name, one]));
  const chains = new Map<string, CollectionNode[]>();
  for (const node of graph.collections) {
    if (node.waitingFor === undefined) continue;
    const chain = [node];
    let next = byName.get(node.waitingFor);
    while (next !== undefined && !chain.includes(next)) {
      chain.push(next);
      next = next.waitingFor === undefined ? undefined : byName.get(next.waitingFor);
    }
    const holder = chain.at(-1)!.name;
    if (chain.length > (chains.get(holder)?.length ?? 0)) chains.set(holder, chain);
  }
  for (const node of graph.collections) {
    const state = syncStateOf(node);
    if (
      (state === 'error' || state === 'listing' || (state === 'stale' && node.behind === node.name)) &&
      !chains.has(node.name)
    )
      chains.set(node.name, [node]);
  }
  return [...chains.values()].sort((a, b) => b.length - a.length);
}

export function countByState(all: CollectionSync[]) {
  const count = (state: CollectionSyncState) => all.filter(one => one.state === state).length;
  return {
    synced: count('synced') + count('absent'),
    stale: count('stale'),
    waiting: count('waiting'),
    listing: count('listing'),
    denied: all.filter(one => one.state === 'error' && one.node.state === 'forbidden').length,
    away: all.filter(
      one => one.state === 'error' && (one.node.state === 'unreachable' || one.node.state === 'stopped'),
    ).length,
    absent: count('absent'),
  };
}
