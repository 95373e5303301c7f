// The trace entry of a fetch. A fetch without results has `matched` 0.

import type {QueryNode} from '../query/query-node.ts';
import type {FetchRecord} from '../values/trace.ts';

/** `wasReady`: the result existed, so no rows were examined. */
export function fetchRecord(node: QueryNode, wasReady: boolean): FetchRecord {
  const matched = node.result().length;
  const {core, text, clauses, via} = node;
  const {name: collection, uid} = core;
  const scanned = wasReady ? 0 : node.scanned;
  return {collection, uid, filter: text, clauses, matched, scanned, via, keys: node.keys()};
}
