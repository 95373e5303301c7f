// The state of a collection in numbers, and its edges with their filters, for the graph of the debugger.

import type {CollectionCore} from '../graph/collection-core.ts';
import {collectionOf} from '../graph/core-of.ts';
import {FunctionView} from '../kinds/function-view.ts';
import {GroupView} from '../kinds/group-by.ts';
import {JoinView} from '../kinds/join.ts';
import {MergeJoinView, MergingView} from '../kinds/merge-join.ts';
import {NestedJoinView} from '../kinds/nested-join.ts';
import {DerivedCore} from '../run/derived-core.ts';
import type {CollectionInfo, EdgeInfo} from '../values/info-types.ts';

const FILTERS_SHOWN = 64;
const INPUTS_LOOKED_AT = 2000;

export function infoOf(core: CollectionCore): CollectionInfo {
  const info: CollectionInfo = {
    name: core.name,
    uid: core.uid,
    kind: core.kind,
    size: core.size,
    synced: core.synced,
    inputs: edgeInfosOf(core),
    runs: core instanceof DerivedCore || core instanceof MergingView ? core.runs : 0,
    failed: core instanceof DerivedCore || core instanceof FunctionView ? core.failed : 0,
  };
  const waitingFor = awaitedCollectionOf(core);
  if (waitingFor !== undefined) info.waitingFor = waitingFor;
  return info;
}

export function awaitedCollectionOf(core: CollectionCore): string | undefined {
  if (core instanceof DerivedCore) return core.waitingFor;
  if (core.synced) return undefined;
  for (const upstream of core.upstreams()) if (!upstream.synced) return upstream.name;
  return undefined;
}

/** Names of the collections that it is built on, without those that it fetches. */
export function parentsOf(core: CollectionCore): string[] {
  const parents = core instanceof DerivedCore ? [core.parent] : [...core.upstreams()];
  return parents.filter(({hidden}) => !hidden).map(({name}) => name);
}

function edgeInfosOf(core: CollectionCore): EdgeInfo[] {
  if (core instanceof DerivedCore) return derivedEdgeInfosOf(core);
  const join = core instanceof JoinView || core instanceof MergeJoinView || core instanceof NestedJoinView;
  const kind = core instanceof GroupView ? 'index' : join ? 'join' : 'input';
  return [...core.upstreams()].map(upstream => createEdgeInfo(upstream, kind));
}

function createEdgeInfo(upstream: CollectionCore, kind: EdgeInfo['kind']): EdgeInfo {
  return {collection: upstream.name, uid: upstream.uid, kind, filters: [], fetches: 1};
}

function derivedEdgeInfosOf(core: DerivedCore): EdgeInfo[] {
  const edges = core.parent.hidden ? [] : [createEdgeInfo(core.parent, 'input')];
  const fetches = new Map<CollectionCore, EdgeInfo>();
  for (const [upstream, {fetches: count}] of core.edges.counts()) {
    fetches.set(upstream, {...createEdgeInfo(upstream, 'fetch'), fetches: count});
  }
  if (fetches.size > 0) collectFilters(core, fetches);
  return [...edges, ...fetches.values()];
}

function collectFilters(core: DerivedCore, fetches: Map<CollectionCore, EdgeInfo>): void {
  let looked = 0;
  for (const entry of core.entries()) {
    if (looked++ > INPUTS_LOOKED_AT) return;
    for (const node of entry.nodes) {
      const filters = fetches.get(collectionOf(node))?.filters;
      if (filters === undefined || filters.length >= FILTERS_SHOWN || filters.includes(node.text)) continue;
      filters.push(node.text);
    }
  }
}
