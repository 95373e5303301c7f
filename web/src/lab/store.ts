// The Lab's own state beside the address: the drafts of this session, in this browser. They survive reloads and restarts.
import {useEffect} from 'react';
import {create} from 'zustand';
import {useApp} from '../store/app.ts';
import {
  addDraft,
  changeDraft,
  currentDraft,
  type Draft,
  type Drafts,
  dropDraft,
  noDrafts,
  readDrafts,
} from './drafts.ts';

interface LabState extends Drafts {
  session: string | null;
}

export const useLab = create<LabState>()(() => ({session: null, ...noDrafts}));

const place = (session: string) => `krtscope-lab:${session}`;

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Reads the drafts of the session that the page is in, and follows other tabs. */
export function useKeepDrafts(): void {
  const session = useApp(state => state.place.session);
  useEffect(() => {
    if (session === null) return;
    const read = () => useLab.setState({session, ...readDrafts(storage()?.getItem(place(session)) ?? null)});
    if (useLab.getState().session !== session) read();
    const follow = (event: StorageEvent) => {
      if (event.key !== place(session)) return;
      // Another tab's texts are taken, its choice of draft is not.
      const theirs = readDrafts(event.newValue);
      const {current} = useLab.getState();
      useLab.setState({
        ...theirs,
        current: theirs.drafts.some(one => one.id === current) ? current : theirs.current,
      });
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [session]);
}

function keep(next: Drafts): void {
  useLab.setState(next);
  const {session} = useLab.getState();
  if (session === null) return;
  try {
    storage()?.setItem(place(session), JSON.stringify({drafts: next.drafts, current: next.current}));
  } catch {
    // A full or forbidden storage: the draft lives as long as the page.
  }
}

const held = (): Drafts => {
  const {drafts, current} = useLab.getState();
  return {drafts, current};
};

export function useDraft(): Draft | undefined {
  return useLab(currentDraft);
}

export function openDraft(draft: Omit<Draft, 'id' | 'pins' | 'history'> & Partial<Draft>): Draft {
  const made: Draft = {id: newId(), pins: [], history: [], ...draft};
  keep(addDraft(held(), made));
  return made;
}

export function editDraft(id: string, change: Partial<Draft>): void {
  keep(changeDraft(held(), id, change, Date.now()));
}

export function chooseDraft(id: string | null): void {
  keep({...held(), current: id});
}

export function throwAway(id: string): void {
  keep(dropDraft(held(), id));
}

function newId(): string {
  return `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
}
