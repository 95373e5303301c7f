// Keeps the bookmarks of a recording. This store uses the browser; the interface lets another one use the server.

/** A named moment of one recording. */
export interface Bookmark {
  sequence: number;
  name: string;
  /** The time of the moment, milliseconds since 1970. */
  at: number;
}

export interface BookmarkStore {
  read(recording: string): Promise<Bookmark[]>;
  /** Replaces all bookmarks of the recording. */
  write(recording: string, bookmarks: readonly Bookmark[]): Promise<void>;
}

const storageKey = (recording: string) => `krtscope-bookmarks ${recording}`;

function isBookmark(value: unknown): value is Bookmark {
  const {sequence, name, at} = (value ?? {}) as Partial<Bookmark>;
  return Number.isSafeInteger(sequence) && typeof name === 'string' && typeof at === 'number';
}

/** Bookmarks in the browser, by recording. A browser that stores nothing keeps them until a reload. */
export const browserBookmarks: BookmarkStore = {
  async read(recording) {
    try {
      const stored: unknown = JSON.parse(window.localStorage.getItem(storageKey(recording)) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isBookmark) : [];
    } catch {
      return [];
    }
  },
  async write(recording, bookmarks) {
    try {
      if (bookmarks.length === 0) window.localStorage.removeItem(storageKey(recording));
      else window.localStorage.setItem(storageKey(recording), JSON.stringify(bookmarks));
    } catch {
      // A full or forbidden storage loses the bookmarks at the next reload, and nothing else.
    }
  },
};
