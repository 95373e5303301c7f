// The bookmarks of the open session: loaded with its recording, changed by the user, saved by the server at once.
import {useEffect} from 'react';
import {create} from 'zustand';
import {toast, useApp} from '../../store/app.ts';
import {pause} from '../../store/navigation.ts';
import {errorText} from '../../stream/failure-text.ts';
import {useMomentClock} from '../../stream/moment-clock.ts';
import {serverNow, useConnection} from '../../stream/server-connection.ts';
import {type Bookmark, type BookmarkStore, serverBookmarks, takeBrowserBookmarks} from './bookmark-store.ts';

const store: BookmarkStore = serverBookmarks;

interface BookmarksState {
  recording: string | null;
  session: string;
  /** Oldest first. */
  bookmarks: readonly Bookmark[];
  /** The sequence whose name is being edited. */
  editing: number | null;
}

export const useBookmarks = create<BookmarksState>()(() => ({
  recording: null,
  session: '',
  bookmarks: [],
  editing: null,
}));

/** Loads the bookmarks of the open recording. */
export function useBookmarkLoader(): void {
  const recording = useConnection(link => link.recording);
  const session = useConnection(link => link.session?.name);
  useEffect(() => {
    if (recording === null || session === undefined) return;
    if (useBookmarks.getState().recording === recording) return;
    useBookmarks.setState({recording, session, bookmarks: [], editing: null});
    enqueue(async () => {
      for (const one of takeBrowserBookmarks(recording))
        await store.add(session, {sequence: one.sequence, name: one.name || numberName(one.sequence)});
      const bookmarks = await store.list(session);
      saved.clear();
      for (const one of bookmarks) saved.set(one.sequence, one);
      if (useBookmarks.getState().recording === recording) show(bookmarks);
    });
  }, [recording, session]);
}

/** Bookmarks the moment on screen and asks for its name. Live, it pauses first. A second time it only edits. */
export function addBookmark(): void {
  if (useApp.getState().route.moment === null) pause();
  const sequence = useApp.getState().route.moment;
  if (sequence === null) return;
  const {bookmarks} = useBookmarks.getState();
  if (!bookmarks.some(one => one.sequence === sequence)) {
    const at = useMomentClock.getState().at ?? serverNow();
    show([...bookmarks, {id: '', sequence, name: numberName(sequence), at}]);
    toast(`Bookmarked #${sequence}`);
  }
  useBookmarks.setState({editing: sequence});
}

/** Ends the editing of a name. A new bookmark is saved now, so that one request has its name. */
export function nameBookmark(sequence: number, text: string): void {
  const name = text.trim() || numberName(sequence);
  const {bookmarks, editing} = useBookmarks.getState();
  if (editing === sequence) useBookmarks.setState({editing: null});
  show(bookmarks.map(one => (one.sequence === sequence ? {...one, name} : one)));
  if (bookmarks.some(one => one.sequence === sequence)) saveName(sequence, name);
}

export function removeBookmark(sequence: number): void {
  useBookmarks.setState({editing: null});
  show(useBookmarks.getState().bookmarks.filter(one => one.sequence !== sequence));
  enqueue(async session => {
    const before = saved.get(sequence);
    saved.delete(sequence);
    if (before !== undefined) await store.remove(session, before.id);
    toast(`Bookmark #${sequence} removed`);
  });
}

/** The name that the user gave; empty if there is none. */
export function givenName({name, sequence}: Bookmark): string {
  return name === numberName(sequence) ? '' : name;
}

const numberName = (sequence: number) => `#${sequence}`;

/** What the server has. */
const saved = new Map<number, Bookmark>();

/** The new name goes first: no failure in between loses the bookmark. */
function saveName(sequence: number, name: string): void {
  enqueue(async session => {
    const before = saved.get(sequence);
    if (before?.name === name) return;
    const after = await store.add(session, {sequence, name});
    saved.set(sequence, after);
    if (before !== undefined) await store.remove(session, before.id);
  });
}

let queue: Promise<void> = Promise.resolve();

/** Requests go one after the other, so that a name never overtakes its bookmark. */
function enqueue(work: (session: string) => Promise<void>): void {
  const {session, recording} = useBookmarks.getState();
  queue = queue.then(async () => {
    if (useBookmarks.getState().recording !== recording) return;
    try {
      await work(session);
    } catch (error) {
      toast(`The bookmark was not saved: ${errorText(error)}`, 'error');
    }
  });
}

function show(bookmarks: readonly Bookmark[]): void {
  useBookmarks.setState({bookmarks: sorted(bookmarks)});
}

function sorted(bookmarks: readonly Bookmark[]): Bookmark[] {
  return bookmarks.toSorted((a, b) => a.sequence - b.sequence);
}
