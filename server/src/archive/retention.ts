// Removes the oldest history until the limits of age and size hold. It works in small steps and never stops a session.
import type {DatabaseSync} from 'node:sqlite';
import type {ArchiveLimits} from './archive-calls.ts';
import type {OpenRecordings} from './open-recordings.ts';
import {RecordingReader} from './recording-reader.ts';

/** Chunks removed in one transaction, by age and by size. A large step would remove more than the limit asks for. */
const STEP = 16;
const SIZE_STEP = 2;
/** Pages that go back to the file system in one step. */
const VACUUM_PAGES = 256;

/** Removes what is older than a time (milliseconds since 1970). */
function removeOlderThan(db: DatabaseSync, time: number): boolean {
  const chunks = db.prepare('SELECT first FROM chunks WHERE at < ? ORDER BY first LIMIT ?').all(time, STEP);
  if (chunks.length === 0) return false;
  removeThrough(db, chunks.at(-1)?.first as number);
  return true;
}

/** Removes a few of the oldest chunks. Returns false if only the newest is left. */
function removeOldest(db: DatabaseSync): boolean {
  const chunks = db.prepare('SELECT first FROM chunks ORDER BY first LIMIT ?').all(SIZE_STEP + 1);
  if (chunks.length < 2) return false;
  removeThrough(db, chunks.at(-2)?.first as number);
  return true;
}

/** Removes all chunks up to the one that begins with a batch, and everything that needs them. */
function removeThrough(db: DatabaseSync, first: number): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    db.prepare('DELETE FROM chunks WHERE first <= ?').run(first);
    const next = db.prepare('SELECT min(first) AS first FROM chunks').get()?.first as
      | number
      | null
      | undefined;
    const oldest = next ?? first + 1;
    // The newest snapshot stays: a restart begins with it.
    db.prepare(
      'DELETE FROM snapshots WHERE sequence < ? AND sequence < (SELECT max(sequence) FROM snapshots)',
    ).run(oldest);
    db.prepare('DELETE FROM seconds WHERE sequence < ?').run(oldest);
    db.prepare(
      'DELETE FROM gaps WHERE sequence < ? AND ended < (SELECT coalesce(min(second), 0) * 1000 FROM seconds)',
    ).run(oldest);
    db.prepare('DELETE FROM bookmarks WHERE sequence < ?').run(oldest);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
  db.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
}

/** Applies the limits to all recordings of the folder. */
export function enforceLimits(
  recordings: OpenRecordings,
  {days, bytes: limit}: ArchiveLimits,
  now: number,
): void {
  const cutoff = now - days * 86_400_000;
  const stored = recordings.list();
  let total = stored.reduce((sum, {bytes}) => sum + bytes, 0);
  for (const {id, oldest, newest, writer} of stored) {
    if (writer === 'other' || oldest === undefined || oldest.time >= cutoff) continue;
    if (writer === undefined && newest !== undefined && newest.time < cutoff) recordings.remove(id);
    else
      recordings.change(id, db => {
        while (removeOlderThan(db, cutoff));
      });
  }
  const byAge = stored
    .filter(({writer, oldest}) => writer !== 'other' && oldest !== undefined)
    .sort((a, b) => (a.newest?.time ?? 0) - (b.newest?.time ?? 0));
  for (const {id, bytes, writer} of byAge) {
    if (total <= limit) return;
    // A recording that no session needs goes as a whole. Of a recording that goes on, the oldest part goes.
    if (writer === undefined) {
      recordings.remove(id);
      total -= bytes;
    } else total -= shrink(recordings, id, total - limit);
  }
}

/** Returns the bytes that became free. */
function shrink(recordings: OpenRecordings, id: string, wanted: number): number {
  return recordings.change(id, db => {
    const reader = new RecordingReader(db);
    const before = reader.bytes();
    while (before - reader.bytes() < wanted && removeOldest(db));
    return before - reader.bytes();
  });
}
