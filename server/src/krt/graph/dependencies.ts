// What an input depends on: moving it from the queries of one run to those of the next.

import {EngineError} from '../api/error.ts';
import type {Derived} from '../kinds/derived.ts';
import type {QueryNode} from '../query/query-node.ts';
import {type Entry, NO_NODES} from '../run/entry.ts';
import type {Core} from './core.ts';
import {Postponed} from './edges.ts';
import type {Pile} from './pile.ts';

const FEW = 16;

/** Makes `next` the queries of the input and frees those that nobody asks any more. */
export function keepNodes(entry: Entry, next: readonly QueryNode[]): void {
  const old = entry.nodes;
  if (next === old) return;
  entry.nodes = next.length === 0 ? NO_NODES : next;
  const {engine} = entry.collection;
  const lost = missing(old, next);
  if (engine.recorder !== null) engine.recorder.dependencies(missing(next, old), lost);
  if (lost.length > 0) for (const node of lost) release(entry, node);
}

export function releaseNodes(entry: Entry): void {
  const nodes = entry.nodes;
  entry.nodes = NO_NODES;
  for (const node of nodes) release(entry, node);
}

/** The run is taken back: what it asked and the last one did not is let go. */
export function dropFresh(entry: Entry, asked: readonly QueryNode[]): void {
  for (const node of missing(asked, entry.nodes)) release(entry, node);
}

/** Makes the input, which is none yet, a user of a query that its collection holds. */
export function use(entry: Entry, node: QueryNode): void {
  node.users.add(entry);
  entry.collection.engine.links++;
  if (node.spec.generic !== null) entry.collection.scans.add(node);
}

/** Whether the input, which has asked these so far in its run, is a user of a query: from its last run, or from this one. */
export function isUser(entry: Entry, node: QueryNode, asked: Pile<QueryNode>): boolean {
  const {nodes} = entry;
  if (nodes.length + asked.count > FEW) return node.users.has(entry);
  return asked.has(node) || nodes.includes(node);
}

function release(entry: Entry, node: QueryNode): void {
  if (!node.users.delete(entry)) return;
  entry.collection.engine.links--;
  if (node.spec.generic !== null) entry.collection.scans.remove(node);
  entry.collection.edges.release(node.core);
  if (node.users.size === 0) node.core.queries?.drop(node);
}

function missing(from: readonly QueryNode[], other: readonly QueryNode[]): readonly QueryNode[] {
  if (from.length === 0) return NO_NODES;
  if (other.length === 0) return from;
  if (from.length === 1 && other.length === 1) return from[0] === other[0] ? NO_NODES : from;
  if (other.length <= FEW) return from.filter(node => !other.includes(node));
  const known = new Set(other);
  return from.filter(node => !known.has(node));
}

/** The queries of this run followed by those of the last accepted one that it did not repeat. */
export function joinNodes(
  entry: Entry,
  own: readonly QueryNode[],
  accepted: readonly QueryNode[],
): readonly QueryNode[] {
  const rest = missing(accepted, own);
  if (rest.length === 0) return own;
  const all = [...own];
  for (const node of rest) {
    const held = rejoin(entry, node);
    if (held !== null) all.push(held);
  }
  return all;
}

// A failed run may have let go of it since: then it has to be asked again.
function rejoin(entry: Entry, node: QueryNode): QueryNode | null {
  if (node.users.has(entry)) return node;
  const {index} = node.spec;
  // Nobody asked by it any more, and it was dropped: it finds nothing, and would match what moved last for ever.
  if (index !== null && !node.core.indexes.includes(index)) return null;
  try {
    entry.collection.edges.hold(node.core);
  } catch (error) {
    // A cycle. What only settles later is held all the same: it wakes the input then.
    if (!(error instanceof Postponed)) return null;
  }
  const again = node.core.queriesForFetch().intern(node.spec);
  // This run has asked it already.
  if (again.users.has(entry)) {
    entry.collection.edges.release(node.core);
    return null;
  }
  use(entry, again);
  return again;
}

/** Throws if a fetch of `core` by `reader` would close a cycle. */
export function refuseCycle(reader: Derived, core: Core): void {
  const path = pathTo(core, reader);
  if (path === null) return;
  const names = [reader, ...path].map(c => `"${c.name}"`).join(' → ');
  throw new EngineError(
    'cycle',
    `a fetch closes the cycle ${names}; fetch from what "${reader.name}" is not built on`,
  );
}

export function dependsOn(core: Core, goal: Core): boolean {
  return pathTo(core, goal) !== null;
}

/** The way up from one collection to another that it is built on or reads; null if there is none. */
function pathTo(from: Core, goal: Core): Core[] | null {
  // Whatever is built on something has a higher level.
  if (from !== goal && from.level <= goal.level) return null;
  const cameFrom = new Map<Core, Core | null>([[from, null]]);
  // Not by calling itself: a chain may be longer than the stack.
  const open = [from];
  for (let core = open.pop(); core !== undefined; core = open.pop()) {
    if (core === goal) {
      const path: Core[] = [];
      for (let step: Core | null = core; step !== null; step = cameFrom.get(step) ?? null) path.unshift(step);
      return path;
    }
    // It says what it was built on and hears of nothing any more: a cycle through it would be one for ever.
    if (core.stopped) continue;
    for (const upstream of core.upstreams()) {
      if (cameFrom.has(upstream)) continue;
      cameFrom.set(upstream, core);
      open.push(upstream);
    }
  }
  return null;
}
