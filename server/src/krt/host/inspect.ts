// Questions of a debugger or a test: dependencies, filter results, and leaks. The engine itself does not need
// them.

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
  /** The number of pairs of an input and its fetch. */
  dependencies: number;
  queries: number;
  /** Buckets of user indexes and of the engine's own. */
  buckets: number;
  handlers: number;
  /** Subscriptions between collections: inputs, views, fetch edges, waits. */
  subscriptions: number;
}

/** Counts everything that could leak. After everything is deleted or stopped, all counts are 0. */
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
    // A stopped collection keeps its rows, and so the buckets of its indexes.
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
  /** The error of its filter, if reading the items throws. The run of the fetch has failed with it too. */
  error?: string;
  /** Whether an item, existing or not, would be selected, part by part. */
  test(item: unknown, key?: string): ClauseResult[];
}

/** The dependencies of this input, in the order of its fetches; empty if there is no such input. */
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

// A filter may throw, which must not hide the other dependencies.
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

/** The input keys of a row; [] for sources and missing rows. */
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

/** All inputs of a derived collection with their last outcome. */
export function inputs(collection: Collection<unknown>): InputState[] {
  const core = coreOf(collection);
  if (!(core instanceof DerivedCore)) return [];
  return [...core.entries()].map(inputStateOf);
}

function inputStateOf(entry: InputEntry): InputState {
  const {key: input, ...state} = rowStateOf(entry);
  return {...state, input, outputs: keysOf(entry)};
}

/** The collections that it is built on; [] for sources and collections without an input. */
export function primaryOf(collection: Collection<unknown>): Collection<unknown>[] {
  const core = coreOf(collection);
  const upstreams = core instanceof DerivedCore ? [core.parent] : [...core.upstreams()];
  return upstreams.filter(upstream => !upstream.hidden) as unknown as Collection<unknown>[];
}

/**
 * Repeats the formula for one input and records nothing. `wrap` gets every object that the formula reads: its
 * input and its fetches. Writes of the formula are not stopped here.
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
