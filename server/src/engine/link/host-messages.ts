// The messages between main and the engine process, as plain data. Objects, questions and answers cross as JSON text.
// Encoded records cross as bytes that main never reads.
import type {ObjectPatch} from '@krtscope/shared/json/object-patch.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {Command} from './commands.ts';
import type {RecordedSession, SourceFresh, SourceReport, SourceSpec} from './engine-link.ts';
import type {ProgramBatchReport, ProgramChangeReport} from './program-batch.ts';
import type {SecondTally} from './recording-archive.ts';
import type {SlowLaneEvent, SlowLaneRequest} from './slow-lane-messages.ts';

/** The encoded record of one batch. */
export interface Block {
  sequence: number;
  bytes: Uint8Array;
}

/** Blocks in one buffer; block-packing.ts makes it. */
export interface PackedBlocks {
  sequences: number[];
  sizes: number[];
  bytes: Uint8Array;
}

/** A change as it crosses. An object that the engine process holds comes as what differs from it. */
export interface SentChange extends ProgramChangeReport {
  patch?: ObjectPatch;
  /** The resourceVersion of the object that the patch changes. */
  base?: string;
}

/** One batch for the engine: writes, or a reflector's report about its source. Their order matters. */
export type Arrival =
  | {changes: SentChange[]; told?: ProgramBatchReport}
  | {source: string; report: SourceReport};

/**
 * Rows of an input that a replay of objects does not restore, as JSON of a list: the last run failed, was discarded
 * or was suspended. `null` removes them. Main keeps them for the next process and never reads them.
 */
export type ReplayRows = [collection: string, input: string, rows: string | null];

/** The answer to a command, as JSON. */
export interface ObeyedCommand {
  id: number;
  value: string;
}

/** An object that main holds back from the engine process. */
export interface WithheldObject {
  collection: string;
  key: string;
  /** Why, as the end of the sentence "is in the cluster but not shown: …". */
  reason: string;
}

export interface StartOptions {
  name: string;
  recording: string;
  /** The last used sequence. The first batch gets the next one. */
  firstSequence: number;
  historyRuns: number;
  historyMb: number;
  redacted: boolean;
  sources: SourceSpec[];
  /** A previous process has died; its objects and records follow. */
  resumes: boolean;
  /** No graph runs here: a program reports its own. */
  told?: boolean;
  /** A module that builds another graph than the shipped one, for tests. */
  graph?: string;
  /** An exporter is on: send `spans`. */
  spans?: boolean | undefined;
  /** A copy for What if: it tells main of no batch and opens no incident. */
  copy?: boolean;
}

export type ToHost =
  | {type: 'start'; options: StartOptions}
  /** Objects to apply as one batch after `replay-end`: JSON of `[collection, key, object][]`. */
  | {type: 'replay'; objects: string}
  /** `lives` is the collection history of the previous process. */
  | {type: 'replay-end'; reports: [string, SourceReport][]; rows: ReplayRows[]; lives: string}
  /** JSON of `Arrival[]`, one batch each, and the id of each. `settled` returns the last applied id. */
  | {type: 'apply'; ids: readonly number[]; arrivals: string}
  | {type: 'fresh'; sources: SourceFresh[]}
  /** All objects that main holds back because earlier processes died of them. */
  | {type: 'aside'; aside: WithheldObject[]}
  | {type: 'gap'; gap: TimelineGap}
  /** Records from before a restart, in any number of messages, followed by `restore-end`. */
  | {type: 'restore'; blocks: Block[]}
  | {type: 'restore-end'; gaps: TimelineGap[]; oldest: number}
  /**
   * Sample objects for the warm-up of a spare process. The warm-up starts with the last message and leaves no state.
   */
  | {type: 'practise'; objects: string; last: boolean}
  /** `memoryMb` limits the memory of the process. */
  | {type: 'open'; bytes: Uint8Array; memoryMb: number}
  /**
   * Answered by `settled`, together with the batches that it made, or by `disobeyed`. A new process gets the standing
   * ones before `replay`, and the unanswered ones after `replayed`.
   */
  | {type: 'command'; id: number; command: Command}
  | {type: 'ask'; id: number; question: Question}
  | {type: 'subscribe'; id: number; question: Question}
  | {type: 'unsubscribe'; id: number}
  | {type: 'export'; id: number; session?: RecordedSession}
  /** Asks for a file with the newest state and no blocks. Answered by `exported`. */
  | {type: 'snapshot'; id: number; session?: RecordedSession}
  /** Asks for the next piece of the debug document after `pieces` pieces. Answered by `piece`. */
  | {type: 'read'; id: number; reader: number; pieces: number; indent: number}
  | {type: 'read-end'; reader: number}
  /** To a copy: the current objects as JSON of a list, in the order of `refs`; null for missing ones. */
  | {type: 'objects'; id: number; refs: readonly ItemRef[]}
  /** To a copy: JSON of CopyTrial. Answered with JSON of CopyTrialResult. The copy takes the edits back. */
  | {type: 'what-if'; id: number; trial: string}
  | {type: 'ping'; n: number}
  | SlowLaneEvent;

export type FromHost =
  /** The graph is ready for messages. */
  | {type: 'started'}
  | {type: 'replayed'; sequence: number}
  /**
   * Everything up to `through` is applied. Main keeps `blocks` and forgets `drop`. Comes before any answer that shows
   * it.
   */
  | {
      type: 'settled';
      sequence: number;
      through: number;
      blocks: PackedBlocks;
      drop: number[];
      /** Absent until the old records are back: main's previous value still holds. */
      kept?: RetainedHistory;
      /** Commands whose effects are in these blocks. One message for both: a kill must not come in between. */
      obeyed?: readonly ObeyedCommand[];
      rows?: ReplayRows[];
      /** The collection history, if it changed: JSON that main returns without reading it. */
      lives?: string;
      /** The time of the newest block, and the counts of each second, for history on disk. */
      at: number;
      tallies: SecondTally[];
    }
  | {type: 'restored'}
  /** The share of a file that is read, from 0 to 1. */
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
  | {type: 'disobeyed'; id: number; failure: ApiFailure}
  | {type: 'answer'; id: number; value: string; sequence: number}
  | {type: 'failed'; id: number; failure: ApiFailure}
  | {type: 'update'; id: number; update: string; sequence: number}
  | {type: 'trouble'; id: number; failure: ApiFailure}
  | {type: 'exported'; id: number; bytes: Uint8Array}
  /** `null` ends the document. */
  | {type: 'piece'; id: number; text: string | null}
  | {type: 'pong'; n: number; rss: number}
  /** Sent before a slice of runs of one formula. Until the next such message, that formula is responsible. */
  | {type: 'running'; formula: string; hash: string}
  | {type: 'rested'}
  /** JSON of `BatchSpan[]` (span-facts.ts). */
  | {type: 'spans'; batches: string}
  | SlowLaneRequest
  /** An error inside the host that belongs to no question. */
  | {type: 'broken'; message: string};
