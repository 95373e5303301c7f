// The calls from main to the thread that owns the databases.
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import type {Bucket, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {EarlierRecording, RecordingSnapshot} from '../engine/link/recording-archive.ts';
import type {ArchiveEntry, StoredRecordingFacts} from './archive-entries.ts';
import type {ArchivedRange, SegmentFile} from './recording-reader.ts';

export interface ArchiveLimits {
  days: number;
  bytes: number;
}

/** What became of a request to write a recording. */
export type OpenedForWriting =
  /** `earlier` is what the previous process of krtscope left. */
  | {state: 'writing'; recording: string; earlier?: EarlierRecording | undefined; status: WriterStatus}
  /** Another krtscope writes the history of this cluster, or another session of this one does. */
  | {state: 'read-only'; recording: string; writer: 'here' | 'other'};

export interface ArchiveCalls {
  /** Begins a recording, or goes on with the newest one of the same cluster. */
  begin: {takes: StoredRecordingFacts; gives: OpenedForWriting};
  /** What is left of a recording whose session is closed. */
  earlier: {
    takes: {recording: string};
    gives: {facts: StoredRecordingFacts; earlier: EarlierRecording | undefined; status: WriterStatus};
  };
  append: {takes: {recording: string; entries: ArchiveEntry[]}; gives: undefined};
  snapshot: {takes: {recording: string; snapshot: RecordingSnapshot; at: number}; gives: undefined};
  end: {takes: {recording: string}; gives: undefined};
  fileAt: {takes: {recording: string; at: number}; gives: SegmentFile};
  fileBetween: {takes: {recording: string; from: number; to: number}; gives: SegmentFile};
  buckets: {
    takes: {recording: string; from: number; to: number; count: number};
    gives: {buckets: Bucket[]; gaps: TimelineGap[]};
  };
  list: {takes: Record<string, never>; gives: StoredRecording[]};
  remove: {takes: {recording: string}; gives: boolean};
  bookmarks: {takes: {recording: string}; gives: StoredBookmark[]};
  addBookmark: {takes: {recording: string; name: string; sequence: number}; gives: StoredBookmark};
  removeBookmark: {takes: {recording: string; id: string}; gives: boolean};
}

export type ArchiveCallName = keyof ArchiveCalls;

export interface ToArchiveThread {
  id: number;
  call: ArchiveCallName;
  takes: unknown;
}

/** The state of a recording that is written. */
export interface WriterStatus {
  recording: string;
  range: ArchivedRange | undefined;
  bytes: number;
  /** Why the disk does not take it. Absent while it does. */
  problem?: string | undefined;
}

export type FromArchiveThread =
  | {id: number; gives: unknown}
  | {id: number; failure: string; nearest?: number | undefined}
  | {status: WriterStatus}
  | {log: string};
