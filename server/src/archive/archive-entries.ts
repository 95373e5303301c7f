// What main tells the thread about a recording, in order. Main collects some and sends them together.
import type {TimelineGap} from '@krtscope/shared/timeline.ts';
import type {SettledBatches} from '../engine/link/recording-archive.ts';

export type ArchiveEntry =
  | {type: 'sent'; ids: readonly number[]; arrivals: string}
  | {type: 'rewound'}
  | {type: 'settled'; batches: SettledBatches}
  | {type: 'gap'; gap: TimelineGap};

/** A message of changes to the engine process: JSON of a list, and the id of each of its arrivals. */
export type SentArrivals = [ids: readonly number[], arrivals: string];

/** Facts of a recording that are known when it begins. */
export interface StoredRecordingFacts {
  recording: string;
  /** Of the cluster: the uid of its namespace kube-system, or the start id of the demo. */
  identity: string;
  kind: 'demo' | 'live' | 'program' | 'attached';
  session: {name: string; context?: string; server?: string; version?: string};
  redacted: boolean;
  begun: number;
}

/** One flush: the batches of about a second, without their blocks. */
export interface StoredArrivals {
  /** Messages of which arrivals in (`from`, `through`] settled. */
  sent: SentArrivals[];
  from: number;
  through: number;
  rows: SettledBatches['rows'];
  lives?: string | undefined;
  kept?: SettledBatches['kept'];
}
