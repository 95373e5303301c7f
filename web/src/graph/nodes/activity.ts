// Separates news from noise. A collection that changes every few seconds is busy.
// A quiet collection that changes is news.

import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {useEffect, useState} from 'react';
import {stream} from '../../stream/client.ts';
import {outcomeTone} from '../../ui/indicators/outcome-state.tsx';

const FRESH_FOR = 8_000;
/** More than BUSY_CHANGES within this time make a collection busy. */
const BUSY_WINDOW = 40_000;
const BUSY_CHANGES = 3;
const MIN_OBSERVED = 10_000;

export type Activity = 'news' | 'busy' | 'quiet';

/** The times of the last changes of each collection. */
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
    const isFresh =
      last !== undefined && now - last.at < FRESH_FOR && outcomeTone[last.outcome] === 'changed';
    const isOften =
      times.filter(at => now - at < BUSY_WINDOW).length > BUSY_CHANGES ||
      rate > (60_000 / BUSY_WINDOW) * BUSY_CHANGES;
    if (isOften) return 'busy';
    // A page that has just opened does not know what is usual, so nothing is news yet.
    return isFresh && last.at - this.#since >= MIN_OBSERVED ? 'news' : 'quiet';
  }
}

function collectionsChangedBy({roots, waves}: BatchPulse): Set<string> {
  const changed = waves.filter(({outcomes}) =>
    (['added', 'changed', 'deleted'] as const).some(outcome => (outcomes[outcome] ?? 0) > 0),
  );
  return new Set([...roots.map(root => root.collection), ...changed.map(wave => wave.to)]);
}

/** The log of the page. It continues while another view is open. */
export const activityLog = new ActivityLog();
stream.subscriptions.onPulse(pulse => activityLog.add(pulse));

export function useActivity(collection: CollectionNode, now: number): Activity {
  const [, refresh] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => refresh(n => n + 1), 4000);
    return () => clearInterval(timer);
  }, []);
  return activityLog.activityOf(collection, now);
}
