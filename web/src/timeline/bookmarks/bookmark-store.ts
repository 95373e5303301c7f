// The bookmarks of a session, kept by the server with its history.
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import {apiPath, jsonRequest, request} from '../../stream/http.ts';

/** A named moment of one recording. */
export type Bookmark = Pick<StoredBookmark, 'id' | 'sequence' | 'name' | 'at'>;

export interface BookmarkStore {
  list(session: string): Promise<Bookmark[]>;
  add(session: string, bookmark: {name: string; sequence: number}): Promise<Bookmark>;
  remove(session: string, id: string): Promise<void>;
}

/** A reload must not cancel the request. */
const outlivesPage = {keepalive: true};

export const serverBookmarks: BookmarkStore = {
  list: async session =>
    (await request<{bookmarks: StoredBookmark[]}>(apiPath('/bookmarks', {session}))).bookmarks,
  add: (session, bookmark) =>
    request(apiPath('/bookmarks', {session}), {...jsonRequest('POST', bookmark), ...outlivesPage}),
  remove: (session, id) =>
    request(apiPath(`/bookmarks/${encodeURIComponent(id)}`, {session}), {method: 'DELETE', ...outlivesPage}),
};

const storageKey = (recording: string) => `krtscope-bookmarks ${recording}`;

/** Takes the bookmarks that an earlier version kept in the browser, and removes them there. */
export function takeBrowserBookmarks(recording: string): {name: string; sequence: number}[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(storageKey(recording)) ?? '[]');
    window.localStorage.removeItem(storageKey(recording));
    return Array.isArray(stored) ? stored.filter(isBrowserBookmark) : [];
  } catch {
    return [];
  }
}

function isBrowserBookmark(value: unknown): value is {name: string; sequence: number} {
  const {sequence, name} = (value ?? {}) as Partial<Bookmark>;
  return Number.isSafeInteger(sequence) && typeof name === 'string';
}
