// The tables of one recording's database. Blocks and states are frames of a `.krtrec` file, so that a file is put together
// by copying.
import {DatabaseSync} from 'node:sqlite';

/** Raised when an older krtscope could not read the tables. */
export const ARCHIVE_FORMAT = 1;

const TABLES = `
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
-- Blocks in frames. A frame of one second is merged with others after the next snapshot.
CREATE TABLE IF NOT EXISTS chunks (
  first INTEGER PRIMARY KEY, last INTEGER NOT NULL, at REAL NOT NULL, merged INTEGER NOT NULL DEFAULT 0,
  sum INTEGER NOT NULL, frames BLOB NOT NULL
) STRICT;
-- What came in since the newest snapshot, to rebuild the objects after a kill.
CREATE TABLE IF NOT EXISTS arrivals (id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, packed BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS snapshots (
  sequence INTEGER PRIMARY KEY, oldest INTEGER NOT NULL, at REAL NOT NULL, sum INTEGER NOT NULL, frames BLOB NOT NULL,
  older BLOB NOT NULL, restart BLOB
) STRICT;
CREATE TABLE IF NOT EXISTS seconds (
  second INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, changed INTEGER NOT NULL, equal INTEGER NOT NULL,
  failed INTEGER NOT NULL, writes INTEGER NOT NULL, people INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS gaps (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, began REAL NOT NULL, ended REAL NOT NULL, sequence INTEGER NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS bookmarks (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, sequence INTEGER NOT NULL, at REAL NOT NULL, created REAL NOT NULL
) STRICT;
`;

/** Opens the database for writing and creates its tables. */
export function openForWriting(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  // Deleted pages return to the file system in small steps. Must come before the first table.
  db.exec('PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL;');
  // A commit survives the end of the process. After a power failure the newest commits may be missing.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;');
  db.exec('PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 8388608; PRAGMA cache_size = -4096;');
  db.exec(TABLES);
  return db;
}

/** Opens the database of another process, or one whose session is closed. */
export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, {readOnly: true});
  db.exec('PRAGMA busy_timeout = 2000; PRAGMA query_only = 1;');
  return db;
}
