// What the rest of main may ask of an engine process, and how a refusal looks. Types and one error class;
// the supervisor implements it, http/ and stream/ use it.

import type {WireResource} from '@krtscope/shared/graph.ts';
import type {Question} from '@krtscope/shared/questions.ts';
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
import type {ProgramBatchReport, ProgramChangeReport} from './program-batch.ts';

type WithoutId<U> = U extends {id: string} ? Omit<U, 'id'> : never;
/** A subscription's news before stream/ gives it the id that the browser chose. */
export type UpdateWithoutId = WithoutId<Update>;

/** `text` is the update as JSON: readers that send it on need not write it again. */
export type UpdateListener = (update: UpdateWithoutId, sequence: number, text?: string) => void;

export interface EngineLink {
  /** The answer in the shape that shared/ has for the question. Rejects with EngineFailure. */
  ask(question: Question): Promise<unknown>;
  /** The debug document as JSON text, in pieces: each is made when it is taken. Throws EngineFailure. */
  krtz(indent?: number): AsyncIterable<string>;
  /**
   * News of a question, first a snapshot. After an engine restart it goes on with a snapshot by itself.
   * `onFailure` may be called and the subscription still live: the next news replaces it. Returns its unsubscribe.
   */
  subscribe(question: Question, on: UpdateListener, onFailure: (failure: ApiFailure) => void): () => void;
}

/** One write to a source: main redacts before it calls. `delete` has no `new`. */
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

/** What a reflector says of its source. */
export interface SourceReport {
  state: SourceState;
  reason?: string;
  hint?: string;
  /** How many objects of the first list have come so far, and of how many, where the server says so. */
  listed?: number;
  total?: number;
  /** The first full list was applied, or the kind is not installed: dependants need not wait any more. */
  synced: boolean;
  resource?: WireResource;
  /** Paths that kubectl shows of such objects: what a sheet shows first. */
  columns?: string[];
}

/** A source's rows hold every change up to `asOf` (milliseconds since 1970), and whether that is now. */
export interface SourceFresh {
  collection: string;
  asOf: number;
  current: boolean;
}

export type EngineState = 'starting' | 'ready' | 'restarting';

export interface EngineHandle extends EngineLink {
  /** The recording's id: stays the same over engine restarts. */
  readonly recording: string;
  readonly state: EngineState;
  onState(listener: (state: EngineState) => void): () => void;
  /** One call is one batch. Never blocks; what the engine process has not taken yet waits here. */
  apply(changes: SourceChange[]): void;
  /** One batch of a program, with what it says of it. */
  applyReported(changes: ProgramChangeReport[], told: ProgramBatchReport): void;
  /** Batches that the engine process has not recorded yet. */
  readonly unsettled: number;
  sourceState(collection: string, report: SourceReport): void;
  /** Told as it changes, a few times a minute; the newest of each source holds. */
  freshen(sources: readonly SourceFresh[]): void;
  gap(gap: TimelineGap): void;
  /**
   * What stands is told to every later process too. A death before the answer is survived: the next process is told.
   * Rejects with EngineFailure when it is refused.
   */
  command<N extends CommandName>(command: Extract<Command, {command: N}>): Promise<CommandAnswer<N>>;
  /** Called when a formula has ended the process: it is not told to the next one, and must not be told again as it is. */
  onQuarantine(listener: (culprit: Culprit, message: string) => void): () => void;
  /** The newest settled sequence that main has heard of. */
  readonly sequence: number;
  /** What the recording holds, as last heard. */
  readonly kept: RetainedHistory;
  readonly gaps: readonly TimelineGap[];
  /** The `.krtrec` bytes. */
  export(session?: RecordedSession): Promise<Uint8Array>;
  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void>;
}

/** The answer to the question `metrics`. Totals count from the start of the process that lives now. */
export interface EngineMetrics {
  sequence: number;
  batches: number;
  changes: number;
  /** Engine time of all batches, and the share that recording took of it. */
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

/** Where a recording was made: written into the file so that `krtscope open` can say it. */
export interface RecordedSession {
  name: string;
  context?: string;
  server?: string;
  version?: string;
}

/** An answer that is a refusal: `code` decides the HTTP status. */
export class EngineFailure extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly nearest?: number;
  readonly readers?: string[];
  /** Of `taken`: the collection that has the place. */
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

/** An engine that was opened from a file, with what the file says of itself. */
export interface OpenedEngineHandle extends EngineHandle {
  readonly redacted: boolean;
  readonly session: RecordedSession;
}

export function createClosedFailure(): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: 'the session has been closed',
    hint: 'open it again from Connect',
  });
}

export function createRestartingFailure(): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: 'the engine process is being restarted and takes in its objects again',
    hint: 'ask again in a second; what the page shows stays valid until then',
  });
}
