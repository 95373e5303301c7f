// The databases that this process has open: one writer for each recording that goes on, and readers for the others.
import {existsSync, mkdirSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import type {StoredRecording} from '@krtscope/shared/retention/disk-history.ts';
import type {OpenedForWriting, WriterStatus} from './archive-calls.ts';
import type {StoredRecordingFacts} from './archive-entries.ts';
import {ArchiveLock} from './archive-lock.ts';
import {ARCHIVE_FORMAT, openForReading, openForWriting} from './archive-schema.ts';
import {readEarlierRecording} from './earlier-recording.ts';
import {RecordingReader} from './recording-reader.ts';
import {RecordingWriter} from './recording-writer.ts';

export interface OpenWriter {
  readonly recording: string;
  readonly db: DatabaseSync;
  readonly writer: RecordingWriter;
  readonly reader: RecordingReader;
  readonly lock: ArchiveLock;
}

const SUFFIX = '.db';

export class OpenRecordings {
  readonly #folder: string;
  readonly #log: (line: string) => void;
  readonly #writers = new Map<string, OpenWriter>();

  constructor(folder: string, log: (line: string) => void) {
    this.#folder = folder;
    this.#log = log;
    mkdirSync(folder, {recursive: true, mode: 0o700});
  }

  writer(recording: string): OpenWriter | undefined {
    return this.#writers.get(recording);
  }

  /** Notes that this process is alive, for the gap that the next start tells. */
  noteAlive(): void {
    for (const {lock} of this.#writers.values()) lock.touch();
  }

  writers(): Iterable<OpenWriter> {
    return this.#writers.values();
  }

  /** Begins a recording, or goes on with the newest one of the same cluster. */
  begin(facts: StoredRecordingFacts): OpenedForWriting {
    for (const {id, isEmpty} of this.#recordingsOf(facts.identity)) {
      // Two contexts may lead to one cluster. Their sequence numbers must not mix.
      if (this.#writers.has(id)) return {state: 'read-only', recording: id, writer: 'here'};
      const aliveAt = Math.min(ArchiveLock.aliveAt(this.#file(id, '.lock')), Date.now());
      const writer = this.open(id);
      if (writer === undefined) return {state: 'read-only', recording: id, writer: 'other'};
      const earlier = isEmpty ? undefined : readEarlierRecording(writer.db, id);
      if (earlier !== undefined) {
        // A quiet cluster has no batches, although krtscope was running.
        earlier.at = Math.max(earlier.at, aliveAt);
        return {state: 'writing', recording: id, earlier, status: this.status(id)};
      }
      this.end(id);
      if (!isEmpty) break;
      // Its process ended before the first write. Nothing refers to it.
      this.remove(id);
    }
    return this.#create(facts);
  }

  /** Undefined if another process writes it. */
  open(recording: string): OpenWriter | undefined {
    const held = this.#writers.get(recording);
    if (held !== undefined) return held;
    const lock = ArchiveLock.take(this.#file(recording, '.lock'));
    if (lock === undefined) return undefined;
    try {
      const db = openForWriting(this.#file(recording));
      const opened = {recording, db, lock, writer: new RecordingWriter(db), reader: new RecordingReader(db)};
      this.#writers.set(recording, opened);
      return opened;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #create(facts: StoredRecordingFacts): OpenedForWriting {
    const {recording} = facts;
    const writer = this.open(recording);
    if (writer === undefined) return {state: 'read-only', recording, writer: 'other'};
    const put = writer.db.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)');
    put.run('format', String(ARCHIVE_FORMAT));
    put.run('recording', JSON.stringify(facts));
    return {state: 'writing', recording, status: this.status(recording)};
  }

  status(recording: string): WriterStatus {
    return this.read(recording, reader => ({recording, range: reader.range(), bytes: reader.bytes()}));
  }

  /** Reads a recording, even if another process writes it. Throws if there is none. */
  read<T>(recording: string, work: (reader: RecordingReader, db: DatabaseSync) => T): T {
    const held = this.#writers.get(recording);
    if (held !== undefined) return work(held.reader, held.db);
    const file = this.#file(recording);
    if (!existsSync(file)) throw new Error(`there is no recording "${recording}" on disk`);
    const db = openForReading(file);
    try {
      return work(new RecordingReader(db), db);
    } finally {
      db.close();
    }
  }

  /** Works on a recording for writing. Throws if another process has it. */
  change<T>(recording: string, work: (db: DatabaseSync) => T): T {
    const held = this.#writers.get(recording);
    if (held !== undefined) return work(held.db);
    if (!existsSync(this.#file(recording))) throw new Error(`there is no recording "${recording}" on disk`);
    const own = this.open(recording);
    if (own === undefined) throw new Error('another krtscope writes this recording; change it there');
    try {
      return work(own.db);
    } finally {
      this.end(recording);
    }
  }

  end(recording: string): void {
    const held = this.#writers.get(recording);
    if (held === undefined) return;
    this.#writers.delete(recording);
    held.db.close();
    held.lock.release();
  }

  list(): StoredRecording[] {
    return this.ids().flatMap(id => this.#describe(id) ?? []);
  }

  ids(): string[] {
    return readdirSync(this.#folder)
      .filter(name => name.endsWith(SUFFIX))
      .map(name => decodeURIComponent(name.slice(0, -SUFFIX.length)));
  }

  /** Deletes the files of a recording. Throws if a process writes it. */
  remove(recording: string): boolean {
    if (this.#writers.has(recording)) throw new Error('its session is open; close the session first');
    if (!existsSync(this.#file(recording))) return false;
    const lock = ArchiveLock.take(this.#file(recording, '.lock'));
    if (lock === undefined) throw new Error('another krtscope writes it; delete it there');
    lock.release();
    for (const suffix of [SUFFIX, `${SUFFIX}-wal`, `${SUFFIX}-shm`, '.lock'])
      rmSync(this.#file(recording, suffix), {force: true});
    return true;
  }

  #describe(id: string): StoredRecording | undefined {
    try {
      return this.read(id, reader => {
        const facts = reader.facts();
        if (facts === undefined) return undefined;
        const {identity: cluster, kind, session} = facts;
        const {name, context, server} = session;
        const {oldest, newest} = reader.range() ?? {};
        const writer = this.#writers.has(id) ? 'here' : this.#isLocked(id) ? 'other' : undefined;
        return {id, cluster, kind, name, context, server, oldest, newest, bytes: reader.bytes(), writer};
      });
    } catch (error) {
      const problem = `it cannot be read: ${(error as Error).message}`;
      return {id, cluster: '', kind: 'live', name: id, bytes: 0, problem};
    }
  }

  #isLocked(recording: string): boolean {
    const file = this.#file(recording, '.lock');
    if (!existsSync(file)) return false;
    const lock = ArchiveLock.take(file);
    lock?.release();
    return lock === undefined;
  }

  /** Newest first. Those without a batch come first: a second process must notice one that has just begun. */
  #recordingsOf(identity: string): {id: string; isEmpty: boolean}[] {
    const found: {id: string; isEmpty: boolean; at: number}[] = [];
    for (const id of this.ids()) {
      try {
        const one = this.read(id, reader => {
          if (reader.facts()?.identity !== identity) return undefined;
          const {newest} = reader.range() ?? {};
          return {id, isEmpty: newest === undefined, at: newest?.time ?? Infinity};
        });
        if (one !== undefined) found.push(one);
      } catch (error) {
        this.#setAside(id, error as Error);
      }
    }
    return found.sort((a, b) => (a.at === b.at ? 0 : b.at - a.at));
  }

  /** A database that SQLite cannot open would fail every start. Its file stays, under another name. */
  #setAside(recording: string, error: Error): void {
    if (!/malformed|not a database/i.test(error.message) || this.#isLocked(recording)) return;
    renameSync(this.#file(recording), this.#file(recording, '.damaged'));
    this.#log(
      `the history ${this.#file(recording, '.damaged')} cannot be read (${error.message}) and was set aside`,
    );
  }

  #file(recording: string, suffix = SUFFIX): string {
    return join(this.#folder, `${encodeURIComponent(recording)}${suffix}`);
  }
}
