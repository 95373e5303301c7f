// The interface through which explain/ and query/ read a session. history/ and engine/host implement it.

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

/** A fetch with the clauses of its filter. */
export interface RecordedFetch extends RunFetch {
  readonly clauses: readonly Clause[];
}

/** `published` is the position of the causing change among the changes of its batch. */
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

/** One item that changed in one batch. Sources, joins and indexes have no `run`. */
export interface RecordedChange {
  readonly sequence: number;
  readonly at: number;
  readonly collection: string;
  readonly key: string;
  readonly event: ChangeEventType;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly run?: string;
  /** Its position in its batch; without it the effects are not known. */
  readonly place?: number;
  /** For a change that no run made (joins, indexes, maps, removals of inputs): the places in `changes` that led to it. */
  readonly from?: readonly number[];
  /** Written from outside (a source, static or trigger), not propagated. */
  readonly root: boolean;
  /** A program reported it without the run that made it or its writer. */
  readonly observed?: boolean;
  /** The writer as the main process reported it; else explain/ reads the object's managedFields. */
  readonly writer?: WireWriter;
}

/** A batch without values and fetches: cheap enough to keep and scan thousands of them. */
export interface BatchSummary {
  readonly sequence: number;
  /** When it settled, milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds from the oldest change received to settled; undefined without outside writes. */
  readonly lag?: number;
  /** In milliseconds. */
  readonly duration: number;
  readonly roots: readonly {
    readonly collection: string;
    readonly key: string;
    readonly event: ChangeEventType;
    /** The writer, where the main process reported it. */
    readonly manager?: string;
  }[];
  /** Collections that synced in this batch. */
  readonly synced?: readonly string[];
  /** Inputs whose rows a program reported without a run. */
  readonly observed?: number;
  /** Runs by collection: counts by outcome, and milliseconds. */
  readonly runs: readonly {
    readonly collection: string;
    readonly outcomes: Partial<Record<RunOutcome, number>>;
    readonly milliseconds: number;
  }[];
}

/**
 * A batch whose parts are decoded on demand: the first batch of a cluster may have 40,000 runs, and decoding all of them
 * would take a second. A place is a position in krt's `published`, a run position one in `runs`.
 */
export interface RecordedBatch extends BatchSummary {
  readonly runCount: number;
  /** The run at a position; its id is `<sequence>.<position>`. */
  run(position: number): RecordedRun;
  /** A run without fetches and causes, for code that counts thousands of runs. */
  brief?(position: number): {
    readonly collection: string;
    readonly input: string;
    readonly outcome: RunOutcome;
  };
  readonly changeCount: number;
  change(place: number): RecordedChange;
  /** Places of the writes from outside. */
  readonly rootPlaces: readonly number[];
  /** Positions of the runs that have this change among their causes. */
  causedBy(place: number): readonly number[];
  /** Places of the changes without a run that this one led to (joins, indexes, maps, removals). */
  ledTo(place: number): readonly number[];
  /** Keys of a collection that changed in this batch. */
  changedKeys(collection: string): Iterable<string>;
  /** Places of the changes that this run announced. */
  announced(position: number): readonly number[];
}

/** Why the rows of a user's collection were deleted: it was removed, or built again because of what it reads. */
export interface CollectionEnding {
  readonly kind: 'removed' | 'rebuilt';
  /** The file of the graph module that no longer builds it. */
  readonly module?: string;
  /** Collections that it reads, that were removed or built again. */
  readonly because: readonly string[];
}

/** The error of a formula and its position. */
export interface FormulaErrorFacts {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly input?: string;
}

/** A collection without its items. */
export interface CollectionFacts {
  readonly name: string;
  readonly uid: number;
  readonly kind: CollectionNodeKind;
  readonly synced: boolean;
  readonly waitingFor?: string;
  readonly stopped?: boolean;
  /** Names of primary inputs, join members or the indexed collection; empty for sources. */
  readonly parents: readonly string[];
  /** Sources: the state of the reflector. */
  readonly state?: SourceState | FormulaTrouble;
  readonly reason?: string;
  readonly hint?: string;
  readonly listed?: number;
  /** How many objects there are to list, where the server reports it. */
  readonly total?: number;
  /** The progress of its first sync. */
  readonly progress?: Progress;
  /** Sources: the rows have every change up to this time, milliseconds since 1970, and whether that is now. */
  readonly asOf?: number;
  readonly current?: boolean;
  readonly resource?: WireResource;
  /** Paths that the page shows first, where the author chose some. */
  readonly columns?: readonly string[];
  /** A user wrote its formula, in the Lab or in a file. */
  readonly formula?: true;
  /** The file of the graph module that made it. */
  readonly module?: string;
  /** Where its formula runs, and what its runs cost. */
  readonly lane?: 'engine' | 'slow';
  readonly cost?: {readonly runs: number; readonly totalMs: number; readonly slowestMs: number};
  /** Why its formula does not run. */
  readonly error?: FormulaErrorFacts;
  /** Collections that it fetches from, where a program reports them. */
  readonly fetches?: readonly string[];
  /** Names of the krt indexes over it. */
  readonly indexes: readonly string[];
}

/** An edge without its texts, which query/graph samples from runs. A fetch edge exists while a live input has the dependency. */
export interface EdgeFacts {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
}

/** One item without its value. */
export interface RowFacts {
  readonly outcome: RunOutcome;
  /** Runs of its input(s) so far; 0 for sources. */
  readonly runs: number;
  /** The batch and moment of its last change. */
  readonly sequence: number;
  readonly at: number;
  readonly stale?: boolean;
  /** Other inputs that give the same key. */
  readonly conflict?: readonly string[];
}

/** `found`: the labels, selector, namespace or index keys that the engine saw. */
export interface ClauseOutcome {
  readonly matches: boolean;
  readonly found: unknown;
}

/** The functions of the graph, over values that the caller gives. They return undefined where the function is not available. */
export interface RerunFormulas {
  repeat(
    collection: string,
    input: {key: string; item: unknown},
    answer: (asked: AskedFetch) => readonly unknown[],
    /** The batch of the run: the formula may have changed since. */
    at: number,
  ): Repeated | undefined;
  /** A merge of these items, or a map of one, at a moment. */
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

/** An incident as the recording has it. */
export interface RecordedIncident extends Incident {
  /** The time since which it has no symptom, milliseconds since 1970; absent while it has one. */
  readonly quietSince?: number;
}

/**
 * The past and the present of one session. `at` is a sequence and means the state after that batch; absent means now.
 * Every method throws RolledOff for an `at` older than `oldest()`. A lookup about now is O(1) for a key.
 */
export interface Records {
  /** The newest sequence, and the oldest one whose state can be rebuilt. */
  newest(): number;
  oldest(): number;
  now(): number;
  kept(): RetainedHistory;
  gaps(): readonly TimelineGap[];
  /** The time of a sequence, or of the nearest one before it that is kept. */
  timeOf(sequence: number): number;

  /** In topological order, sources first. A past moment has the collections of that moment. */
  collections(at?: number): readonly CollectionFacts[];
  collection(name: string, at?: number): CollectionFacts | undefined;
  /** Why the rows of this collection were deleted in a batch; undefined if the collection continued. */
  ending?(name: string, sequence: number): CollectionEnding | undefined;
  /** Why a formula's collection was built again with the text that it had before. */
  rebuilding?(name: string, sequence: number): CollectionEnding | undefined;
  edges(at?: number): readonly EdgeFacts[];
  /** The last batch of a source's first list; undefined if it synced before the recording, or not yet. */
  syncedSince?(collection: string): number | undefined;

  has(collection: string, key: string, at?: number): boolean;
  value(collection: string, key: string, at?: number): unknown;
  /** The keys of a collection, in no order. */
  keys(collection: string, at?: number): Iterable<string>;
  size(collection: string, at?: number): number;
  /** By an output key, else by an input without output (empty, failed, suspended, discarded). */
  row(collection: string, key: string, at?: number): RowFacts | undefined;
  /** Input keys that give this output, the owner first. Sources: none. Joins: the same key. Index rows: their members. */
  inputsOf(collection: string, key: string, at?: number): readonly string[];
  /** Output keys of an input; empty for one without output. */
  outputsOf(collection: string, input: string, at?: number): readonly string[];
  /** Whether the collection has an input of this key now (or then). */
  hasInput(collection: string, input: string, at?: number): boolean;
  /** Dependencies of the last run. Those of a discarded run add to those of the last accepted one. */
  dependenciesOf(collection: string, input: string, at?: number): readonly RecordedDependency[];
  /** Inputs with a dependency on `on` that this key may match. It may leave some out, but gives no wrong ones. */
  dependentsOf?(on: string, key: string): readonly {readonly collection: string; readonly input: string}[];

  /** The newest kept run of an input, at or before `at`. A live input always has one. */
  lastRun(collection: string, input: string, at?: number): RecordedRun | undefined;
  /**
   * The newest kept run of an input at or before `at` that changed the row of this key, or any row without a key.
   * `since` counts the runs after it.
   */
  tellingRun(
    collection: string,
    input: string,
    key?: string,
    at?: number,
  ): {readonly run: RecordedRun; readonly since: number} | undefined;
  /** Marks of all kept runs of an input, oldest first. */
  runsOf(collection: string, input: string, at?: number): readonly RunMark[];
  /** All runs of an input, and of a collection. */
  runCount(collection: string, input: string): number;
  runTotal(collection: string): number;
  /** Inputs whose last run failed, or was discarded. */
  failedInputs(collection: string, at?: number): readonly string[];
  discardedInputs(collection: string, at?: number): readonly string[];
  /** Whether the recording still has everything from its beginning. */
  isWhole(): boolean;
  runById(id: string): RecordedRun | undefined;
  /** The kept run of the same input before this one. */
  runBefore(id: string): RecordedRun | undefined;
  /** The newest kept change of an item at or before `at`. It has no `old` where that change has rolled off. */
  lastChange(collection: string, key: string, at?: number): RecordedChange | undefined;
  /** Kept changes of an item at or before `at`, newest first. The last one may have no `old`. */
  changesOf(collection: string, key: string, at?: number): Iterable<RecordedChange>;
  batch(sequence: number): RecordedBatch | undefined;
  /** Kept batches from..to inclusive, oldest first, lazily. */
  batches(from?: number, to?: number): Iterable<BatchSummary>;

  violations(at?: number): readonly ViolationFacts[];
  /** Open and ended incidents, in no order. */
  incidents(at?: number): readonly RecordedIncident[];
  /** The formulas, to run them again; absent for a file of another graph. */
  readonly formulas?: RerunFormulas;
  /** For stats: the share of engine time spent on recording (0 to 1), and heap bytes. */
  recorder(): {
    readonly share: number;
    readonly cost?: number;
    readonly heap: number;
    readonly frame?: number;
  };
}

/** What changed since the last update of the views: by collection, changed output keys and inputs that ran. */
export type ViewChanges = ReadonlyMap<
  string,
  {
    readonly keys: ReadonlySet<string>;
    readonly inputs: ReadonlySet<string>;
    readonly lastKey: string | undefined;
    readonly lastInput: string | undefined;
  }
>;

/** Thrown for moments and runs that the recording no longer has; the host answers 410 with `nearest`. */
export class RolledOff extends Error {
  readonly sequence: number;
  readonly nearest: number;
  constructor(sequence: number, nearest: number) {
    super(`sequence ${sequence} is older than what is kept; the nearest kept one is ${nearest}`);
    this.sequence = sequence;
    this.nearest = nearest;
  }
}

/** Thrown for names in a question that do not exist; the host answers with code, message and hint. */
export class Unanswerable extends Error {
  readonly code: 'unknown-collection' | 'unknown-key' | 'bad-query' | 'not-found' | 'rolled-off';
  readonly hint: string;
  constructor(code: Unanswerable['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
