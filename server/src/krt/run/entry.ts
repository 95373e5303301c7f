// One input of one derived collection: what it depends on, what it yields, how its last run ended.
//
// It is a row itself, under its input's key: the one that it yields if it yields one row under that key, as
// most inputs do. A chain of collections then goes from object to object, with none between them.

import type {RowState} from '../api/collection.ts';
import type {ViolationCode} from '../check/violation.ts';
import type {Core} from '../graph/core.ts';
import {ROW_FLAGS, Row} from '../graph/row.ts';
import type {Derived} from '../kinds/derived.ts';
import type {QueryNode} from '../query/query-node.ts';
import type {Users} from '../query/users.ts';
import type {Outcome} from '../trace/trace.ts';

export const DIRTY = 1 << ROW_FLAGS;
export const REMOVED = 2 << ROW_FLAGS;
/** Some run of this input was accepted. */
export const ACCEPTED = 4 << ROW_FLAGS;
export const STALE = 8 << ROW_FLAGS;
export const SUSPENDED = 16 << ROW_FLAGS;
/** Suspended since before its collection was synced: the collection waits for it. */
export const HOLDS_SYNC = 32 << ROW_FLAGS;
/** Not yet run at all. */
export const NEW = 64 << ROW_FLAGS;
/** Its last run left one row of its own and nothing unusual: the next result likely takes that row's place. */
export const IN_PLACE = 128 << ROW_FLAGS;
const OUTCOME_SHIFT = 8 + ROW_FLAGS;
const FLAG_MASK = (1 << OUTCOME_SHIFT) - 1;

export const OUTCOMES: readonly Outcome[] = [
  'empty',
  'added',
  'changed',
  'deleted',
  'equal',
  'discarded',
  'failed',
  'suspended',
];

// Places in OUTCOMES; from DISCARDED on the run was not accepted.
export const EMPTY = 0;
export const ADDED = 1;
export const CHANGED = 2;
export const DELETED = 3;
export const EQUAL = 4;
export const DISCARDED = 5;
export const FAILED = 6;
export const SUSPENDED_RUN = 7;

export const NO_NODES: readonly QueryNode[] = Object.freeze([]) as readonly QueryNode[];

export class Entry extends Row {
  readonly collection: Derived;
  /** The row of the primary collection. */
  readonly row: Row;
  /** In the order of the last run's fetches; the memo compares by place. */
  nodes: readonly QueryNode[] = NO_NODES;
  /** Rows this input claims, owned or not. */
  outputs: Row | Row[] | null = null;
  rare: Rare | null = null;
  /** Its places among the users of two of its queries; users.ts keeps them. */
  home: Users | null = null;
  home2: Users | null = null;
  place = 0;
  place2 = 0;

  constructor(collection: Derived, row: Row) {
    super(row.key);
    this.flags = NEW;
    this.collection = collection;
    this.row = row;
  }

  mark(): void {
    if ((this.flags & DIRTY) === 0) this.collection.enqueueEntry(this);
  }

  get outcome(): Outcome {
    return OUTCOMES[this.flags >> OUTCOME_SHIFT] as Outcome;
  }

  get outcomePlace(): number {
    return this.flags >> OUTCOME_SHIFT;
  }

  /** An accepted run that left nothing unusual behind. */
  accept(place: number): void {
    this.flags = (this.flags & FLAG_MASK & ~(STALE | NEW)) | ACCEPTED | (place << OUTCOME_SHIFT);
  }

  setOutcome(place: number): void {
    this.flags = (this.flags & FLAG_MASK) | (place << OUTCOME_SHIFT);
  }
}

/** What few inputs have, kept apart so that the many stay small. */
export class Rare {
  error: unknown = undefined;
  waitingFor: Core | null = null;
  /** Queries of the last accepted run, while discarded or failed runs came after it. */
  accepted: readonly QueryNode[] | null = null;
  /** Collections that the accepted run created. */
  created: Core[] | null = null;
  /** Violations that this input holds, to be lifted when its next run is clean. */
  held: {code: ViolationCode; key: string}[] | null = null;
  runs = 0;
}

export function rareOf(entry: Entry): Rare {
  if (entry.rare === null) entry.rare = new Rare();
  return entry.rare;
}

export function outputsOf(entry: Entry): readonly Row[] {
  const outputs = entry.outputs;
  if (outputs === null) return [];
  return Array.isArray(outputs) ? outputs : [outputs];
}

export function keysOf(entry: Entry): string[] {
  return outputsOf(entry).map(row => row.key);
}

export function stateOf(entry: Entry): RowState {
  const {key} = entry.row;
  const state: RowState = {
    key,
    input: key,
    stale: (entry.flags & STALE) !== 0,
    outcome: entry.outcome,
  };
  const {rare} = entry;
  if (rare?.waitingFor) state.waitingFor = rare.waitingFor.name;
  if (rare?.error !== undefined)
    state.error = rare.error instanceof Error ? rare.error.message : String(rare.error);
  return state;
}
