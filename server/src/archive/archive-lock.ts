// Ensures that one process writes a recording. The lock is a transaction on a small database, so the operating system
// releases it when the process ends, however it ends. The time of its file says when the process was last alive.
import {statSync, utimesSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';

export class ArchiveLock {
  readonly #file: string;
  readonly #db: DatabaseSync;

  private constructor(file: string, db: DatabaseSync) {
    this.#file = file;
    this.#db = db;
  }

  /** When the process that last had the lock was alive, in milliseconds since 1970. */
  static aliveAt(file: string): number {
    return statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? 0;
  }

  /** Undefined if another process has it. */
  static take(file: string): ArchiveLock | undefined {
    const db = new DatabaseSync(file);
    try {
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return new ArchiveLock(file, db);
    } catch (error) {
      db.close();
      if (/locked|busy/i.test((error as Error).message)) return undefined;
      throw error;
    }
  }

  /** The process is alive. It writes no page, so that a quiet cluster costs the disk nothing. */
  touch(): void {
    try {
      const now = new Date();
      utimesSync(this.#file, now, now);
    } catch {
      // The folder is gone or read-only. The next start then takes the time of the newest batch.
    }
  }

  release(): void {
    this.#db.close();
  }
}
