// How a run ends: accepted, or suspended, failed, discarded, with collections it created or promises it broke. And how
// an input leaves.

import type {Core} from '../graph/core.ts';
import {dropFresh, joinNodes, keepNodes, releaseNodes} from '../graph/dependencies.ts';
import type {Derived} from '../kinds/derived.ts';
import type {QueryNode} from '../query/query-node.ts';
import type {Outcome} from '../trace/trace.ts';
import {type Entry, isUnaccepted, NO_NODES, rareOf} from './entry.ts';
import type {Planned} from './plan.ts';
import type {Made, RunContext} from './run.ts';

/** Makes of a run what it says, and of its plan the rows; gives its outcome. */
export function endRun(derived: Derived, entry: Entry, ctx: RunContext, plan: Planned | null): Outcome {
  if (!ctx.unusual && entry.rare === null) return accept(derived, entry, ctx, plan);
  const rare = rareOf(entry);
  rare.error = undefined;
  let outcome: Outcome;
  if (ctx.suspendedOn !== null) outcome = suspend(derived, entry, ctx, ctx.suspendedOn);
  else if (ctx.failed) {
    rare.error = ctx.error;
    keepRows(entry, ctx);
    outcome = 'failed';
  } else if (ctx.discarded && (entry.accepted || plan === null)) {
    outcome = discard(derived, entry, ctx);
  } else {
    rare.accepted = null;
    outcome = accept(derived, entry, ctx, plan);
  }
  settleCreated(entry, ctx, outcome);
  settleNotes(derived, entry, ctx);
  settleCycle(derived, entry, ctx.cycleOn);
  if (outcome !== 'suspended') unhold(derived, entry);
  return outcome;
}

/** The planned result becomes the rows of this input, and its fetches the dependencies. */
function accept(derived: Derived, entry: Entry, ctx: RunContext, plan: Planned | null): Outcome {
  keepNodes(entry, ctx.nodes());
  const outcome = derived.outputs.commit(entry, plan, derived.engine.recorder);
  entry.accept();
  if (derived.status !== null) derived.status.put(entry.row, ctx.status);
  return outcome;
}

function acceptedNodes(entry: Entry): readonly QueryNode[] {
  const rare = rareOf(entry);
  rare.accepted ??= entry.accepted ? entry.nodes : NO_NODES;
  return rare.accepted;
}

// The run's own fetches become the dependencies, so that a later change can heal it.
function keepRows(entry: Entry, ctx: RunContext): void {
  acceptedNodes(entry);
  keepNodes(entry, ctx.nodes());
  entry.stale = true;
}

function suspend(derived: Derived, entry: Entry, ctx: RunContext, core: Core): Outcome {
  keepRows(entry, ctx);
  const rare = rareOf(entry);
  rare.waitingFor = core;
  core.waiters ??= new Set();
  core.waiters.add(entry);
  derived.suspended.add(entry);
  if (derived.starting && !rare.holdsSync) {
    rare.holdsSync = true;
    derived.holding++;
  }
  return 'suspended';
}

function discard(derived: Derived, entry: Entry, ctx: RunContext): Outcome {
  const accepted = acceptedNodes(entry);
  keepNodes(entry, joinNodes(entry, ctx.nodes(), accepted));
  entry.stale = false;
  if (derived.status !== null) derived.status.put(entry.row, ctx.status);
  return 'discarded';
}

/** The input waits no longer: it runs, or it goes. */
export function endWait(derived: Derived, entry: Entry): void {
  const core = entry.rare?.waitingFor ?? null;
  if (core === null || entry.rare === null) return;
  entry.rare.waitingFor = null;
  derived.suspended.delete(entry);
  core.waiters?.delete(entry);
  derived.edges.release(core);
}

/** Takes a run back, as if it had not begun: the input comes again when what it waits for has settled. */
export function postpone(entry: Entry, ctx: RunContext, core: Core): void {
  takeBack(entry, ctx);
  endPostponement(entry);
  rareOf(entry).postponedOn = core;
}

/** The collection was ended while this run of it was under way. */
export function abandon(entry: Entry, ctx: RunContext): void {
  takeBack(entry, ctx);
  if (ctx.postponedOn !== null) entry.collection.edges.release(ctx.postponedOn);
}

function takeBack(entry: Entry, ctx: RunContext): void {
  dropFresh(entry, ctx.nodes());
  // It waited for something and swallowed that: it does not wait any more.
  if (ctx.suspendedOn !== null) entry.collection.edges.release(ctx.suspendedOn);
  endAll(ctx.made);
}

/** The input has run again, or goes: it holds the edge no longer. */
export function endPostponement(entry: Entry): void {
  const core = entry.rare?.postponedOn ?? null;
  if (core === null || entry.rare === null) return;
  entry.rare.postponedOn = null;
  entry.collection.edges.release(core);
}

function unhold(derived: Derived, entry: Entry): void {
  if (entry.rare === null || !entry.rare.holdsSync) return;
  entry.rare.holdsSync = false;
  derived.holding--;
}

// What a run created lives as long as the row that the run made. If the row is an earlier run's, what it reads of its
// own making lives until the input runs again: it waits for that, or a change there has to reach it.
function settleCreated(entry: Entry, ctx: RunContext, outcome: Outcome): void {
  const rare = rareOf(entry);
  const {made} = ctx;
  endAll(rare.latest);
  rare.latest = null;
  if (!isUnaccepted(outcome) && (outcome !== 'equal' || rare.created === null)) {
    endAll(rare.created);
    rare.created = made;
  } else if (made !== null && dependsOnAny(entry, made)) rare.latest = made;
  else endAll(made);
}

export function endAll(made: readonly Made[] | null): void {
  for (const one of made ?? []) one.end();
}

function dependsOnAny({nodes, rare}: Entry, made: readonly Made[]): boolean {
  return made.some(one => rare?.waitingFor === one || nodes.some(node => node.core === one));
}

function settleCycle(derived: Derived, entry: Entry, core: Core | null): void {
  rareOf(entry).cycleOn = core;
  if (core === null) derived.circular.delete(entry);
  else {
    derived.circular.add(entry);
    derived.engine.circular.add(derived);
  }
  if (derived.circular.size === 0) derived.engine.circular.delete(derived);
}

function settleNotes(derived: Derived, entry: Entry, ctx: RunContext): void {
  const {engine} = derived;
  const rare = rareOf(entry);
  const {notes} = ctx;
  for (const [place, {code, key}] of rare.held ?? [])
    if (!notes?.has(place)) engine.held.clear(code, derived, key);
  rare.held = notes;
  for (const note of notes?.values() ?? [])
    engine.report(note.code, derived, note.keys, note.message, note.key);
}

/** The input is gone: its rows go, without a run. */
export function removeInput(derived: Derived, entry: Entry): void {
  derived.outputs.remove(entry, derived.engine.recorder);
  letGo(derived, entry);
  if (derived.status !== null) derived.status.drop(entry.row.key);
  unhold(derived, entry);
  if (entry.outcome === 'failed') derived.failed--;
}

/** What repeats found of this input's formula holds no longer: it has gone, or the formula has. */
export function forgetChecks(derived: Derived, entry: Entry): void {
  const {held} = derived.engine;
  if (held.size === 0) return;
  for (const code of ['mutated-input', 'mutated-fetch', 'non-deterministic'] as const) {
    held.clear(code, derived, entry.row.key);
  }
}

/** Withdraws everything that this input registered elsewhere. */
export function letGo(derived: Derived, entry: Entry): void {
  endWait(derived, entry);
  endPostponement(entry);
  releaseNodes(entry);
  derived.detach(entry);
  entry.causes = null;
  forgetChecks(derived, entry);
  const {engine} = derived;
  const {rare} = entry;
  if (rare === null) return;
  endAll(rare.created);
  endAll(rare.latest);
  for (const {code, key} of rare.held?.values() ?? []) engine.held.clear(code, derived, key);
  settleCycle(derived, entry, null);
  rare.created = null;
  rare.latest = null;
  rare.held = null;
}
