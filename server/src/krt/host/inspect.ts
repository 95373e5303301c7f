// Questions that only a debugger or a test asks: what hangs on what, what a filter says to an object, and
// whether anything was left behind. Never needed by the engine itself.

import {ProbeContext, type Probed, type ProbedRead} from '../check/probe.ts';
import {CollectionCore} from '../graph/collection-core.ts';
import {coreOf, coresOf} from '../graph/core-of.ts';
import {type Engine, engineCoreOf} from '../graph/engine.ts';
import {GroupView} from '../kinds/group-by.ts';
import {type ClauseResult, testClauses} from '../query/clause-test.ts';
import type {QueryNode} from '../query/query-node.ts';
import {DerivedCore} from '../run/derived-core.ts';
import {type InputEntry, keysOf, stateOf as rowStateOf} from '../run/input-entry.ts';
import type {Clause} from '../values/clause.ts';
import type {Collection} from '../values/collection.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import type {Outcome, Via} from '../values/trace.ts';

export interface EngineStats {
  /** Facts of the kind: this input made this fetch. */
  dependencies: number;
  queries: number;
  /** Buckets of user indexes and of the engine's own. */
  buckets: number;
  handlers: number;
  /** Subscriptions between collections: inputs, views, fetch edges, waits. */
  subscriptions: number;
}

/** Counts what could leak. After everything is deleted or stopped, all of it is 0. */
export function engineStats(engine: Engine): EngineStats {
  const core = engineCoreOf(engine);
  const stats: EngineStats = {
    dependencies: core.links,
    queries: 0,
    buckets: 0,
    handlers: 0,
    subscriptions: 0,
  };
  for (const collection of coresOf(core.allCollections())) {
    stats.queries += collection.queries?.count ?? 0;
    stats.buckets += collection.queries?.buckets() ?? 0;
    // A stopped collection keeps its rows, and with them the buckets of its user's indexes.
    if (!collection.stopped)
      for (const index of collection.indexes) stats.buckets += index.buckets.size + index.unannounced;
    stats.handlers += collection.handlers.length;
    stats.subscriptions +=
      collection.children.length +
      collection.views.length +
      collection.readers.size +
      (collection.waiters?.size ?? 0);
  }
  return stats;
}

export interface Dependency {
  collection: string;
  uid: number;
  filter: string;
  clauses: readonly Clause[];
  via: Via;
  /** Keys of the items it selects now. */
  keys: readonly string[];
  matched: number;
  /** What its filter threw when it was asked for its items; the run that made the fetch has failed by it. */
  error?: string;
  /** Whether an item, existing or not, would be selected, part by part. */
  test(item: unknown, key?: string): ClauseResult[];
}

/** What this input depends on now, in the order of its fetches; empty if there is no such input. */
export function dependenciesOf(collection: Collection<unknown>, input: string): Dependency[] {
  const core = coreOf(collection);
  const entry = core instanceof DerivedCore ? core.entry(input) : undefined;
  return entry === undefined ? [] : entry.nodes.map(dependencyOf);
}

function dependencyOf(node: QueryNode): Dependency {
  return {
    collection: node.core.name,
    uid: node.core.uid,
    filter: node.text,
    clauses: node.clauses,
    via: node.via,
    ...selectionOf(node),
    test: (item, key) => testClauses(node, item, key),
  };
}

// A filter is a function of the user's: one that throws must not take the answer about all others with it.
function selectionOf(node: QueryNode): Pick<Dependency, 'keys' | 'matched' | 'error'> {
  try {
    return {keys: node.keys(), matched: node.result().length};
  } catch (error) {
    return {keys: [], matched: 0, error: errorText(error)};
  }
}

export interface InputState {
  input: string;
  outcome: Outcome;
  stale: boolean;
  outputs: string[];
  waitingFor?: string;
  error?: string;
}

/** Keys of the rows that this input claims. */
export function outputsOf(collection: Collection<unknown>, input: string): string[] {
  const core = coreOf(collection);
  if (core instanceof DerivedCore) {
    const entry = core.entry(input);
    return entry === undefined ? [] : keysOf(entry);
  }
  return core.rows.get(input)?.value === undefined ? [] : [input];
}

/** Where a row comes from: keys of inputs in the collection it is made from; [] for a source or no such row. */
export function inputsOf(collection: Collection<unknown>, output: string): string[] {
  const core = coreOf(collection);
  const row = core.rows.get(output);
  if (row?.value === undefined || core.root) return [];
  if (core instanceof DerivedCore) {
    const claimants = core.outputs.claims.inputsOf(output);
    return claimants.length > 0 ? claimants : row.owner === null ? [] : [row.owner.row.key];
  }
  if (core instanceof GroupView) return [...core.index.bucket(output)].map(item => item.key);
  return [output];
}

/** Every input of a derived collection, with how its last run ended. */
export function inputs(collection: Collection<unknown>): InputState[] {
  const core = coreOf(collection);
  if (!(core instanceof DerivedCore)) return [];
  return [...core.entries()].map(inputStateOf);
}

function inputStateOf(entry: InputEntry): InputState {
  const {key: input, ...state} = rowStateOf(entry);
  return {...state, input, outputs: keysOf(entry)};
}

/** What a collection is made from; nothing for sources and for what is made from nothing. */
export function primaryOf(collection: Collection<unknown>): Collection<unknown>[] {
  const core = coreOf(collection);
  const upstreams = core instanceof DerivedCore ? [core.parent] : [...core.upstreams()];
  return upstreams.filter(upstream => !upstream.hidden) as unknown as Collection<unknown>[];
}

/**
 * Runs the formula for one input once more, recording nothing. Every object that the formula gets, its input
 * and what it fetches, goes through `wrap` first; a formula that writes to them is not stopped here.
 */
export function probe(
  collection: Collection<unknown>,
  input: string,
  wrap: (item: unknown, read: ProbedRead) => unknown,
): Probed {
  const core = coreOf(collection);
  const entry = core instanceof DerivedCore ? core.entry(input) : undefined;
  if (!(core instanceof DerivedCore) || entry === undefined) {
    throw new EngineError('wiring', `"${core.name}" has no input "${input}" to probe`);
  }
  return new ProbeContext(core, wrap).run(entry);
}

/** A collection of this engine by its uid. */
export function collectionByUid(engine: Engine, uid: number): Collection<unknown> | undefined {
  for (const core of engineCoreOf(engine).cores)
    if (core.uid === uid) return core as unknown as Collection<unknown>;
  return undefined;
}

export function isCollection(value: unknown): value is Collection<unknown> {
  return value instanceof CollectionCore;
}
