// The messages between main and the engine process. Plain data; objects, questions and answers cross as JSON text,
// encoded records as bytes that main never reads.
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {Command} from './commands.ts';
import type {RecordedSession, SourceFresh, SourceReport, SourceSpec} from './engine-link.ts';
import type {ProgramBatchReport, ProgramChangeReport} from './program-batch.ts';

/** One batch's encoded record as main keeps it. */
export interface Block {
  sequence: number;
  bytes: Uint8Array;
}

/** Blocks one after the other; block-packing.ts makes them. */
export interface PackedBlocks {
  sequences: number[];
  sizes: number[];
  bytes: Uint8Array;
}

/** One batch for the engine: writes, or what a reflector says of its source. They keep their order. */
export type Arrival =
  | {changes: ProgramChangeReport[]; told?: ProgramBatchReport}
  | {source: string; report: SourceReport};

/**
 * Rows of an input that no object gives again, as JSON of a list: its last run failed, was discarded or suspended.
 * `null`: no longer. Main keeps them for the next process, and never reads them.
 */
export type ReplayRows = [collection: string, input: string, rows: string | null];

/** An object that is held back from the engine process. */
export interface WithheldObject {
  collection: string;
  key: string;
  /** What the processes died of. */
  reason: string;
}

export interface StartOptions {
  name: string;
  recording: string;
  /** The last sequence in use: the first batch gets the next one. */
  firstSequence: number;
  historyRuns: number;
  historyMb: number;
  redacted: boolean;
  sources: SourceSpec[];
  /** A process before this one has died: its objects and records are about to come back. */
  resumes: boolean;
  /** It runs no graph: a program tells its own. */
  told?: boolean;
  /** A module that builds another graph than the shipped one; tests use it. */
  graph?: string;
}

export type ToHost =
  | {type: 'start'; options: StartOptions}
  /** Objects to take in as one batch, once `replay-end` comes: JSON of `[collection, key, object][]`. */
  | {type: 'replay'; objects: string}
  | {type: 'replay-end'; reports: [string, SourceReport][]; rows: ReplayRows[]}
  /** JSON of `Arrival[]`: one batch each. `through` comes back in `settled`. */
  | {type: 'apply'; through: number; arrivals: string}
  | {type: 'fresh'; sources: SourceFresh[]}
  /** Objects that this process is not given, because one before it died of them: all there are now. */
  | {type: 'aside'; aside: WithheldObject[]}
  | {type: 'gap'; gap: TimelineGap}
  /** Records from before a restart, any number of messages, then `restore-end`. */
  | {type: 'restore'; blocks: Block[]}
  | {type: 'restore-end'; gaps: TimelineGap[]; oldest: number; lives: string}
  /** For a process that waits to take over: objects to try its program on once the last are there; nothing of it stays. */
  | {type: 'practise'; objects: string; last: boolean}
  /** `memoryMb`: what the process may take to hold it. */
  | {type: 'open'; bytes: Uint8Array; memoryMb: number}
  /** Answered by `obeyed` or `disobeyed`. In a new process those that stand come before `replay`. */
  | {type: 'command'; id: number; command: Command}
  | {type: 'ask'; id: number; question: Question}
  | {type: 'subscribe'; id: number; question: Question}
  | {type: 'unsubscribe'; id: number}
  | {type: 'export'; id: number; session?: RecordedSession}
  /** The next piece of the debug document, which `reader` has had `pieces` of; answered by `piece`. */
  | {type: 'read'; id: number; reader: number; pieces: number; indent: number}
  | {type: 'read-end'; reader: number}
  | {type: 'ping'; n: number};

export type FromHost =
  /** The graph stands and takes messages. */
  | {type: 'started'}
  | {type: 'replayed'; sequence: number}
  /** Everything up to `through` is in; `blocks` are to be kept, `drop` to be forgotten. Comes before any answer that shows it. */
  | {
      type: 'settled';
      sequence: number;
      through: number;
      blocks: PackedBlocks;
      drop: number[];
      /** Absent until the old records are back: what main knew of them still holds. */
      kept?: RetainedHistory;
      rows?: ReplayRows[];
      /** Which collections there were when, if that has changed: JSON that main gives back and never reads. */
      lives?: string;
    }
  | {type: 'restored'}
  /** How much of a file has been read, from 0 to 1. */
  | {type: 'opening'; share: number}
  | {
      type: 'opened';
      recording: string;
      sequence: number;
      redacted: boolean;
      kept: RetainedHistory;
      gaps: TimelineGap[];
      session: RecordedSession;
    }
  | {type: 'refused'; message: string}
  | {type: 'obeyed'; id: number; value: string; sequence: number}
  | {type: 'disobeyed'; id: number; failure: ApiFailure}
  | {type: 'answer'; id: number; value: string; sequence: number}
  | {type: 'failed'; id: number; failure: ApiFailure}
  | {type: 'update'; id: number; update: string; sequence: number}
  | {type: 'trouble'; id: number; failure: ApiFailure}
  | {type: 'exported'; id: number; bytes: Uint8Array}
  /** `null`: that was all. */
  | {type: 'piece'; id: number; text: string | null}
  | {type: 'pong'; n: number; rss: number}
  /** Before a slice of runs of one formula; until the next word of the kind, whatever happens is its doing. */
  | {type: 'running'; formula: string; hash: string}
  | {type: 'rested'}
  /** Something broke inside the host that no question asked for. */
  | {type: 'broken'; message: string};
