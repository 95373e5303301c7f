// What a trace says of a fetch: what it asked for, how many rows it saw and which, and how many it looked at. A fetch that
// saw nothing is one with `matched` 0.

import type {QueryNode} from '../query/query-node.ts';
import type {FetchRecord} from '../values/trace.ts';

/** `wasReady`: the result stood already, and nothing had to be looked at. */
export function fetchRecord(node: QueryNode, wasReady: boolean): FetchRecord {
  const matched = node.result().length;
  const {core, text, clauses, via} = node;
  const {name: collection, uid} = core;
  const scanned = wasReady ? 0 : node.scanned;
  return {collection, uid, filter: text, clauses, matched, scanned, via, keys: node.keys()};
}
