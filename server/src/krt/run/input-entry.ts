// One input of one derived collection: what it depends on, what it yields, how its last run ended.

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

/** A derived collection as far as its inputs need it. */
export interface EntryCollection extends CollectionCore {
  readonly parent: CollectionCore;
  readonly edges: FetchEdges;
  readonly scans: FullScans;
  enqueueEntry(entry: InputEntry): void;
  inputChanged(entry: InputEntry, now: unknown): void;
  resume(entry: InputEntry, awaited: CollectionCore): void;
}

// There are as many of these as there are items. A field that is declared here and set there would be set twice.
export class InputEntry {
  declare readonly collection: EntryCollection;
  /** The row of the primary collection. */
  declare readonly row: Row;
  /** In the order of the last run's fetches; the next run compares by place. */
  declare nodes: readonly QueryNode[];
  /** Rows this input claims, owned or not. Mostly one, which needs no list. */
  declare outputs: Row | readonly Row[] | null;
  declare outcome: Outcome;
  /** Why it runs in this batch; only while somebody listens. */
  declare causes: Cause[] | null;
  declare rare: RareInputState | null;
  /** All that is yes or no, in one. */
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

  /** It runs, or goes, in this batch. */
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

  get removed(): boolean {
    return (this.is & REMOVED) !== 0;
  }

  remove(): void {
    this.is |= REMOVED;
  }

  /** Some run of this input was accepted. */
  get accepted(): boolean {
    return (this.is & ACCEPTED) !== 0;
  }

  /** Its rows are those of its last run. */
  accept(): void {
    this.is = (this.is | ACCEPTED) & ~STALE;
  }

  /** Its rows are those of an earlier run: the last one failed or is suspended. */
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

/** What few inputs have, kept apart so that the many stay small. */
export class RareInputState {
  error: unknown = undefined;
  waitingFor: CollectionCore | null = null;
  /** Suspended since before its collection was synced: the collection waits for it. */
  holdsSync = false;
  /** Its run was taken back until this one has settled, whose edge it holds. */
  postponedOn: CollectionCore | null = null;
  /** A fetch of this one closed a cycle. */
  cycleOn: CollectionCore | null = null;
  /** Queries of the last accepted run, while discarded or failed runs came after it. */
  accepted: readonly QueryNode[] | null = null;
  /** What the run created whose rows these are. */
  created: RunResource[] | null = null;
  /** What a later run created and reads of, or waits for, while the rows stay those of the accepted one. */
  latest: RunResource[] | null = null;
  /** Violations that this input holds, to be lifted when its next run is clean. */
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

/** The row at this place of its last result. */
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

/** A run that was not accepted: its input's rows are those of an earlier one. */
export function isUnaccepted(outcome: Outcome): boolean {
  return outcome === 'discarded' || outcome === 'failed' || outcome === 'suspended';
}
