// What a host program asks of the engine: collections by name, their state, new names, and rows that outlive
// a restart.

import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf, coresOf} from '../graph/core-of.ts';
import {type Engine, engineCoreOf} from '../graph/engine.ts';
import {ViewCore} from '../graph/view-core.ts';
import {MergingView} from '../kinds/merge-join.ts';
import {DerivedCore, type FormulaFunction} from '../run/derived-core.ts';
import {FormulaRunContext} from '../run/run-context.ts';
import type {Collection, CollectionKind} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {EngineError} from '../values/error.ts';
import type {Cause} from '../values/trace.ts';
import {awaitedCollectionOf, parentsOf} from './collection-info.ts';
import {dumpText} from './dump.ts';

/** All collections that are not stopped, in creation order. */
export function collectionsOf(engine: Engine): Collection<unknown>[] {
  return coresOf(engineCoreOf(engine).cores).filter(core => !core.hidden) as unknown as Collection<unknown>[];
}

/** The first collection of that name; names need not be unique. */
export function collectionByName(engine: Engine, name: string): Collection<unknown> | undefined {
  for (const core of coresOf(engineCoreOf(engine).cores))
    if (core.name === name && !core.hidden) return core as unknown as Collection<unknown>;
  return undefined;
}

/** Renames a collection, for later traces and messages too. */
export function renameCollection(collection: Collection<unknown>, name: string): void {
  const core = coreOf(collection);
  if (typeof name !== 'string' || name === '') {
    throw new EngineError('wiring', `"${core.name}" cannot be renamed: a name is a text that is not empty`);
  }
  core.name = name;
  // The private input of a collection without an input has the same name.
  if (core instanceof DerivedCore && core.parent.hidden) core.parent.name = name;
}

/** The document of `dump` as JSON text in small pieces, for collections whose name is `wanted`. */
export function dumpPieces(engine: Engine, wanted: (name: string) => boolean, indent = 0): Generator<string> {
  return dumpText(coresOf(engineCoreOf(engine).cores), indent, wanted);
}

/** The state of a collection, without counting rows. */
export interface CollectionOutline {
  name: string;
  uid: number;
  kind: CollectionKind;
  synced: boolean;
  waitingFor?: string;
  /** First runs or merges left before it can be synced, or runs left with a new formula, and their total. */
  owes?: {runs: number; of: number};
  /** The collections that it is built on, without those that it fetches. */
  parents: readonly string[];
  indexes: readonly string[];
}

/** All collections in topological order, sources first. Cheap enough for every frame. */
export function outline(engine: Engine): CollectionOutline[] {
  const cores = coresOf(engineCoreOf(engine).cores).filter(core => !core.hidden);
  cores.sort((a, b) => a.level - b.level || a.uid - b.uid);
  return cores.map(core => {
    const {name, uid, kind, synced} = core;
    const waitingFor = awaitedCollectionOf(core);
    return {
      name,
      uid,
      kind,
      synced,
      ...(waitingFor === undefined ? {} : {waitingFor}),
      ...pendingFirstRunsOf(core),
      parents: parentsOf(core),
      indexes: core.indexes.map(index => index.name),
    };
  });
}

/**
 * Calls back before each turn of a collection, and before its runs are repeated. A watchdog uses it to find
 * the formula that hangs.
 */
export function onTurn(engine: Engine, call: (uid: number) => void): void {
  engineCoreOf(engine).beforeTurn = core => call(core.uid);
}

function pendingFirstRunsOf(core: CollectionCore): Pick<CollectionOutline, 'owes'> {
  if (core instanceof DerivedCore && core.owed > 0)
    return {owes: {runs: core.owed, of: core.parent.rows.size}};
  if (core instanceof MergingView && !core.synced && core.owed > 0)
    return {owes: {runs: core.owed, of: core.owed + core.rows.size}};
  return {};
}

/**
 * With the option `firstRuns`: makes one more batch of first runs. Gives whether any are left. Call it until
 * it gives false.
 */
export function proceed(engine: Engine): boolean {
  return engineCoreOf(engine).proceed();
}

/**
 * Gives inputs of a derived collection fixed rows, as after a restart. They yield these rows, whatever the
 * formula says, until the returned function is called. Then the formula runs. If it fails or discards, the
 * rows stay. Call it before any input has come in. Status collections cannot be held.
 */
export function holdRows(
  collection: Collection<unknown>,
  rows: ReadonlyMap<string, readonly unknown[]>,
): () => void {
  const derived = coreOf(collection);
  if (!(derived instanceof DerivedCore) || derived.status !== null) {
    throw new EngineError('wiring', `"${derived.name}" is no derived collection whose rows could be held`);
  }
  const {formula, parent, many} = derived;
  const holding: FormulaFunction = (ctx, item) => {
    const held = rows.get(parent.hidden ? '' : (runningInputKey(ctx) ?? parent.keyOf(item)));
    if (held === undefined) return formula(ctx, item);
    return many ? held : held[0];
  };
  // A singleton has run when it was made: its only input does not come later.
  if (parent.hidden) derived.replaceFormula(holding);
  else derived.formula = holding;
  return () => {
    // Another formula has replaced it meanwhile, and stays.
    if (derived.formula === holding) derived.replaceFormula(formula, rows);
  };
}

/** Removes the rows of a view in a batch, and ends its changes. Stop the view after it. */
export function clearView(collection: Collection<unknown>): void {
  const core = coreOf(collection);
  if (core instanceof ViewCore) core.clear();
}

/** With the option `firstRuns`: replaces the formula, and `proceed` makes the runs in slices. Rows stay until their run. */
export function replaceInSlices(collection: Collection<unknown>, formula: FormulaFunction): void {
  derivedCoreOf(collection).replaceInSlices(formula);
}

/**
 * Runs inputs of a derived collection again, each for causes that the host program knows: another process has
 * computed their rows. An input without a cause runs because of its formula.
 */
export function rerunInputs(
  collection: Collection<unknown>,
  causes: ReadonlyMap<string, readonly Cause[]>,
): void {
  derivedCoreOf(collection).rerun(causes);
}

function derivedCoreOf(collection: Collection<unknown>): DerivedCore {
  const core = coreOf(collection);
  if (core instanceof DerivedCore) return core;
  throw new EngineError('wiring', `"${core.name}" has no runs that could be repeated`);
}

/** The input key of a run; undefined in a repeat. */
export function runningInputKey(ctx: HandlerContext): string | undefined {
  return ctx instanceof FormulaRunContext ? ctx.entry?.row.key : undefined;
}

/** Whether holdRows accepts the collection. */
export function canHoldRows(collection: Collection<unknown>): boolean {
  const core = coreOf(collection);
  return core instanceof DerivedCore && core.status === null;
}
