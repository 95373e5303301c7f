// The dependencies of an input, and how they change from run to run.

import type {ReusableList} from '../containers/reusable-list.ts';
import {collectionOf} from '../graph/core-of.ts';
import type {QueryNode} from '../query/query-node.ts';
import {PostponedFetch} from './fetch-edges.ts';
import {type InputEntry, NO_NODES} from './input-entry.ts';

const LINEAR_SEARCH_LIMIT = 16;

/** Replaces the queries of the input, and frees those without users. */
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

/** Rolls a run back: releases the queries that are new in it. */
export function releaseNewQueries(entry: InputEntry, asked: readonly QueryNode[]): void {
  for (const node of nodesMissingIn(asked, entry.nodes)) releaseQuery(entry, node);
}

/** Adds a new user to a query. */
export function addQueryUser(entry: InputEntry, node: QueryNode): void {
  node.users.add(entry);
  entry.collection.engine.links++;
  if (node.spec.generic !== null) entry.collection.scans.add(node);
}

/** Whether the input already uses a query, from its last run or from this one. */
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
  const others = new Set(other);
  return from.filter(node => !others.has(node));
}

/** The queries of this run, then those that only the last accepted run made. */
export function joinDependencies(
  entry: InputEntry,
  own: readonly QueryNode[],
  accepted: readonly QueryNode[],
): readonly QueryNode[] {
  const rest = nodesMissingIn(accepted, own);
  if (rest.length === 0) return own;
  const all = [...own];
  for (const node of rest) {
    const retained = retainAgain(entry, node, own);
    if (retained !== null) all.push(retained);
  }
  return all;
}

// A failed run may have released the query since.
function retainAgain(entry: InputEntry, node: QueryNode, own: readonly QueryNode[]): QueryNode | null {
  if (node.users.has(entry)) return node;
  const {index} = node.spec;
  const collection = collectionOf(node);
  // The index was dropped meanwhile, so the query must not come back.
  if (index !== null && !collection.indexes.some(other => other === index)) return null;
  try {
    entry.collection.edges.retain(collection);
  } catch (error) {
    // A cycle blocks the query. A postponed fetch keeps it: that one wakes the input later.
    if (!(error instanceof PostponedFetch)) return null;
  }
  const again = collection.queriesForFetch().intern(node.spec);
  // This run or the one before already uses it.
  if (again.users.has(entry)) {
    entry.collection.edges.release(collection);
    return own.includes(again) ? null : again;
  }
  addQueryUser(entry, again);
  return again;
}
