// One recording on disk, as its session uses it: collects what happens, sends it to the thread, and answers what the
// ring no longer holds.

import type {Diff} from '@krtscope/shared/items.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import type {DiskState} from '@krtscope/shared/retention/disk-history.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {RetainedHistory, Timeline, TimelineGap} from '@krtscope/shared/timeline.ts';
import {EngineFailure, type UpdateListener} from '../engine/link/engine-link.ts';
import type {RecordingArchive, RecordingSnapshot, SettledBatches} from '../engine/link/recording-archive.ts';
import type {WriterStatus} from './archive-calls.ts';
import type {ArchiveEntry} from './archive-entries.ts';
import type {ArchiveThread} from './archive-thread.ts';
import {compareMoments, joinDiffs} from './moment-comparison.ts';
import {OlderMoments} from './older-moments.ts';
import {momentOf} from './question-moment.ts';
import type {ArchivedRange} from './recording-reader.ts';
import {repeatAnswer} from './repeat-answer.ts';

/** Entries wait this long for others. After a kill, about as much is missing. */
const FLUSH_MS = 250;
/** Limits between two snapshots. All of it is decoded to answer for one moment. */
const SNAPSHOT_RUNS = 20_000;
const SNAPSHOT_BYTES = 16 << 20;
const SNAPSHOT_MS = 3_600_000;
/** Snapshots take at most this share of the engine's time. */
const SNAPSHOT_SHARE = 1 / 200;

export interface ArchivedRecordingOptions {
  recording: string;
  name: string;
  memoryMb: number;
  isWriter: boolean;
  /** What is on disk at the start. */
  status: WriterStatus | undefined;
  /** Runs between two snapshots, at most. */
  snapshotRuns?: number | undefined;
  onStatus(): void;
}

export class ArchivedRecording implements RecordingArchive {
  readonly recording: string;
  readonly isWriter: boolean;
  readonly #thread: ArchiveThread;
  readonly #options: ArchivedRecordingOptions;
  readonly #older: OlderMoments;
  takeSnapshot: (() => Promise<void>) | undefined;
  askRing: ((question: Question) => Promise<unknown>) | undefined;
  #entries: ArchiveEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #status: WriterStatus | undefined;
  #runs = 0;
  #bytes = 0;
  #snapshotAt = performance.now();
  #notBefore = 0;
  #isSnapshotUnderway = false;

  constructor(thread: ArchiveThread, options: ArchivedRecordingOptions) {
    this.#thread = thread;
    this.#options = options;
    this.recording = options.recording;
    this.isWriter = options.isWriter;
    this.#status = options.status;
    const {name, memoryMb, recording} = options;
    this.#older = new OlderMoments({name, memoryMb, fileAt: at => this.#fileAt(at)});
    thread.onStatus(recording, status => {
      const before = this.#status?.problem;
      this.#status = status;
      if (before !== status.problem) options.onStatus();
      // Batches may be missing, so a restart must not begin with an older snapshot.
      if (before !== undefined && status.problem === undefined) void this.takeSnapshot?.();
    });
  }

  get range(): ArchivedRange | undefined {
    return this.#status?.range;
  }

  get bytes(): number {
    return this.#status?.bytes ?? 0;
  }

  get state(): {state: DiskState; reason?: string} {
    const {problem} = this.#status ?? {};
    if (problem !== undefined) return {state: 'failing', reason: problem};
    return {state: this.isWriter ? 'writing' : 'read-only'};
  }

  sent(ids: readonly number[], arrivals: string): void {
    this.#add({type: 'sent', ids, arrivals});
  }

  rewound(): void {
    this.#add({type: 'rewound'});
  }

  settled(batches: SettledBatches): void {
    for (const [, , changed, equal, failed] of batches.tallies) this.#runs += changed + equal + failed;
    this.#bytes += batches.blocks.bytes.byteLength;
    this.#add({type: 'settled', batches});
  }

  gap(gap: TimelineGap): void {
    this.#add({type: 'gap', gap});
  }

  get isSnapshotDue(): boolean {
    if (!this.isWriter || this.#isSnapshotUnderway || this.#bytes === 0) return false;
    const now = performance.now();
    if (now < this.#notBefore) return false;
    const isDue =
      this.#runs >= (this.#options.snapshotRuns ?? SNAPSHOT_RUNS) ||
      this.#bytes >= SNAPSHOT_BYTES ||
      now - this.#snapshotAt >= SNAPSHOT_MS;
    if (!isDue) return false;
    this.#isSnapshotUnderway = true;
    return true;
  }

  /** A snapshot for a question counts like one that was due. */
  snapshot(snapshot: RecordingSnapshot | undefined, took: number): void {
    this.#isSnapshotUnderway = false;
    this.#runs = 0;
    this.#bytes = 0;
    this.#snapshotAt = performance.now();
    this.#notBefore = this.#snapshotAt - took + took / SNAPSHOT_SHARE;
    if (snapshot === undefined) return;
    this.#flush();
    this.#thread.tell('snapshot', {recording: this.recording, snapshot, at: Date.now()});
  }

  /** Takes a snapshot if the disk does not answer for a moment yet. */
  async includeMoment(sequence: number): Promise<void> {
    if (sequence <= (this.#status?.range?.readable ?? -1)) return;
    await this.takeSnapshot?.();
    // The thread works in order, so the snapshot is written when this call is answered.
    await this.#thread.call('bookmarks', {recording: this.recording});
  }

  answers(question: Question, hot: RetainedHistory): boolean {
    const range = this.#status?.range;
    if (range === undefined) return false;
    if (question.ask === 'timeline') return question.from !== undefined && question.from < hot.since;
    const moment = momentOf(question);
    return moment !== undefined && moment < hot.oldest && moment >= range.oldest.sequence;
  }

  ask(question: Question, hot: RetainedHistory): Promise<unknown> {
    if (question.ask === 'timeline') return this.#timeline(question, hot);
    if (question.ask === 'diff') return this.#compare(question, hot);
    return this.#askOlder(question, momentOf(question) as number);
  }

  subscribe(
    question: Question,
    hot: () => RetainedHistory,
    on: UpdateListener,
    onFailure: (failure: ApiFailure) => void,
  ): () => void {
    if (question.ask !== 'timeline')
      return this.#older.subscribe(question, momentOf(question) as number, on, onFailure);
    return repeatAnswer(async () => {
      const kept = hot();
      on({topic: 'timeline', snapshot: await this.#timeline(question, kept)}, kept.newest);
    }, onFailure);
  }

  async #askOlder(question: Question, moment: number): Promise<unknown> {
    await this.includeMoment(moment);
    return this.#older.ask(question, moment);
  }

  /** One process for each moment, if they are far apart. The ring answers for what is not on disk yet. */
  async #compare({ask, from, to}: Extract<Question, {ask: 'diff'}>, hot: RetainedHistory): Promise<Diff> {
    if (to > hot.newest) throw new EngineFailure(notYet(to, hot.newest));
    const readable = this.#status?.range?.readable ?? -1;
    if (to > readable && hot.oldest <= readable && from < readable && this.askRing !== undefined) {
      const older = await this.#compare({ask, from, to: readable}, hot);
      return joinDiffs(older, (await this.askRing({ask, from: readable, to})) as Diff);
    }
    await this.includeMoment(Math.max(from, to));
    const {newest} = await this.#older.rangeAround(Math.min(from, to));
    if (from >= to || to <= newest)
      return (await this.#older.ask({ask, from, to}, Math.min(from, to))) as Diff;
    const momentAt = (at: number) => ({at, ask: (question: Question) => this.#older.ask(question, at)});
    return compareMoments(momentAt(from), momentAt(to));
  }

  /** The counts of each second are enough, so no block is read. */
  async #timeline(question: Extract<Question, {ask: 'timeline'}>, hot: RetainedHistory): Promise<Timeline> {
    const to = question.to ?? Date.now();
    const from = Math.min(question.from ?? hot.since, to);
    this.#flush();
    const {buckets, gaps} = await this.#thread.call('buckets', {
      recording: this.recording,
      from,
      to,
      count: question.buckets,
    });
    const {oldest} = this.#status?.range ?? {};
    const kept = oldest === undefined ? hot : {...hot, oldest: oldest.sequence, since: oldest.time};
    return {from, to, buckets, gaps: gaps.filter(gap => gap.to >= from && gap.from <= to), kept};
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    this.#thread.forget(this.recording);
    const ended = this.isWriter ? this.#thread.call('end', {recording: this.recording}) : undefined;
    await Promise.all([this.#older.stop(), ended]);
  }

  async #fileAt(at: number) {
    await this.includeMoment(at);
    return this.#thread.call('fileAt', {recording: this.recording, at});
  }

  #add(entry: ArchiveEntry): void {
    if (!this.isWriter) return;
    this.#entries.push(entry);
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    this.#thread.tell('append', {recording: this.recording, entries});
  }
}

const notYet = (sequence: number, newest: number) => ({
  code: 'bad-query' as const,
  message: `sequence ${sequence} has not happened yet`,
  hint: `the newest one is ${newest}`,
});
