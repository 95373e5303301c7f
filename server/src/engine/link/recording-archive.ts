// A recording's history on disk, as the supervisor uses it. archive/ implements it.
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {SourceReport, UpdateListener} from './engine-link.ts';
import type {Block, PackedBlocks, ReplayRows} from './host-messages.ts';

/** The counts of one second: its time, its newest batch, then runs and writes as in a bucket of the timeline. */
export type SecondTally = [
  second: number,
  sequence: number,
  changed: number,
  equal: number,
  failed: number,
  writes: number,
  people: number,
];

/** The batches that an engine process settled in one message. */
export interface SettledBatches {
  sequence: number;
  /** When the newest of them had settled. */
  at: number;
  /** The last arrival that they include. */
  through: number;
  blocks: PackedBlocks;
  rows: readonly ReplayRows[];
  /** The collection history, if it changed. */
  lives?: string | undefined;
  kept?: RetainedHistory | undefined;
  tallies: readonly SecondTally[];
}

/** The state of all collections at one moment. */
export interface RecordingSnapshot {
  /** A `.krtrec` file without blocks. */
  file: Uint8Array;
  /** Blocks older than the ring, with the last run of a live input or the last change of a live item. */
  olderBlocks: readonly Block[];
  rows: readonly ReplayRows[];
  lives: string;
  reports: readonly [string, SourceReport][];
}

/** What an earlier process of krtscope left on disk. */
export interface EarlierRecording {
  recording: string;
  /** The newest batch on disk. */
  sequence: number;
  /** When the earlier process was last alive. */
  at: number;
  kept: RetainedHistory;
  objects: readonly [collection: string, key: string, object: unknown][];
  reports: readonly [string, SourceReport][];
  rows: readonly ReplayRows[];
  lives: string;
  blocks: readonly Block[];
  gaps: readonly TimelineGap[];
}

export interface RecordingArchive {
  /** The id of the recording on disk. */
  readonly recording: string;
  /** False for a recording whose cluster is not connected: it is only read. */
  readonly isWriter: boolean;
  /** A message with changes was sent to the engine process. `ids` numbers its arrivals. */
  sent(ids: readonly number[], arrivals: string): void;
  /** A new engine process starts: arrivals that were sent and not settled are sent again under other ids. */
  rewound(): void;
  settled(batches: SettledBatches): void;
  gap(gap: TimelineGap): void;
  /** Set by the supervisor: writes a snapshot of the newest moment. */
  takeSnapshot: (() => Promise<void>) | undefined;
  /** Set by the supervisor: asks the engine process about moments in the ring. */
  askRing: ((question: Question) => Promise<unknown>) | undefined;
  /** Whether the recording needs a snapshot now. */
  readonly isSnapshotDue: boolean;
  /** Undefined if the engine process ended before it could write one. `took` is in milliseconds. */
  snapshot(snapshot: RecordingSnapshot | undefined, took: number): void;
  /** Whether the disk answers a question, because the ring does not reach back to its moment. */
  answers(question: Question, hot: RetainedHistory): boolean;
  ask(question: Question, hot: RetainedHistory): Promise<unknown>;
  subscribe(
    question: Question,
    hot: () => RetainedHistory,
    on: UpdateListener,
    onFailure: (failure: ApiFailure) => void,
  ): () => void;
  /** Writes what is left. */
  close(): Promise<void>;
}
