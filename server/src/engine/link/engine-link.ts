// The interface of an engine process for the rest of main: types and one error class. The supervisor implements it;
// http/ and stream/ use it.

import type {WireResource} from '@krtscope/shared/graph.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Update} from '@krtscope/shared/stream.ts';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {
  ChangeEventType,
  CollectionNodeKind,
  ErrorCode,
  RunOutcome,
  SourceState,
} from '@krtscope/shared/vocabulary.ts';
import type {Command, CommandAnswer, CommandName, Culprit} from './commands.ts';
import type {ToHost} from './host-messages.ts';
import type {ProgramBatchReport, ProgramChangeReport} from './program-batch.ts';
import type {EarlierRecording, RecordingArchive} from './recording-archive.ts';

type WithoutId<U> = U extends {id: string} ? Omit<U, 'id'> : never;
/** A subscription's update before stream/ adds the id that the browser chose. */
export type UpdateWithoutId = WithoutId<Update>;

/** `text` is the update as JSON, so that readers that send it on need not write it again. */
export type UpdateListener = (update: UpdateWithoutId, sequence: number, text?: string) => void;

export interface EngineLink {
  /** The answer in the shape that shared/ defines for the question. Rejects with EngineFailure. */
  ask(question: Question): Promise<unknown>;
  /** The debug document as JSON text in pieces, each made on demand. Throws EngineFailure. */
  krtz(indent?: number): AsyncIterable<string>;
  /**
   * Subscribes to a question. The first update is a snapshot, also after an engine restart. `onFailure` does not end
   * the subscription: the next update replaces the failure. Returns the unsubscribe function.
   */
  subscribe(question: Question, on: UpdateListener, onFailure: (failure: ApiFailure) => void): () => void;
  /** It has no process until the next question. */
  readonly isResting: boolean;
}

/** One write to a source, redacted by main. `delete` has no `new`. */
export interface SourceChange {
  collection: string;
  key: string;
  event: ChangeEventType;
  new?: unknown;
  writer?: WireWriter;
  /** When main received it, milliseconds since 1970. */
  received: number;
}

/** A source that the graph is built over. */
export interface SourceSpec {
  collection: string;
  resource?: WireResource;
}

/** A reflector's report about its source. */
export interface SourceReport {
  state: SourceState;
  reason?: string;
  hint?: string;
  /** The number of objects listed so far, and the total where the server says it. */
  listed?: number;
  total?: number;
  /** The first full list was applied, or the kind is not installed. Dependants stop waiting. */
  synced: boolean;
  resource?: WireResource;
  /** Paths that kubectl shows of such objects. A sheet shows them first. */
  columns?: string[];
}

/**
 * The rows of a source include every change up to `asOf` (milliseconds since 1970). `current` says whether that is
 * now.
 */
export interface SourceFresh {
  collection: string;
  asOf: number;
  current: boolean;
}

export type EngineState = 'starting' | 'ready' | 'restarting';

/** An engine process that does not stay up. It is started again and again. */
export interface EngineTrouble {
  /** How often in a row it ended soon after its start. */
  ends: number;
  /** How it ended last. */
  reason: string;
}

export interface EngineHandle extends EngineLink {
  /** Undefined while the process runs, or has ended for the first time. */
  readonly trouble: EngineTrouble | undefined;
  /** Starts the next process at once instead of after a delay. */
  restartNow(): void;
  /** The recording's id. It survives engine restarts. */
  readonly recording: string;
  readonly state: EngineState;
  onState(listener: (state: EngineState) => void): () => void;
  /** Applies one batch. Never blocks; changes wait here until the engine process takes them. */
  apply(changes: SourceChange[]): void;
  /** Applies one batch of a program, with its report. */
  applyReported(changes: ProgramChangeReport[], report: ProgramBatchReport): void;
  /** Batches that the engine process has not recorded yet. */
  readonly unsettled: number;
  sourceState(collection: string, report: SourceReport): void;
  /** Called a few times a minute. The newest value of each source counts. */
  freshen(sources: readonly SourceFresh[]): void;
  gap(gap: TimelineGap): void;
  /** Reports all objects of a source that exist and cannot be used. */
  withhold(collection: string, objects: readonly {key: string; reason: string}[]): void;
  /**
   * Sends a command. Standing commands are repeated to every later process. If the process dies before it answers,
   * the next process gets the command. Rejects with EngineFailure if it is refused.
   */
  command<N extends CommandName>(command: Extract<Command, {command: N}>): Promise<CommandAnswer<N>>;
  /**
   * Called when a formula has ended the process. Later processes start without the formula; do not send it again
   * unchanged.
   */
  onQuarantine(listener: (culprit: Culprit, message: string) => void): () => void;
  /** The newest settled sequence that main knows. */
  readonly sequence: number;
  /** The retained history, as last reported. */
  readonly kept: RetainedHistory;
  readonly gaps: readonly TimelineGap[];
  /**
   * From now on the recording is written to disk. With `earlier` it goes on where an earlier process of krtscope ended.
   * An engine that awaits its archive starts with this call.
   */
  attachArchive(archive: RecordingArchive | undefined, earlier?: EarlierRecording): void;
  /** The `.krtrec` bytes. */
  export(session?: RecordedSession): Promise<Uint8Array>;
  /**
   * The messages that make another process a copy of this one. `onMessage` gets the later ones, in order, until
   * `stop`.
   */
  mirror(onMessage: (message: ToHost) => void): EngineMirror;
  /**
   * Nothing feeds this session, so that its process may end while it has no reader. The next question starts another
   * one. `false` starts it at once.
   */
  allowRest(isAllowed: boolean): void;
  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void>;
}

export interface EngineMirror {
  /** Read it in turns: it has all objects. Ends with `replay-end`. */
  readonly first: Iterable<ToHost>;
  stop(): void;
}

/** The answer to the question `metrics`. Totals start with the current process. */
export interface EngineMetrics {
  sequence: number;
  batches: number;
  changes: number;
  /** Engine time of all batches, and the recorder's share of it. */
  seconds: number;
  recorder: number;
  heap: number;
  kept: RetainedHistory;
  violations: number;
  collections: {
    name: string;
    kind: CollectionNodeKind;
    synced: boolean;
    size: number;
    failed: number;
    runs: Partial<Record<RunOutcome, number>>;
  }[];
}

/** Where a recording was made. `krtscope open` shows it. */
export interface RecordedSession {
  name: string;
  context?: string;
  server?: string;
  version?: string;
  bookmarks?: readonly StoredBookmark[];
}

/** A refused request. `code` decides the HTTP status. */
export class EngineFailure extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly nearest?: number;
  readonly readers?: string[];
  /** For `taken`: the collection with that name. */
  readonly taken?: string;
  readonly errors?: ApiFailure['errors'];

  constructor(failure: Omit<ApiFailure, 'code'> & {code: ErrorCode}) {
    super(failure.message);
    this.name = 'EngineFailure';
    this.code = failure.code;
    this.hint = failure.hint;
    if (failure.nearest !== undefined) this.nearest = failure.nearest;
    if (failure.readers !== undefined) this.readers = failure.readers;
    if (failure.taken !== undefined) this.taken = failure.taken;
    if (failure.errors !== undefined) this.errors = failure.errors;
  }

  toFailure(): ApiFailure {
    const failure: ApiFailure = {code: this.code, message: this.message, hint: this.hint};
    if (this.nearest !== undefined) failure.nearest = this.nearest;
    if (this.readers !== undefined) failure.readers = this.readers;
    if (this.taken !== undefined) failure.taken = this.taken;
    if (this.errors !== undefined) failure.errors = this.errors;
    return failure;
  }
}

/** An engine that was opened from a file, with the file's description. */
export interface OpenedEngineHandle extends EngineHandle {
  readonly redacted: boolean;
  readonly session: RecordedSession;
}

export function createClosedFailure(): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: 'the session is closed',
    hint: 'open it again from Connect',
  });
}

export function createRestartingFailure(): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: 'the engine process is restarting and replays its objects',
    hint: 'try again in a second; the page stays valid until then',
  });
}
