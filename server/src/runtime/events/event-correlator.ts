// Combines Events as client-go does: it counts equal Events, merges Events that differ only in their message, and
// limits the rate for each object.

import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';

/** Different messages of one reason about one object, before they are merged. */
const mostSimilar = 10;
const similarWithin = 600_000;
/** The burst of Events about one object; `refill` is the time until one more is allowed. */
const burst = 25;
const refill = 300_000;
/** The number of objects and messages to remember. */
const most = 4096;

export interface CorrelatedEvent {
  /** The written Event. */
  event: KubeObject | undefined;
  count: number;
}

export class EventCorrelator {
  readonly #clock: Clock;
  readonly #correlated = new LeastRecentlyUsedMap<CorrelatedEvent>();
  readonly #similar = new LeastRecentlyUsedMap<{messages: Set<string>; since: number}>();
  readonly #allowance = new LeastRecentlyUsedMap<{left: number; at: number}>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the message and the earlier Event, or undefined when the rate limit applies. */
  correlate(
    about: string,
    type: string,
    reason: string,
    text: string,
  ): {previous: CorrelatedEvent; message: string} | undefined {
    const now = this.#clock.now();
    const similar = this.#similar.of(`${about} ${type} ${reason}`, () => ({messages: new Set(), since: now}));
    if (now - similar.since > similarWithin) {
      similar.messages.clear();
      similar.since = now;
    }
    if (similar.messages.size < mostSimilar) similar.messages.add(text);
    const merged = !similar.messages.has(text);
    if (!this.#allowed(about, now)) return undefined;
    const id = `${about} ${type} ${reason} ${merged ? '' : text}`;
    const previous = this.#correlated.of(id, () => ({event: undefined, count: 0}));
    return {previous, message: merged ? `(combined from similar events): ${text}` : text};
  }

  #allowed(about: string, now: number): boolean {
    const allowance = this.#allowance.of(about, () => ({left: burst, at: now}));
    allowance.left = Math.min(burst, allowance.left + (now - allowance.at) / refill);
    allowance.at = now;
    if (allowance.left < 1) return false;
    allowance.left--;
    return true;
  }
}

/** Keeps the most recently used entries. */
class LeastRecentlyUsedMap<T> {
  readonly #entries = new Map<string, T>();

  of(id: string, make: () => T): T {
    const found = this.#entries.get(id) ?? make();
    this.#entries.delete(id);
    this.#entries.set(id, found);
    if (this.#entries.size > most) this.#entries.delete(this.#entries.keys().next().value!);
    return found;
  }
}
