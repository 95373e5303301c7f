// What an unsynced collection waits for: its progress, or the collection that blocks it.
import type {CollectionNode} from '@krtscope/shared/graph.ts';

type SyncWaitFacts = Pick<CollectionNode, 'waitingFor' | 'listed' | 'progress' | 'state'>;

/** One line. `short` leaves out the time left. */
export function syncWaitText({waitingFor, listed, progress, state}: SyncWaitFacts, short = false): string {
  if (progress !== undefined) {
    const {done, total, seconds} = progress;
    const far = `${countText(done)} of ${countText(total)}`;
    const what = state === 'listing' ? `listing ${far}` : far;
    return short || seconds === undefined ? what : `${what}, about ${timeText(seconds)} to go`;
  }
  if (waitingFor !== undefined) return `waits for ${waitingFor}`;
  return listed === undefined ? 'waiting' : `listing ${countText(listed)}`;
}

function countText(n: number): string {
  return n.toLocaleString('en');
}

function timeText(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
