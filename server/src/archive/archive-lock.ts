// Ensures that one process writes a recording. The lock is a transaction on a small database, so the operating system
// releases it when the process ends, however it ends.
import {DatabaseSync} from 'node:sqlite';

export class ArchiveLock {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Undefined if another process has it. */
  static take(file: string): ArchiveLock | undefined {
    const db = new DatabaseSync(file);
    try {
      db.exec('PRAGMA journal_mode = DELETE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
      return new ArchiveLock(db);
    } catch (error) {
      db.close();
      if (/locked|busy/i.test((error as Error).message)) return undefined;
      throw error;
    }
  }

  release(): void {
    this.#db.close();
  }
}
