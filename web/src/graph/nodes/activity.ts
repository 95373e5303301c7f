// What has just happened, told apart from what happens all the time: a collection that changes every few seconds is busy,
// one that was quiet and changed is news.

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {useEffect, useState} from 'react';
import {stream} from '../../stream/client.ts';
import {outcomeTone} from '../../ui/indicators/outcome-state.tsx';

/** How long a change is news. */
export const FRESH_FOR = 8_000;
/** Changes within this time before it make it nothing special. */
const BUSY_WINDOW = 40_000;
const BUSY_CHANGES = 3;
const MIN_OBSERVED = 10_000;

export type Activity = 'news' | 'busy' | 'quiet';

/** Times of the last changes, by collection; only as many as tell busy from quiet are kept. */
export class ActivityLog {
  readonly #times = new Map<string, number[]>();
  #since = Number.POSITIVE_INFINITY;

  add(pulse: BatchPulse): void {
    this.#since = Math.min(this.#since, pulse.at);
    for (const name of collectionsChangedBy(pulse)) {
      const times = this.#times.get(name) ?? [];
      times.push(pulse.at);
      if (times.length > BUSY_CHANGES + 1) times.shift();
      this.#times.set(name, times);
    }
  }

  activityOf({name, last, rate}: Pick<CollectionNode, 'name' | 'last' | 'rate'>, now: number): Activity {
    const times = this.#times.get(name) ?? [];
    const fresh = last !== undefined && now - last.at < FRESH_FOR && outcomeTone[last.outcome] === 'changed';
    const often =
      times.filter(at => now - at < BUSY_WINDOW).length > BUSY_CHANGES ||
      rate > (60_000 / BUSY_WINDOW) * BUSY_CHANGES;
    if (often) return 'busy';
    // Who has just come cannot know what is usual here: everything would look like news.
    return fresh && last.at - this.#since >= MIN_OBSERVED ? 'news' : 'quiet';
  }
}

function collectionsChangedBy({roots, waves}: BatchPulse): Set<string> {
  const changed = waves.filter(({outcomes}) =>
    (['added', 'changed', 'deleted'] as const).some(outcome => (outcomes[outcome] ?? 0) > 0),
  );
  return new Set([...roots.map(root => root.collection), ...changed.map(wave => wave.to)]);
}

/** The page's own log: it goes on while another view is open. */
export const activityLog = new ActivityLog();
stream.subscriptions.onPulse(pulse => activityLog.add(pulse));

/** How lively a collection is, looked at once a second. */
export function useActivity(collection: CollectionNode, now: number): Activity {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look(n => n + 1), 4000);
    return () => clearInterval(timer);
  }, []);
  return activityLog.activityOf(collection, now);
}
