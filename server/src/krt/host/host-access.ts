// What a program around the engine asks of it: collections by name, how they stand, other names for them, and rows that
// outlive a restart. A host needs nothing else of the inside.

import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf, coresOf} from '../graph/core-of.ts';
import {type Engine, engineCoreOf} from '../graph/engine.ts';
import {MergingView} from '../kinds/merge-join.ts';
import {DerivedCore, type FormulaFunction} from '../run/derived-core.ts';
import {FormulaRunContext} from '../run/run-context.ts';
import type {Collection, CollectionKind} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {EngineError} from '../values/error.ts';
import {awaitedCollectionOf, parentsOf} from './collection-info.ts';
import {dumpText} from './dump.ts';

/** Every collection that has not been stopped, in the order in which they were made. */
export function collectionsOf(engine: Engine): Collection<unknown>[] {
  return coresOf(engineCoreOf(engine).cores).filter(core => !core.hidden) as unknown as Collection<unknown>[];
}

/** The first collection of that name; names need not be unique. */
export function collectionByName(engine: Engine, name: string): Collection<unknown> | undefined {
  for (const core of coresOf(engineCoreOf(engine).cores))
    if (core.name === name && !core.hidden) return core as unknown as Collection<unknown>;
  return undefined;
}

/** From here on it goes by this name, in traces and messages too; what was told before keeps the old one. */
export function renameCollection(collection: Collection<unknown>, name: string): void {
  const core = coreOf(collection);
  if (typeof name !== 'string' || name === '') {
    throw new EngineError('wiring', `"${core.name}" cannot be renamed: a name is a text that is not empty`);
  }
  core.name = name;
  // What is made from nothing has a private input, which goes by the same name.
  if (core instanceof DerivedCore && core.parent.hidden) core.parent.name = name;
}

/** What `dump` gives, as JSON text in small pieces, for collections whose name is `wanted`. */
export function dumpPieces(engine: Engine, wanted: (name: string) => boolean, indent = 0): Generator<string> {
  return dumpText(coresOf(engineCoreOf(engine).cores), indent, wanted);
}

/** How a collection stands, without counting anything. */
export interface CollectionOutline {
  name: string;
  uid: number;
  kind: CollectionKind;
  synced: boolean;
  waitingFor?: string;
  /** Runs, or merges, that it has yet to make before it can be synced, and of how many; absent if there are none. */
  owes?: {runs: number; of: number};
  /** What it is made from; what it fetches is not among them. */
  parents: readonly string[];
  indexes: readonly string[];
}

/** Every collection in topological order, sources first. Cheap: a host may ask with every frame. */
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
 * Calls back before each collection's turn in a batch, and before runs of it are repeated: who blames a formula for silence
 * must know when it is over.
 */
export function onTurn(engine: Engine, call: (uid: number) => void): void {
  engineCoreOf(engine).beforeTurn = core => call(core.uid);
}

function pendingFirstRunsOf(core: CollectionCore): Pick<CollectionOutline, 'owes'> {
  if (core.synced) return {};
  if (core instanceof DerivedCore && core.owed > 0)
    return {owes: {runs: core.owed, of: core.parent.rows.size}};
  if (core instanceof MergingView && core.owed > 0)
    return {owes: {runs: core.owed, of: core.owed + core.rows.size}};
  return {};
}

/**
 * With the option `firstRuns`: one batch more of the runs that collections owe before they are synced. Gives whether
 * any are left. Whoever gives the option calls this until it says no.
 */
export function proceed(engine: Engine): boolean {
  return engineCoreOf(engine).proceed();
}

/**
 * Gives inputs of a derived collection rows that their runs need not yield any more, as after a restart: until the
 * returned function is called, an input named here yields those rows, whatever its formula says; then its own formula
 * runs, and if that fails or discards, the rows stay as they would have. Call it before any input has come in. A
 * status collection yields two things at once and cannot be held.
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
  derived.formula = holding;
  return () => {
    // Somebody else's formula has taken the place since: that one stays.
    if (derived.formula === holding) derived.replaceFormula(formula, rows);
  };
}

/** The key of the input that a run is for; undefined in a repeat, which has none. */
function runningInputKey(ctx: HandlerContext): string | undefined {
  return ctx instanceof FormulaRunContext ? ctx.entry?.row.key : undefined;
}

/** Whether holdRows takes it. */
export function canHoldRows(collection: Collection<unknown>): boolean {
  const core = coreOf(collection);
  return core instanceof DerivedCore && core.status === null;
}
