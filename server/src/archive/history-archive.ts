// The history of all sessions on disk: begins, lists, opens and deletes recordings.
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import type {EarlierRecording} from '../engine/link/recording-archive.ts';
import type {ArchiveLimits, WriterStatus} from './archive-calls.ts';
import type {StoredRecordingFacts} from './archive-entries.ts';
import {ArchiveThread} from './archive-thread.ts';
import {ArchivedRecording} from './archived-recording.ts';

export interface HistoryArchiveOptions {
  folder: string;
  limits: ArchiveLimits;
  memoryMb: number;
  /** The size of the ring in runs. Snapshots come before half of it has rolled off. */
  ringRuns?: number;
  log(line: string): void;
}

export type BegunRecording =
  | {archive: ArchivedRecording; earlier: EarlierRecording | undefined}
  /** Who writes the history of this cluster: another session of this krtscope, or another krtscope. */
  | {writer: 'here' | 'other'};

/** More runs take longer than a second to read. */
const MAX_SNAPSHOT_RUNS = 20_000;

export class HistoryArchive {
  readonly limits: ArchiveLimits;
  readonly folder: string;
  readonly #thread: ArchiveThread;
  readonly #memoryMb: number;
  readonly #snapshotRuns: number | undefined;

  constructor({folder, limits, memoryMb, ringRuns, log}: HistoryArchiveOptions) {
    this.limits = limits;
    this.folder = folder;
    this.#memoryMb = memoryMb;
    this.#snapshotRuns =
      ringRuns === undefined ? undefined : Math.min(MAX_SNAPSHOT_RUNS, Math.ceil(ringRuns / 2));
    this.#thread = new ArchiveThread(folder, limits, log);
  }

  /** Begins a recording, or goes on with the newest one of the same cluster. */
  async begin(facts: StoredRecordingFacts, onStatus: () => void): Promise<BegunRecording> {
    const begun = await this.#thread.call('begin', facts);
    if (begun.state === 'read-only') return {writer: begun.writer};
    const {recording, earlier, status} = begun;
    return {archive: this.#archiveOf(recording, facts.session.name, true, status, onStatus), earlier};
  }

  /** A recording whose cluster is not connected. */
  async open(recording: string): Promise<{
    facts: StoredRecordingFacts;
    earlier: EarlierRecording | undefined;
    archive: ArchivedRecording;
  }> {
    const found = await this.#thread.call('earlier', {recording});
    return {
      ...found,
      archive: this.#archiveOf(recording, found.facts.session.name, false, found.status, () => {}),
    };
  }

  list(): Promise<StoredRecording[]> {
    return this.#thread.call('list', {});
  }

  remove(recording: string): Promise<boolean> {
    return this.#thread.call('remove', {recording});
  }

  bookmarks(recording: string): Promise<StoredBookmark[]> {
    return this.#thread.call('bookmarks', {recording});
  }

  addBookmark(recording: string, bookmark: {name: string; sequence: number}): Promise<StoredBookmark> {
    return this.#thread.call('addBookmark', {recording, ...bookmark});
  }

  removeBookmark(recording: string, id: string): Promise<boolean> {
    return this.#thread.call('removeBookmark', {recording, id});
  }

  async fileBetween(recording: string, from: number, to: number): Promise<Uint8Array> {
    return (await this.#thread.call('fileBetween', {recording, from, to})).bytes;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  #archiveOf(
    recording: string,
    name: string,
    isWriter: boolean,
    status: WriterStatus | undefined,
    onStatus: () => void,
  ): ArchivedRecording {
    return new ArchivedRecording(this.#thread, {
      recording,
      name,
      memoryMb: this.#memoryMb,
      snapshotRuns: this.#snapshotRuns,
      isWriter,
      status,
      onStatus,
    });
  }
}
