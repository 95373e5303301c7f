// What explain and query ask of the past and the present. history/ and engine/host answer it; nothing here does work.

import type {Progress, WireResource} from '@krtscope/shared/graph.ts';
import type {Incident} from '@krtscope/shared/incidents.ts';
import type {
  RunCause,
  RunDependency,
  RunFetch,
  RunMark,
  RunRecord,
  WireWriter,
} from '@krtscope/shared/run.ts';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {
  ChangeEventType,
  CollectionNodeKind,
  EdgeKind,
  FormulaTrouble,
  RunOutcome,
  SourceState,
} from '@krtscope/shared/vocabulary.ts';
import type {AskedFetch, Clause, Repeated} from '../krt/index.ts';

/** A fetch with its clauses as krt took them apart. */
export interface RecordedFetch extends RunFetch {
  readonly clauses: readonly Clause[];
}

/** `published` is the place of the causing change in its batch's `changes`. */
export interface RecordedCause extends RunCause {
  readonly published?: number;
}

export interface RecordedDependency extends RunDependency {
  readonly clauses: readonly Clause[];
}

export interface RecordedRun extends Omit<RunRecord, 'fetches' | 'causes'> {
  readonly fetches: RecordedFetch[];
  readonly causes: RecordedCause[];
}

/** One item that changed in one batch. `run` is the run that announced it; absent for sources, joins and indexes without runs. */
export interface RecordedChange {
  readonly sequence: number;
  readonly at: number;
  readonly collection: string;
  readonly key: string;
  readonly event: ChangeEventType;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly run?: string;
  /** Its place in its batch; without it nothing can be told of what followed from it. */
  readonly place?: number;
  /** For a change that no run made (joins, indexes, maps, removals of inputs): the places in `changes` that led to it. */
  readonly from?: readonly number[];
  /** Written from outside (a source, static or trigger), not propagated. */
  readonly root: boolean;
  /** It was only seen: a program did not say which run made it, or who wrote it. */
  readonly observed?: boolean;
  /** Who wrote it, where main said so; else explain reads it from the object's managedFields. */
  readonly writer?: WireWriter;
}

/** A batch without values or fetches: cheap to keep for every batch of the recording and to scan by the thousand. */
export interface BatchSummary {
  readonly sequence: number;
  /** Wall clock when it settled, milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from the oldest change received in main to settled; undefined for batches without outside writes. */
  readonly lag?: number;
  /** Milliseconds the batch took. */
  readonly duration: number;
  readonly roots: readonly {
    readonly collection: string;
    readonly key: string;
    readonly event: ChangeEventType;
    /** Who wrote it, where main said so. */
    readonly manager?: string;
  }[];
  /** Names of collections that became synced in it. */
  readonly synced?: readonly string[];
  /** Runs by collection: how many, by outcome, and their milliseconds. */
  readonly runs: readonly {
    readonly collection: string;
    readonly outcomes: Partial<Record<RunOutcome, number>>;
    readonly milliseconds: number;
  }[];
}

/**
 * A batch with everything in it, read piece by piece: the first one of a cluster may hold 40,000 runs, and a why that
 * decoded them all would take a second. Places are positions in krt's `published`, run positions those in `runs`.
 */
export interface RecordedBatch extends BatchSummary {
  readonly runCount: number;
  /** The run at a position; its id is `<sequence>.<position>`. */
  run(position: number): RecordedRun;
  /** Who ran and how it came out, without fetches and causes: for those who count runs by the thousand. */
  brief?(position: number): {
    readonly collection: string;
    readonly input: string;
    readonly outcome: RunOutcome;
  };
  readonly changeCount: number;
  change(place: number): RecordedChange;
  /** Where the outside writes are among the changes. */
  readonly rootPlaces: readonly number[];
  /** Positions of the runs that have this change among their causes. */
  causedBy(place: number): readonly number[];
  /** Places of changes that no run made and that this one led to (joins, indexes, maps, removals). */
  ledTo(place: number): readonly number[];
  /** Keys of a collection that changed in it. */
  changedKeys(collection: string): Iterable<string>;
  /** Places of the changes that this run announced. */
  announced(position: number): readonly number[];
}

/** Where a formula is wrong. */
export interface FormulaErrorFacts {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly input?: string;
}

/** What is known of a collection beside its items. */
export interface CollectionFacts {
  readonly name: string;
  readonly uid: number;
  readonly kind: CollectionNodeKind;
  readonly synced: boolean;
  readonly waitingFor?: string;
  readonly stopped?: boolean;
  /** Primary inputs, join members, the indexed collection: by name, empty for sources. */
  readonly parents: readonly string[];
  /** Sources: what the reflector says. */
  readonly state?: SourceState | FormulaTrouble;
  readonly reason?: string;
  readonly hint?: string;
  readonly listed?: number;
  /** How many there are to list, where the server says so. */
  readonly total?: number;
  /** While it is not synced: how far it has got. */
  readonly progress?: Progress;
  /** Sources: the rows hold every change up to this time, milliseconds since 1970, and whether that is now. */
  readonly asOf?: number;
  readonly current?: boolean;
  readonly resource?: WireResource;
  /** Paths that are shown first, where somebody has said so. */
  readonly columns?: readonly string[];
  /** Somebody typed its formula, in the Lab or in a file. */
  readonly formula?: true;
  /** The file of the graph module that made it. */
  readonly module?: string;
  /** Why a formula does not run as it stands. */
  readonly error?: FormulaErrorFacts;
  /** Collections that it looks into, where that is told and not known from its runs alone. */
  readonly fetches?: readonly string[];
  /** Names of the krt indexes over it. */
  readonly indexes: readonly string[];
}

/** An edge without its texts; query/edges.ts writes those from sampled runs. Fetch edges are those that some living input holds. */
export interface EdgeFacts {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
}

/** What is known of one item beside its value. */
export interface RowFacts {
  readonly outcome: RunOutcome;
  /** Runs of its input(s) so far; 0 for sources. */
  readonly runs: number;
  /** The batch and moment of its last change. */
  readonly sequence: number;
  readonly at: number;
  readonly stale?: boolean;
  /** Other inputs that claim this key. */
  readonly conflict?: readonly string[];
}

/** `found`: the labels, selector, namespace or index keys that the engine saw. */
export interface ClauseOutcome {
  readonly matches: boolean;
  readonly found: unknown;
}

/** The graph's own functions, over values that the caller gives. Each is undefined where there is no such function here. */
export interface RerunFormulas {
  repeat(
    collection: string,
    input: {key: string; item: unknown},
    answer: (asked: AskedFetch) => readonly unknown[],
    /** The batch of the run: a formula may have had another text then. */
    at: number,
  ): Repeated | undefined;
  /** A merge of these items, or a map of the one, as it was at a moment. */
  view(
    collection: string,
    items: readonly unknown[],
    at: number,
  ): {item?: unknown; error?: string} | undefined;
  /** Rows of an index that an item belongs to. */
  groups(collection: string, item: unknown): readonly string[] | undefined;
}

export interface ViolationFacts {
  readonly code: string;
  readonly collection: string;
  readonly keys: readonly string[];
  readonly message: string;
  readonly sequence: number;
  readonly count: number;
}

/** An incident as it is written down. */
export interface RecordedIncident extends Incident {
  /** No symptom holds since this time, milliseconds since 1970; absent while one does. */
  readonly quietSince?: number;
}

/**
 * The past and the present of one session. `at` is a sequence: the state once that batch had settled; absent: now.
 * Every method with `at` throws RolledOff when it is older than `oldest()`. Asking about now is O(1) a key.
 */
export interface Records {
  /** The newest settled sequence and the oldest one whose state can be rebuilt. */
  newest(): number;
  oldest(): number;
  now(): number;
  kept(): RetainedHistory;
  gaps(): readonly TimelineGap[];
  /** The wall clock of a kept sequence (or the nearest kept one before it). */
  timeOf(sequence: number): number;

  /** In topological order, sources first. At a past moment: those that existed then, with synced as it was. */
  collections(at?: number): readonly CollectionFacts[];
  collection(name: string, at?: number): CollectionFacts | undefined;
  edges(at?: number): readonly EdgeFacts[];
  /** The batch up to which a source's first list reached; undefined if it synced before the recording, or not yet. */
  syncedSince?(collection: string): number | undefined;

  has(collection: string, key: string, at?: number): boolean;
  value(collection: string, key: string, at?: number): unknown;
  /** Every key the collection holds, in no order. */
  keys(collection: string, at?: number): Iterable<string>;
  size(collection: string, at?: number): number;
  /** By an output key or, failing that, by an input that has no output (empty, failed, suspended, discarded). */
  row(collection: string, key: string, at?: number): RowFacts | undefined;
  /** Input keys that yield this output (one, or the claimants with the owner first). Sources: []. Joins: the same key; index rows: the keys inside. */
  inputsOf(collection: string, key: string, at?: number): readonly string[];
  /** Output keys of an input; empty for one without output. */
  outputsOf(collection: string, input: string, at?: number): readonly string[];
  /** Whether the collection has an input of this key now (or then). */
  hasInput(collection: string, input: string, at?: number): boolean;
  /** What the input's last run left recorded; a discarded one adds to what the last accepted one left. */
  dependenciesOf(collection: string, input: string, at?: number): readonly RecordedDependency[];
  /** Inputs of `collection` whose dependencies on `on` may be matched by this key: for effects and dependents. Fewer is fine, none false. */
  dependentsOf?(on: string, key: string): readonly {readonly collection: string; readonly input: string}[];

  /** The newest kept run of an input, at or before `at`; living inputs always have theirs. */
  lastRun(collection: string, input: string, at?: number): RecordedRun | undefined;
  /**
   * The newest kept run of an input at or before `at` that did something: not one that left the row of this key as it
   * was (without a key: all rows), nor one that came out empty again. And how many came after it.
   */
  tellingRun(
    collection: string,
    input: string,
    key?: string,
    at?: number,
  ): {readonly run: RecordedRun; readonly since: number} | undefined;
  /** Marks of all kept runs of an input, oldest first. */
  runsOf(collection: string, input: string, at?: number): readonly RunMark[];
  /** How many runs an input, and a collection, had in all. */
  runCount(collection: string, input: string): number;
  runTotal(collection: string): number;
  /** Inputs whose last run failed, or was discarded. */
  failedInputs(collection: string, at?: number): readonly string[];
  discardedInputs(collection: string, at?: number): readonly string[];
  /** Whether nothing has been let go of: what is kept is all there was. */
  isWhole(): boolean;
  runById(id: string): RecordedRun | undefined;
  /** The kept run of the same input before this one. */
  runBefore(id: string): RecordedRun | undefined;
  /** The newest kept change of an item at or before `at`; a living item whose change rolled off answers without `old`. */
  lastChange(collection: string, key: string, at?: number): RecordedChange | undefined;
  /** Kept changes of an item at or before `at`, newest first; the last may be one whose `old` is no longer known. */
  changesOf(collection: string, key: string, at?: number): Iterable<RecordedChange>;
  batch(sequence: number): RecordedBatch | undefined;
  /** Kept batches from..to inclusive, oldest first, lazily. */
  batches(from?: number, to?: number): Iterable<BatchSummary>;

  violations(at?: number): readonly ViolationFacts[];
  /** Open and ended, as they were written down, in no order. */
  incidents(at?: number): readonly RecordedIncident[];
  /** What can be run again: the formulas of the graph; absent where there are none (a file of another graph). */
  readonly formulas?: RerunFormulas;
  /** What the process itself knows, for stats: share of engine time spent recording (0 to 1) and heap bytes. */
  recorder(): {
    readonly share: number;
    readonly cost?: number;
    readonly heap: number;
    readonly frame?: number;
  };
}

/** What changed since the views were last told: by collection, the output keys that changed and the inputs that ran. */
export type ViewChanges = ReadonlyMap<
  string,
  {
    readonly keys: ReadonlySet<string>;
    readonly inputs: ReadonlySet<string>;
    readonly lastKey: string | undefined;
    readonly lastInput: string | undefined;
  }
>;

/** Thrown for `at` and runs that the recording no longer holds; the host answers 410 with `nearest`. */
export class RolledOff extends Error {
  readonly sequence: number;
  readonly nearest: number;
  constructor(sequence: number, nearest: number) {
    super(`sequence ${sequence} is older than what is kept; the nearest kept one is ${nearest}`);
    this.sequence = sequence;
    this.nearest = nearest;
  }
}

/** Thrown for what a question names and nobody has; the host answers with code, message and hint. */
export class Unanswerable extends Error {
  readonly code: 'unknown-collection' | 'unknown-key' | 'bad-query' | 'not-found' | 'rolled-off';
  readonly hint: string;
  constructor(code: Unanswerable['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
