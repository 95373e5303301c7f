// Named moments of a recording, kept with its history.
import {randomUUID} from 'node:crypto';
import type {DatabaseSync} from 'node:sqlite';
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';

export function listBookmarks(db: DatabaseSync): StoredBookmark[] {
  const rows = db
    .prepare('SELECT id, name, sequence, at, created FROM bookmarks ORDER BY sequence, created')
    .all();
  return rows as unknown as StoredBookmark[];
}

export function addBookmark(
  db: DatabaseSync,
  {name, sequence}: {name: string; sequence: number},
): StoredBookmark {
  const second = db
    .prepare('SELECT second FROM seconds WHERE sequence >= ? ORDER BY second LIMIT 1')
    .get(sequence);
  const created = Date.now();
  const at = second === undefined ? created : (second.second as number) * 1000;
  const bookmark = {id: randomUUID(), name, sequence, at, created};
  db.prepare('INSERT INTO bookmarks VALUES (?, ?, ?, ?, ?)').run(bookmark.id, name, sequence, at, created);
  return bookmark;
}

export function removeBookmark(db: DatabaseSync, id: string): boolean {
  return db.prepare('DELETE FROM bookmarks WHERE id = ?').run(id).changes > 0;
}
