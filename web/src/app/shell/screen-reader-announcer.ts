// Messages for screen readers: at most one every five seconds, the newest one.
import {create} from 'zustand';

export const useAnnouncement = create<{text: string}>()(() => ({text: ''}));

const MIN_SPACING_MS = 5000;
let lastAnnouncedAt = 0;
let pendingTimer: ReturnType<typeof setTimeout> | null = null;
let nextText = '';

/** Null if no item changed. */
export function changesText(changed: number, failed: number): string | null {
  if (changed + failed === 0) return null;
  const items = `${changed} ${changed === 1 ? 'item' : 'items'} changed`;
  return failed === 0 ? items : `${items}, ${failed} failed`;
}

export function announce(text: string, now = Date.now()): void {
  nextText = text;
  if (pendingTimer !== null) return;
  const wait = Math.max(0, lastAnnouncedAt + MIN_SPACING_MS - now);
  pendingTimer = setTimeout(() => {
    pendingTimer = null;
    lastAnnouncedAt = now + wait;
    useAnnouncement.setState({text: nextText});
  }, wait);
}
