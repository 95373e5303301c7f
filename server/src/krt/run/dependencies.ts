// What an input depends on: moving it from the queries of one run to those of the next.

import type {ReusableList} from '../containers/reusable-list.ts';
import {collectionOf} from '../graph/core-of.ts';
import type {QueryNode} from '../query/query-node.ts';
import {PostponedFetch} from './fetch-edges.ts';
import {type InputEntry, NO_NODES} from './input-entry.ts';

const LINEAR_SEARCH_LIMIT = 16;

/** Makes `next` the queries of the input and frees those that nobody asks any more. */
export function replaceDependencies(entry: InputEntry, next: readonly QueryNode[]): void {
  const old = entry.nodes;
  if (next === old) return;
  entry.nodes = next.length === 0 ? NO_NODES : next;
  const {engine} = entry.collection;
  const lost = nodesMissingIn(old, next);
  if (engine.recorder !== null) engine.recorder.dependencies(nodesMissingIn(next, old), lost);
  if (lost.length > 0) for (const node of lost) releaseQuery(entry, node);
}

export function releaseDependencies(entry: InputEntry): void {
  const nodes = entry.nodes;
  entry.nodes = NO_NODES;
  for (const node of nodes) releaseQuery(entry, node);
}

/** The run is taken back: what it asked and the last one did not is let go. */
export function releaseNewQueries(entry: InputEntry, asked: readonly QueryNode[]): void {
  for (const node of nodesMissingIn(asked, entry.nodes)) releaseQuery(entry, node);
}

/** Makes the input, which is none yet, a user of a query that its collection holds. */
export function addQueryUser(entry: InputEntry, node: QueryNode): void {
  node.users.add(entry);
  entry.collection.engine.links++;
  if (node.spec.generic !== null) entry.collection.scans.add(node);
}

/** Whether the input, which has asked these so far in its run, is a user of a query: from its last run, or from this one. */
export function isQueryUser(entry: InputEntry, node: QueryNode, asked: ReusableList<QueryNode>): boolean {
  const {nodes} = entry;
  if (nodes.length + asked.count > LINEAR_SEARCH_LIMIT) return node.users.has(entry);
  return asked.has(node) || nodes.includes(node);
}

function releaseQuery(entry: InputEntry, node: QueryNode): void {
  if (!node.users.delete(entry)) return;
  entry.collection.engine.links--;
  if (node.spec.generic !== null) entry.collection.scans.remove(node);
  const collection = collectionOf(node);
  entry.collection.edges.release(collection);
  if (node.users.size === 0) collection.queries?.drop(node);
}

function nodesMissingIn(from: readonly QueryNode[], other: readonly QueryNode[]): readonly QueryNode[] {
  if (from.length === 0) return NO_NODES;
  if (other.length === 0) return from;
  if (from.length === 1 && other.length === 1) return from[0] === other[0] ? NO_NODES : from;
  if (other.length <= LINEAR_SEARCH_LIMIT) return from.filter(node => !other.includes(node));
  const known = new Set(other);
  return from.filter(node => !known.has(node));
}

/** The queries of this run followed by those of the last accepted one that it did not repeat. */
export function joinDependencies(
  entry: InputEntry,
  own: readonly QueryNode[],
  accepted: readonly QueryNode[],
): readonly QueryNode[] {
  const rest = nodesMissingIn(accepted, own);
  if (rest.length === 0) return own;
  const all = [...own];
  for (const node of rest) {
    const held = retainAgain(entry, node);
    if (held !== null) all.push(held);
  }
  return all;
}

// A failed run may have let go of it since: then it has to be asked again.
function retainAgain(entry: InputEntry, node: QueryNode): QueryNode | null {
  if (node.users.has(entry)) return node;
  const {index} = node.spec;
  const collection = collectionOf(node);
  // Nobody asked by it any more, and it was dropped: it finds nothing, and would match what moved last for ever.
  if (index !== null && !collection.indexes.some(other => other === index)) return null;
  try {
    entry.collection.edges.retain(collection);
  } catch (error) {
    // A cycle. What only settles later is held all the same: it wakes the input then.
    if (!(error instanceof PostponedFetch)) return null;
  }
  const again = collection.queriesForFetch().intern(node.spec);
  // This run has asked it already.
  if (again.users.has(entry)) {
    entry.collection.edges.release(collection);
    return null;
  }
  addQueryUser(entry, again);
  return again;
}
