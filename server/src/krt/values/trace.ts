// The trace of a batch as plain data. batch-recorder.ts fills it.

import type {ChangeEvent} from './change.ts';
import type {Clause} from './clause.ts';

export type Outcome =
  | 'added'
  | 'changed'
  | 'deleted'
  | 'equal'
  | 'empty'
  | 'discarded'
  | 'failed'
  | 'suspended';

export interface RootChange {
  /** The source that was written. */
  collection: string;
  uid: number;
  key: string;
  event: ChangeEvent;
  old?: unknown;
  new?: unknown;
}

export type CauseKind = 'input' | 'fetch' | 'trigger' | 'synced' | 'formula';

export interface Via {
  kind: 'index' | 'scan';
  /** The name of the index: key, namespace, labels, selects, or the name of a user's index. */
  name?: string;
}

export interface Cause {
  kind: CauseKind;
  /** The collection that changed (input, fetch, trigger) or synced (synced). */
  collection?: string;
  uid?: number;
  key?: string;
  event?: ChangeEvent;
  /**
   * Position of the matching fetch among the dependencies that the input had before this run. Those are the
   * fetches of its previous run in order; after a discarded run, those of the last accepted run follow.
   */
  fetch?: number;
  filter?: string;
  /** The version of the changed item that the filter matched. */
  matched?: 'old' | 'new' | 'both';
  via?: Via;
  /** The run of this batch that published the causing change; absent if no run did (sources, views). */
  run?: number;
  /** The entry of `published` that is the causing change. */
  published?: number;
}

export interface DependencyRef {
  collection: string;
  uid: number;
  filter: string;
}

export interface FetchRecord extends DependencyRef {
  clauses: readonly Clause[];
  matched: number;
  /** Rows examined; 0 if a shared result was used. */
  scanned: number;
  via: Via;
  /** Keys of the result, at most KEYS_SHOWN. `matched` is the full count. */
  keys: readonly string[];
}

export const KEYS_SHOWN = 100;

/** What became of one row. `published` has the values. */
export interface RunOutput {
  key: string;
  change: 'added' | 'changed' | 'deleted' | 'equal';
}

export interface RunCounts {
  added: number;
  changed: number;
  deleted: number;
  equal: number;
}

export interface Run {
  collection: string;
  uid: number;
  /** Key of the primary input. */
  input: string;
  outcome: Outcome;
  causes: Cause[];
  fetches: FetchRecord[];
  gained: readonly DependencyRef[];
  lost: readonly DependencyRef[];
  /** Milliseconds after the batch began to settle. */
  start: number;
  duration: number;
  outputs: RunOutput[];
  counts: RunCounts;
  error?: string;
  /** Name of the collection whose sync a suspended run awaits. */
  waitingFor?: string;
}

export interface Published {
  collection: string;
  uid: number;
  key: string;
  event: ChangeEvent;
  old?: unknown;
  new?: unknown;
  /** The run that made it; null for sources, views, hand-overs and removals of inputs. */
  run: number | null;
  /** For a change that no run made: the earlier entries of `published` that led to it. */
  from?: number[];
}

export interface BatchTrace {
  sequence: number;
  /** When the first change of the batch was received, by the engine's clock. */
  received: number;
  settled: number;
  changes: RootChange[];
  runs: Run[];
  published: Published[];
  /** Names of collections that became synced in this batch. */
  synced: string[];
}
