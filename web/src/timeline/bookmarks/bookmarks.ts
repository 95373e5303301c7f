// The bookmarks of the open recording: loaded with it, changed by the user, saved at once.
import {useEffect} from 'react';
import {create} from 'zustand';
import {toast, useApp} from '../../store/app.ts';
import {pause} from '../../store/navigation.ts';
import {useMomentClock} from '../../stream/moment-clock.ts';
import {serverNow, useConnection} from '../../stream/server-connection.ts';
import {type Bookmark, type BookmarkStore, browserBookmarks} from './bookmark-store.ts';

const store: BookmarkStore = browserBookmarks;

interface BookmarksState {
  recording: string | null;
  /** Oldest first. */
  bookmarks: readonly Bookmark[];
  /** The sequence whose name is being edited. */
  editing: number | null;
}

export const useBookmarks = create<BookmarksState>()(() => ({
  recording: null,
  bookmarks: [],
  editing: null,
}));

/** Loads the bookmarks of the open recording. */
export function useBookmarkLoader(): void {
  const recording = useConnection(link => link.recording);
  useEffect(() => {
    if (recording === null || useBookmarks.getState().recording === recording) return;
    useBookmarks.setState({recording, bookmarks: [], editing: null});
    void store.read(recording).then(read => {
      if (useBookmarks.getState().recording === recording) useBookmarks.setState({bookmarks: sorted(read)});
    });
  }, [recording]);
}

/** Bookmarks the moment on screen and asks for its name. Live, it pauses first. A second time it only edits. */
export function addBookmark(): void {
  if (useApp.getState().route.moment === null) pause();
  const sequence = useApp.getState().route.moment;
  if (sequence === null) return;
  const {bookmarks} = useBookmarks.getState();
  if (!bookmarks.some(one => one.sequence === sequence)) {
    const at = useMomentClock.getState().at ?? serverNow();
    save([...bookmarks, {sequence, name: '', at}]);
    toast(`Bookmarked #${sequence}. Type a name, or press Esc.`);
  }
  useBookmarks.setState({editing: sequence});
}

export function renameBookmark(sequence: number, name: string): void {
  const {bookmarks} = useBookmarks.getState();
  save(bookmarks.map(one => (one.sequence === sequence ? {...one, name: name.trim()} : one)));
}

export function removeBookmark(sequence: number): void {
  save(useBookmarks.getState().bookmarks.filter(one => one.sequence !== sequence));
  toast(`Bookmark #${sequence} removed`);
}

export function endBookmarkEditing(): void {
  useBookmarks.setState({editing: null});
}

export function bookmarkName({name, sequence}: Bookmark): string {
  return name === '' ? `#${sequence}` : name;
}

function save(bookmarks: readonly Bookmark[]): void {
  const {recording} = useBookmarks.getState();
  const next = sorted(bookmarks);
  useBookmarks.setState({bookmarks: next});
  if (recording !== null) void store.write(recording, next);
}

function sorted(bookmarks: readonly Bookmark[]): Bookmark[] {
  return bookmarks.toSorted((a, b) => a.sequence - b.sequence);
}
