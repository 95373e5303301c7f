// One input of a derived collection: its dependencies, its rows, and the outcome of its last run.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {QueryNode} from '../query/query-node.ts';
import type {ViolationCode} from '../trace/violation.ts';
import type {RowState} from '../values/collection.ts';
import {errorText} from '../values/error-text.ts';
import type {RunResource} from '../values/running-code.ts';
import type {Cause, Outcome} from '../values/trace.ts';
import type {FetchEdges} from './fetch-edges.ts';
import type {FullScans} from './full-scan.ts';

export const NO_NODES: readonly QueryNode[] = Object.freeze([]) as readonly QueryNode[];

const DIRTY = 1;
const REMOVED = 2;
const ACCEPTED = 4;
const STALE = 8;
const OWED = 16;
const INITIAL = 32;

/** A derived collection as far as its inputs need it. */
export interface EntryCollection extends CollectionCore {
  readonly parent: CollectionCore;
  readonly edges: FetchEdges;
  readonly scans: FullScans;
  enqueueEntry(entry: InputEntry): void;
  queueEntry(entry: InputEntry): void;
  inputChanged(entry: InputEntry, now: unknown): void;
  resume(entry: InputEntry, awaited: CollectionCore): void;
}

// Every item has one. `declare` avoids that each field is set twice.
export class InputEntry {
  declare readonly collection: EntryCollection;
  /** The row of the primary collection. */
  declare readonly row: Row;
  /** In the order of the last run. The next run compares by position. */
  declare nodes: readonly QueryNode[];
  /** Rows that this input claims. Mostly one, which needs no list. */
  declare outputs: Row | readonly Row[] | null;
  declare outcome: Outcome;
  /** Why it runs in this batch; only recorded for listeners. */
  declare causes: Cause[] | null;
  declare rare: RareInputState | null;
  /** All flags in one number. */
  declare private is: number;

  constructor(collection: EntryCollection, row: Row) {
    this.collection = collection;
    this.row = row;
    this.nodes = NO_NODES;
    this.outputs = null;
    this.outcome = 'empty';
    this.causes = null;
    this.rare = null;
    this.is = 0;
  }

  /** It runs, or is removed, in this batch. */
  get dirty(): boolean {
    return (this.is & DIRTY) !== 0;
  }

  set dirty(yes: boolean) {
    this.is = yes ? this.is | DIRTY : this.is & ~DIRTY;
  }

  /** It waits for its first run in the backlog. */
  get owed(): boolean {
    return (this.is & OWED) !== 0;
  }

  set owed(yes: boolean) {
    this.is = yes ? this.is | OWED : this.is & ~OWED;
  }

  /** It was there when its collection started, and its first run has not ended. */
  get initial(): boolean {
    return (this.is & INITIAL) !== 0;
  }

  set initial(yes: boolean) {
    this.is = yes ? this.is | INITIAL : this.is & ~INITIAL;
  }

  get removed(): boolean {
    return (this.is & REMOVED) !== 0;
  }

  remove(): void {
    this.is |= REMOVED;
  }

  /** A run of this input has been accepted. */
  get accepted(): boolean {
    return (this.is & ACCEPTED) !== 0;
  }

  /** The rows are from the last run. */
  accept(): void {
    this.is = (this.is | ACCEPTED) & ~(STALE | INITIAL);
  }

  /** The rows are from an earlier run: the last one failed or is suspended. */
  get stale(): boolean {
    return (this.is & STALE) !== 0;
  }

  set stale(yes: boolean) {
    this.is = yes ? this.is | STALE : this.is & ~STALE;
  }

  mark(): void {
    if (!this.dirty) this.collection.enqueueEntry(this);
  }
}

/** State that few inputs have, so that the others stay small. */
export class RareInputState {
  error: unknown = undefined;
  waitingFor: CollectionCore | null = null;
  /** Suspended before the collection was synced, which waits for it. */
  holdsSync = false;
  /** Its run was rolled back until this collection has settled. It holds the edge. */
  postponedOn: CollectionCore | null = null;
  /** A fetch of this collection closed a cycle. */
  cycleOn: CollectionCore | null = null;
  /** Queries of the last accepted run, if later runs were discarded or failed. */
  accepted: readonly QueryNode[] | null = null;
  /** Resources of the run that made the current rows. */
  created: RunResource[] | null = null;
  /** Resources of a later run that the input reads or waits for, while the rows are older. */
  latest: RunResource[] | null = null;
  /** Violations of this input, cleared when its next run is clean. */
  violations: ReadonlyMap<string, {code: ViolationCode; key: string}> | null = null;
}

export function rareStateOf(entry: InputEntry): RareInputState {
  entry.rare ??= new RareInputState();
  return entry.rare;
}

export function outputsOf({outputs}: InputEntry): readonly Row[] {
  if (outputs === null) return [];
  return Array.isArray(outputs) ? outputs : [outputs as Row];
}

/** The row at this position of the last result. */
export function rowAt({outputs}: InputEntry, place: number): Row | null {
  if (Array.isArray(outputs)) return (outputs[place] as Row | undefined) ?? null;
  return place === 0 ? (outputs as Row | null) : null;
}

export function keysOf(entry: InputEntry): string[] {
  return outputsOf(entry).map(row => row.key);
}

export function stateOf(entry: InputEntry): RowState {
  const {key} = entry.row;
  const {stale, outcome, rare} = entry;
  const state: RowState = {key, input: key, stale, outcome};
  if (rare?.waitingFor) state.waitingFor = rare.waitingFor.name;
  if (rare !== null && rare.error !== undefined) state.error = errorText(rare.error);
  return state;
}

/** The run was not accepted: the rows are from an earlier one. */
export function isUnaccepted(outcome: Outcome): boolean {
  return outcome === 'discarded' || outcome === 'failed' || outcome === 'suspended';
}
