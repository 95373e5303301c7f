// Deletes Events after an hour, as the real server does, and keeps a few thousand at most. A faster demo
// keeps them for a shorter time.
import type {Api} from '../api.ts';
import {stringAt} from '../object/stored-object.ts';

const HOUR = 3_600_000;
const MOST = 3000;

export function expireEvents(api: Api, pace: number): void {
  const shelf = api.storage.resourceStore('events');
  const oldest = api.now() - HOUR / Math.max(1, pace);
  const seen = Array.from(shelf.objects, ([key, event]) => ({
    key,
    at: Date.parse(
      stringAt(event, 'series', 'lastObservedTime') ||
        stringAt(event, 'lastTimestamp') ||
        stringAt(event, 'eventTime') ||
        (event.metadata.creationTimestamp ?? ''),
    ),
  })).sort((a, b) => b.at - a.at);
  for (const [place, {key, at}] of seen.entries())
    if (place >= MOST || at < oldest) api.storage.remove('events', key);
}
