// How a run ends: accepted, suspended, failed or discarded, with its created resources and its violations.
// Also how an input is removed.

import type {PlannedRow} from '../containers/planned-row.ts';
import {detachInput} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import {collectionOf} from '../graph/core-of.ts';
import type {QueryNode} from '../query/query-node.ts';
import type {RunResource} from '../values/running-code.ts';
import type {Outcome} from '../values/trace.ts';
import {
  joinDependencies,
  releaseDependencies,
  releaseNewQueries,
  replaceDependencies,
} from './dependencies.ts';
import type {FormulaInputs} from './formula-inputs.ts';
import {type InputEntry, isUnaccepted, NO_NODES, rareStateOf} from './input-entry.ts';
import type {FormulaRunContext} from './run-context.ts';

/** Ends a run that is not plainly accepted, or whose input has rare state. Gives the outcome. */
export function endUnusualRun(
  derived: FormulaInputs,
  entry: InputEntry,
  ctx: FormulaRunContext,
  plan: PlannedRow | null,
): Outcome {
  const rare = rareStateOf(entry);
  rare.error = undefined;
  let outcome: Outcome;
  if (ctx.suspendedOn !== null) outcome = suspend(derived, entry, ctx, ctx.suspendedOn);
  else if (ctx.failed) {
    rare.error = ctx.error;
    keepEarlierRows(entry, ctx);
    outcome = 'failed';
  } else if (ctx.discarded && (entry.accepted || plan === null)) {
    outcome = discard(derived, entry, ctx);
  } else {
    rare.accepted = null;
    outcome = accept(derived, entry, ctx, plan);
  }
  entry.initial = false;
  settleCreated(entry, ctx, outcome);
  settleNotes(derived, entry, ctx);
  settleCycle(derived, entry, ctx.cycleOn);
  if (outcome !== 'suspended') releaseSync(derived, entry);
  return outcome;
}

/** Applies the plan, and makes the fetches the dependencies. */
export function accept(
  derived: FormulaInputs,
  entry: InputEntry,
  ctx: FormulaRunContext,
  plan: PlannedRow | null,
): Outcome {
  replaceDependencies(entry, ctx.nodes());
  const outcome = derived.outputs.commit(entry, plan, derived.engine.recorder);
  entry.accept();
  if (derived.status !== null) derived.status.put(entry.row, ctx.status);
  return outcome;
}

function acceptedNodes(entry: InputEntry): readonly QueryNode[] {
  const rare = rareStateOf(entry);
  rare.accepted ??= entry.accepted ? entry.nodes : NO_NODES;
  return rare.accepted;
}

// The fetches of the failed run become the dependencies, so that a later change can heal it.
function keepEarlierRows(entry: InputEntry, ctx: FormulaRunContext): void {
  acceptedNodes(entry);
  replaceDependencies(entry, ctx.nodes());
  entry.stale = true;
}

function suspend(
  derived: FormulaInputs,
  entry: InputEntry,
  ctx: FormulaRunContext,
  core: CollectionCore,
): Outcome {
  keepEarlierRows(entry, ctx);
  const rare = rareStateOf(entry);
  rare.waitingFor = core;
  core.waiters ??= new Set();
  core.waiters.add(entry);
  derived.suspended.add(entry);
  if (entry.initial) {
    rare.holdsSync = true;
    derived.holding++;
  }
  return 'suspended';
}

function discard(derived: FormulaInputs, entry: InputEntry, ctx: FormulaRunContext): Outcome {
  const accepted = acceptedNodes(entry);
  replaceDependencies(entry, joinDependencies(entry, ctx.nodes(), accepted));
  entry.stale = false;
  if (derived.status !== null) derived.status.put(entry.row, ctx.status);
  return 'discarded';
}

/** The input runs or is removed, so it does not wait any more. */
export function endWait(derived: FormulaInputs, entry: InputEntry): void {
  const core = entry.rare?.waitingFor ?? null;
  if (core === null || entry.rare === null) return;
  entry.rare.waitingFor = null;
  derived.suspended.delete(entry);
  core.waiters?.delete(entry);
  derived.edges.release(core);
}

/** Rolls a run back. The input runs again when the collection that it waits for has settled. */
export function postpone(entry: InputEntry, ctx: FormulaRunContext, core: CollectionCore): void {
  rollBack(entry, ctx);
  endPostponement(entry);
  rareStateOf(entry).postponedOn = core;
}

/** The collection was stopped during this run. */
export function abandon(entry: InputEntry, ctx: FormulaRunContext): void {
  rollBack(entry, ctx);
  if (ctx.postponedOn !== null) entry.collection.edges.release(ctx.postponedOn);
}

function rollBack(entry: InputEntry, ctx: FormulaRunContext): void {
  releaseNewQueries(entry, ctx.nodes());
  // The formula caught a suspension, which does not count any more.
  if (ctx.suspendedOn !== null) entry.collection.edges.release(ctx.suspendedOn);
  endResources(ctx.made);
}

/** The input has run again or is removed, so it releases the edge. */
export function endPostponement(entry: InputEntry): void {
  const core = entry.rare?.postponedOn ?? null;
  if (core === null || entry.rare === null) return;
  entry.rare.postponedOn = null;
  entry.collection.edges.release(core);
}

function releaseSync(derived: FormulaInputs, entry: InputEntry): void {
  if (entry.rare === null || !entry.rare.holdsSync) return;
  entry.rare.holdsSync = false;
  derived.holding--;
}

// Created resources live as long as the row of their run. If the row is from an earlier run, resources that
// the input reads or waits for live until its next run.
function settleCreated(entry: InputEntry, ctx: FormulaRunContext, outcome: Outcome): void {
  const rare = rareStateOf(entry);
  const {made} = ctx;
  endResources(rare.latest);
  rare.latest = null;
  if (!isUnaccepted(outcome) && (outcome !== 'equal' || rare.created === null)) {
    endResources(rare.created);
    rare.created = made;
  } else if (made !== null && dependsOnAny(entry, made)) rare.latest = made;
  else endResources(made);
}

export function endResources(made: readonly RunResource[] | null): void {
  for (const one of made ?? []) one.end();
}

function dependsOnAny({nodes, rare}: InputEntry, made: readonly RunResource[]): boolean {
  return made.some(one => rare?.waitingFor === one || nodes.some(node => collectionOf(node) === one));
}

function settleCycle(derived: FormulaInputs, entry: InputEntry, core: CollectionCore | null): void {
  rareStateOf(entry).cycleOn = core;
  if (core === null) derived.circular.delete(entry);
  else {
    derived.circular.add(entry);
    derived.engine.circular.add(derived);
  }
  if (derived.circular.size === 0) derived.engine.circular.delete(derived);
}

function settleNotes(derived: FormulaInputs, entry: InputEntry, ctx: FormulaRunContext): void {
  const {engine} = derived;
  const rare = rareStateOf(entry);
  const {notes} = ctx;
  for (const [place, {code, key}] of rare.violations ?? [])
    if (!notes?.has(place)) engine.violationStore.clear(code, derived, key);
  rare.violations = notes;
  for (const note of notes?.values() ?? [])
    engine.report(note.code, derived, note.keys, note.message, note.key);
}

/** Removes an input and its rows, without a run. */
export function removeInput(derived: FormulaInputs, entry: InputEntry): void {
  derived.outputs.remove(entry, derived.engine.recorder);
  withdrawInput(derived, entry);
  if (derived.status !== null) derived.status.drop(entry.row.key);
  releaseSync(derived, entry);
  if (entry.outcome === 'failed') derived.failed--;
}

/** Clears the violations that repeated runs found: the input or its formula is gone. */
export function clearCheckViolations(derived: FormulaInputs, entry: InputEntry): void {
  const {violationStore} = derived.engine;
  if (violationStore.size === 0) return;
  for (const code of ['mutated-input', 'mutated-fetch', 'non-deterministic'] as const) {
    violationStore.clear(code, derived, entry.row.key);
  }
}

/** Releases everything that this input registered elsewhere. */
export function withdrawInput(derived: FormulaInputs, entry: InputEntry): void {
  endWait(derived, entry);
  endPostponement(entry);
  releaseDependencies(entry);
  detachInput(entry.row, entry);
  entry.causes = null;
  clearCheckViolations(derived, entry);
  const {engine} = derived;
  const {rare} = entry;
  if (rare === null) return;
  endResources(rare.created);
  endResources(rare.latest);
  for (const {code, key} of rare.violations?.values() ?? []) engine.violationStore.clear(code, derived, key);
  settleCycle(derived, entry, null);
  rare.created = null;
  rare.latest = null;
  rare.violations = null;
}
