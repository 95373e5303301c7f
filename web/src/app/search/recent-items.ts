// The items that were open last in this tab, newest first, by session.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {useApp} from '../../store/app.ts';

const MAX_RECENT = 6;
const storageKey = (session: string) => `krtscope-recent ${session}`;

/** Remembers every item that becomes selected; returns a function that stops it. */
export function followRecentItems(): () => void {
  return useApp.subscribe(({route: {session, collection, key}}, before) => {
    if (session === null || collection === null || key === null) return;
    if (before.route.collection === collection && before.route.key === key) return;
    const others = recentItems(session).filter(one => one.collection !== collection || one.key !== key);
    const items = [{collection, key}, ...others].slice(0, MAX_RECENT);
    try {
      window.sessionStorage.setItem(storageKey(session), JSON.stringify(items));
    } catch {
      // A browser that stores nothing has no recent items.
    }
  });
}

export function recentItems(session: string | null): ItemRef[] {
  if (session === null) return [];
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(storageKey(session)) ?? '[]');
    return Array.isArray(stored) ? (stored as ItemRef[]) : [];
  } catch {
    return [];
  }
}
