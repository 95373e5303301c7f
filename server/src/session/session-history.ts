// A session's history on disk: found by the identity of its cluster, written while the session is open.
import type {DiskHistory, SessionRetention} from '@krtscope/shared/retention/disk-history.ts';
import type {StoredRecordingFacts} from '../archive/archive-entries.ts';
import type {ArchivedRecording} from '../archive/archived-recording.ts';
import type {HistoryArchive} from '../archive/history-archive.ts';
import {EngineFailure, type EngineHandle} from '../engine/link/engine-link.ts';

export interface SessionHistoryOptions {
  /** Absent if history is not kept on disk. */
  archive: HistoryArchive | undefined;
  /** Why it is not. */
  offReason?: string;
  kind: StoredRecordingFacts['kind'];
  redacted: boolean;
  log(line: string): void;
}

export class SessionHistory {
  readonly #engine: EngineHandle;
  readonly #options: SessionHistoryOptions;
  #recording: ArchivedRecording | undefined;
  #disk: Pick<DiskHistory, 'state' | 'reason'>;
  #identity: string | undefined;
  #changed: () => void = () => {};

  constructor(engine: EngineHandle, options: SessionHistoryOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#disk =
      options.archive === undefined
        ? {state: 'off', reason: options.offReason ?? '--history-disk is 0'}
        : {state: 'waiting', reason: 'krtscope does not know yet which cluster this is'};
  }

  /** A history that is already open for reading. */
  static ofRecording(
    engine: EngineHandle,
    options: SessionHistoryOptions,
    recording: ArchivedRecording,
  ): SessionHistory {
    const history = new SessionHistory(engine, options);
    history.#recording = recording;
    history.#disk = {state: 'read-only', reason: 'its cluster is not connected'};
    return history;
  }

  get archive(): HistoryArchive | undefined {
    return this.#options.archive;
  }

  get recording(): ArchivedRecording | undefined {
    return this.#recording;
  }

  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /**
   * The cluster is known, so its history goes on. Without an identity the session starts in memory; a later call with one
   * still finds the history.
   */
  async identified(
    identity: string | undefined,
    session: StoredRecordingFacts['session'],
    reason = 'the cluster does not answer yet',
  ): Promise<void> {
    const {archive, kind, redacted, log} = this.#options;
    if (this.#identity !== undefined) return;
    if (archive === undefined || identity === undefined) {
      if (archive !== undefined) this.#disk = {state: 'waiting', reason};
      this.#engine.attachArchive(undefined);
      return;
    }
    this.#identity = identity;
    try {
      const facts = {recording: this.#engine.recording, identity, kind, session, redacted, begun: Date.now()};
      const begun = await archive.begin(facts, () => this.#changed());
      if ('writer' in begun) {
        const writer = begun.writer === 'here' ? 'another session' : 'another krtscope';
        this.#disk = {
          state: 'read-only',
          reason: `${writer} writes the history of this cluster to ${archive.folder}; this one keeps its recording in memory`,
        };
        log(this.#disk.reason as string);
        this.#engine.attachArchive(undefined);
        return;
      }
      const {archive: recording, earlier} = begun;
      this.#recording = recording;
      this.#engine.attachArchive(recording, earlier);
      if (earlier !== undefined)
        log(
          `the recording of ${session.name} goes on: #${earlier.sequence}, from ${new Date(earlier.at).toISOString()}`,
        );
    } catch (error) {
      this.#disk = {state: 'failing', reason: (error as Error).message};
      log(`history is kept in memory only: ${(error as Error).message}`);
      this.#engine.attachArchive(undefined);
    }
    this.#changed();
  }

  /** A file with the batches between two sequences. The newest state on disk is made current first. */
  async fileBetween(from: number | undefined, to: number | undefined): Promise<Uint8Array> {
    const {archive} = this.#options;
    const recording = this.#recording;
    if (archive === undefined || recording === undefined) {
      throw new EngineFailure({
        code: 'bad-query',
        message: 'this session has no history on disk, so a stretch cannot be exported',
        hint: 'leave out from and to for the whole recording',
      });
    }
    const {oldest, newest} = this.kept();
    const last = Math.min(to ?? newest.sequence, newest.sequence);
    const first = Math.max(from ?? oldest.sequence, oldest.sequence);
    if (first > last) {
      throw new EngineFailure({
        code: 'bad-query',
        message: `from=${first} is after to=${last}`,
        hint: `the recording has #${oldest.sequence} to #${newest.sequence}`,
      });
    }
    await recording.includeMoment(last);
    return archive.fileBetween(recording.recording, first, last);
  }

  /** All that is kept, in memory and on disk. */
  kept(): SessionRetention {
    const {kept} = this.#engine;
    const {archive} = this.#options;
    const hot = {oldest: {sequence: kept.oldest, time: kept.since}};
    const range = this.#recording?.range;
    const isOlder = range !== undefined && range.oldest.sequence < kept.oldest;
    const now = Date.now();
    return {
      ...kept,
      oldest: isOlder ? range.oldest : hot.oldest,
      newest: {sequence: Math.max(kept.newest, this.#engine.sequence), time: range?.newest.time ?? now},
      hot,
      disk: {
        ...(this.#recording === undefined || this.#disk.state === 'read-only'
          ? this.#disk
          : this.#recording.state),
        bytes: this.#recording?.bytes ?? 0,
        limit: archive?.limits.bytes ?? 0,
        days: archive?.limits.days ?? 0,
      },
    };
  }
}
