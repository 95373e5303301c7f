// How a run ends when it is not simply accepted: suspended, failed, discarded, with collections it created
// or promises it broke. And how an input leaves.

import type {Core} from '../graph/core.ts';
import {joinNodes, keepNodes, releaseNodes} from '../graph/dependencies.ts';
import type {Derived} from '../kinds/derived.ts';
import type {QueryNode} from '../query/query-node.ts';
import {
  ACCEPTED,
  DISCARDED,
  type Entry,
  EQUAL,
  FAILED,
  HOLDS_SYNC,
  NEW,
  NO_NODES,
  rareOf,
  STALE,
  SUSPENDED,
  SUSPENDED_RUN,
} from './entry.ts';
import type {RunContext} from './run.ts';

/** Ends a run of which anything unusual is known, this time or from before; gives its outcome. */
export function endUnusual(derived: Derived, entry: Entry, ctx: RunContext, status: unknown): number {
  const rare = rareOf(entry);
  rare.error = undefined;
  let outcome: number;
  if (ctx.suspendedOn !== null) outcome = suspend(derived, entry, ctx, ctx.suspendedOn);
  else if (ctx.failed) {
    rare.error = ctx.error;
    keepRows(entry, ctx);
    outcome = FAILED;
  } else if (ctx.discarded && ((entry.flags & ACCEPTED) !== 0 || derived.outputs.planned === 0)) {
    outcome = discard(derived, entry, ctx, status);
  } else {
    rare.accepted = null;
    outcome = derived.accept(entry, status);
  }
  settleCreated(entry, ctx, outcome);
  settleNotes(derived, entry, ctx);
  if (outcome !== SUSPENDED_RUN && (entry.flags & HOLDS_SYNC) !== 0) unhold(derived, entry);
  return outcome;
}

function acceptedNodes(entry: Entry): readonly QueryNode[] {
  const rare = rareOf(entry);
  rare.accepted ??= (entry.flags & ACCEPTED) !== 0 ? entry.nodes : NO_NODES;
  return rare.accepted;
}

// The run's own fetches become the dependencies, so that a later change can heal it.
function keepRows(entry: Entry, ctx: RunContext): void {
  acceptedNodes(entry);
  keepNodes(entry, ctx.nodes());
  entry.flags = (entry.flags & ~NEW) | STALE;
}

function suspend(derived: Derived, entry: Entry, ctx: RunContext, core: Core): number {
  keepRows(entry, ctx);
  entry.flags |= SUSPENDED;
  rareOf(entry).waitingFor = core;
  core.waiters ??= new Set();
  core.waiters.add(entry);
  derived.suspended.add(entry);
  if (derived.starting && (entry.flags & HOLDS_SYNC) === 0) {
    entry.flags |= HOLDS_SYNC;
    derived.holding++;
  }
  return SUSPENDED_RUN;
}

function discard(derived: Derived, entry: Entry, ctx: RunContext, status: unknown): number {
  const accepted = acceptedNodes(entry);
  keepNodes(entry, joinNodes(entry, ctx.nodes(), accepted));
  entry.flags &= ~(STALE | NEW);
  if (derived.status !== null) derived.status.put(entry.row, status);
  return DISCARDED;
}

export function endWait(derived: Derived, entry: Entry): void {
  entry.flags &= ~SUSPENDED;
  derived.suspended.delete(entry);
  const rare = rareOf(entry);
  const core = rare.waitingFor;
  rare.waitingFor = null;
  if (core === null) return;
  core.waiters?.delete(entry);
  derived.edges.release(core);
}

function unhold(derived: Derived, entry: Entry): void {
  entry.flags &= ~HOLDS_SYNC;
  derived.holding--;
}

// What a run created lives as long as the row that the run made.
function settleCreated(entry: Entry, ctx: RunContext, outcome: number): void {
  const rare = rareOf(entry);
  const {made} = ctx;
  if (outcome >= DISCARDED || (outcome === EQUAL && rare.created !== null)) {
    for (const core of made ?? []) core.end();
    return;
  }
  for (const core of rare.created ?? []) core.end();
  rare.created = made;
}

function settleNotes(derived: Derived, entry: Entry, ctx: RunContext): void {
  const {engine} = derived;
  const rare = rareOf(entry);
  const {notes} = ctx;
  for (const {code, key} of rare.held ?? []) {
    if (!notes?.some(note => note.code === code && note.key === key)) engine.held.clear(code, derived, key);
  }
  rare.held = notes;
  for (const note of notes ?? []) engine.report(note.code, derived, note.keys, note.message);
}

/** The input is gone: its rows go, without a run. */
export function removeInput(derived: Derived, entry: Entry): void {
  derived.outputs.remove(entry, derived.engine.recorder);
  letGo(derived, entry);
  if (derived.status !== null) derived.status.drop(entry.row.key);
  if ((entry.flags & HOLDS_SYNC) !== 0) unhold(derived, entry);
  if (entry.outcome === 'failed') derived.failed--;
}

/** Withdraws everything that this input registered elsewhere. */
export function letGo(derived: Derived, entry: Entry): void {
  if ((entry.flags & SUSPENDED) !== 0) endWait(derived, entry);
  releaseNodes(entry);
  derived.detach(entry);
  const {engine} = derived;
  if (engine.held.size > 0) {
    for (const code of ['mutated-input', 'mutated-fetch', 'non-deterministic'] as const) {
      engine.held.clear(code, derived, entry.row.key);
    }
  }
  const {rare} = entry;
  if (rare === null) return;
  for (const core of rare.created ?? []) core.end();
  for (const {code, key} of rare.held ?? []) engine.held.clear(code, derived, key);
  rare.created = null;
  rare.held = null;
}
