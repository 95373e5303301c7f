// What the debugger's graph shows of a collection: its state in numbers and its edges with their filters.

import type {Core} from '../graph/core.ts';
import {CallingView} from '../kinds/calling-view.ts';
import {Derived} from '../kinds/derived.ts';
import {GroupView} from '../kinds/group-by.ts';
import {JoinView} from '../kinds/join.ts';
import {MergeJoinView, MergingView} from '../kinds/merge-join.ts';
import {NestedJoinView} from '../kinds/nested-join.ts';
import type {CollectionKind} from './collection.ts';

export interface EdgeInfo {
  /** The upstream collection. */
  collection: string;
  uid: number;
  kind: 'input' | 'fetch' | 'index' | 'join';
  /** Distinct filter texts of a fetch edge, at most FILTERS_SHOWN. */
  filters: string[];
  /** How many fetches hold a fetch edge; 1 for the others. */
  fetches: number;
}

export interface CollectionInfo {
  name: string;
  uid: number;
  kind: CollectionKind;
  size: number;
  synced: boolean;
  waitingFor?: string;
  inputs: EdgeInfo[];
  /** Runs of its formula or merge so far. */
  runs: number;
  /** Inputs whose last run failed; of a map, a merge or an index, rows that could not be made. */
  failed: number;
}

const FILTERS_SHOWN = 64;
const INPUTS_LOOKED_AT = 2000;

export function infoOf(core: Core): CollectionInfo {
  const info: CollectionInfo = {
    name: core.name,
    uid: core.uid,
    kind: core.kind,
    size: core.size,
    synced: core.synced,
    inputs: edgesOf(core),
    runs: core instanceof Derived || core instanceof MergingView ? core.runs : 0,
    failed: core instanceof Derived || core instanceof CallingView ? core.failed : 0,
  };
  const waitingFor = waitedFor(core);
  if (waitingFor !== undefined) info.waitingFor = waitingFor;
  return info;
}

export function waitedFor(core: Core): string | undefined {
  if (core instanceof Derived) return core.waitingFor;
  if (core.synced) return undefined;
  for (const upstream of core.upstreams()) if (!upstream.synced) return upstream.name;
  return undefined;
}

/** Names of what a collection is made from; not of what it fetches. */
export function parentsOf(core: Core): string[] {
  const parents = core instanceof Derived ? [core.parent] : [...core.upstreams()];
  return parents.filter(({hidden}) => !hidden).map(({name}) => name);
}

function edgesOf(core: Core): EdgeInfo[] {
  if (core instanceof Derived) return derivedEdges(core);
  const join = core instanceof JoinView || core instanceof MergeJoinView || core instanceof NestedJoinView;
  const kind = core instanceof GroupView ? 'index' : join ? 'join' : 'input';
  return [...core.upstreams()].map(upstream => edge(upstream, kind));
}

function edge(upstream: Core, kind: EdgeInfo['kind']): EdgeInfo {
  return {collection: upstream.name, uid: upstream.uid, kind, filters: [], fetches: 1};
}

function derivedEdges(core: Derived): EdgeInfo[] {
  const edges = core.parent.hidden ? [] : [edge(core.parent, 'input')];
  const fetches = new Map<Core, EdgeInfo>();
  for (const [upstream, {fetches: count}] of core.edges.counts()) {
    fetches.set(upstream, {...edge(upstream, 'fetch'), fetches: count});
  }
  if (fetches.size > 0) collectFilters(core, fetches);
  return [...edges, ...fetches.values()];
}

function collectFilters(core: Derived, fetches: Map<Core, EdgeInfo>): void {
  let looked = 0;
  for (const entry of core.entries()) {
    if (looked++ > INPUTS_LOOKED_AT) return;
    for (const node of entry.nodes) {
      const filters = fetches.get(node.core)?.filters;
      if (filters === undefined || filters.length >= FILTERS_SHOWN || filters.includes(node.text)) continue;
      filters.push(node.text);
    }
  }
}
