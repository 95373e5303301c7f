// The drafts of this session, saved in this browser. They survive reloads and restarts.
import {useEffect} from 'react';
import {create} from 'zustand';
import {useApp} from '../../store/app.ts';
import {
  addDraft,
  changeDraft,
  currentDraft,
  type Draft,
  type Drafts,
  noDrafts,
  readDrafts,
  removeDraft,
} from './drafts.ts';

interface DraftStoreState extends Drafts {
  session: string | null;
}

export const useDraftStore = create<DraftStoreState>()(() => ({session: null, ...noDrafts}));

const storageKey = (session: string) => `krtscope-lab:${session}`;

function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Reads the drafts of the current session, and follows the changes of other tabs. */
export function useStoredDrafts(): void {
  const session = useApp(state => state.route.session);
  useEffect(() => {
    if (session === null) return;
    const read = () =>
      useDraftStore.setState({
        session,
        ...readDrafts(browserStorage()?.getItem(storageKey(session)) ?? null),
      });
    if (useDraftStore.getState().session !== session) read();
    const follow = (event: StorageEvent) => {
      if (event.key !== storageKey(session)) return;
      // Take the other tab's texts, but keep this tab's open draft.
      const theirs = readDrafts(event.newValue);
      const {current} = useDraftStore.getState();
      useDraftStore.setState({
        ...theirs,
        current: theirs.drafts.some(one => one.id === current) ? current : theirs.current,
      });
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [session]);
}

function saveDrafts(next: Drafts): void {
  useDraftStore.setState(next);
  const {session} = useDraftStore.getState();
  if (session === null) return;
  try {
    browserStorage()?.setItem(
      storageKey(session),
      JSON.stringify({drafts: next.drafts, current: next.current}),
    );
  } catch {
    // The storage is full or forbidden. The draft lasts until the page closes.
  }
}

const storedDrafts = (): Drafts => {
  const {drafts, current} = useDraftStore.getState();
  return {drafts, current};
};

export function useCurrentDraft(): Draft | undefined {
  return useDraftStore(currentDraft);
}

export function openDraft(draft: Omit<Draft, 'id' | 'pins' | 'history'> & Partial<Draft>): Draft {
  const made: Draft = {id: newId(), pins: [], history: [], ...draft};
  saveDrafts(addDraft(storedDrafts(), made));
  return made;
}

export function editDraft(id: string, change: Partial<Draft>): void {
  saveDrafts(changeDraft(storedDrafts(), id, change, Date.now()));
}

export function chooseDraft(id: string | null): void {
  saveDrafts({...storedDrafts(), current: id});
}

export function discardDraft(id: string): void {
  saveDrafts(removeDraft(storedDrafts(), id));
}

function newId(): string {
  return `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
}
