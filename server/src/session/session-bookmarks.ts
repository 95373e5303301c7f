// The bookmarks of a session: with its history on disk, or in memory if there is none.
import {randomUUID} from 'node:crypto';
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import type {SessionBookmarkStore} from '../engine/link/session.ts';
import type {SessionHistory} from './session-history.ts';

export class SessionBookmarks implements SessionBookmarkStore {
  readonly #engine: EngineHandle;
  readonly #history: SessionHistory;
  #inMemory: StoredBookmark[];

  /** `recorded` are those of an opened file. */
  constructor(engine: EngineHandle, history: SessionHistory, recorded: readonly StoredBookmark[] = []) {
    this.#engine = engine;
    this.#history = history;
    this.#inMemory = [...recorded];
  }

  async list(): Promise<StoredBookmark[]> {
    const {archive, recording} = this.#history;
    const stored = archive && recording ? await archive.bookmarks(recording.recording) : [];
    return [...stored, ...this.#inMemory].sort((a, b) => a.sequence - b.sequence);
  }

  async add(bookmark: {name: string; sequence: number}): Promise<StoredBookmark> {
    const {archive, recording} = this.#history;
    if (archive && recording) return archive.addBookmark(recording.recording, bookmark);
    const created = Date.now();
    const {kept} = this.#engine;
    const added = {
      ...bookmark,
      id: randomUUID(),
      at: bookmark.sequence >= kept.newest ? created : kept.since,
      created,
    };
    this.#inMemory.push(added);
    return added;
  }

  async remove(id: string): Promise<boolean> {
    const rest = this.#inMemory.filter(bookmark => bookmark.id !== id);
    if (rest.length < this.#inMemory.length) {
      this.#inMemory = rest;
      return true;
    }
    const {archive, recording} = this.#history;
    return (
      archive !== undefined && recording !== undefined && archive.removeBookmark(recording.recording, id)
    );
  }
}
