// Which Events are one: the same again is counted, many that differ only in their words are folded into one, and
// who talks without end about one object is not listened to for a while. The numbers are client-go's.

import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';

/** Different messages of one reason, about one object, before they are folded. */
const mostSimilar = 10;
const similarWithin = 600_000;
/** Events about one object at once, and the pause after which there may be one more. */
const burst = 25;
const refill = 300_000;
/** Objects and messages that are remembered. */
const most = 4096;

export interface CorrelatedEvent {
  /** The Event that was written for it. */
  event: KubeObject | undefined;
  count: number;
}

export class EventCorrelator {
  readonly #clock: Clock;
  readonly #known = new LeastRecentlyUsedMap<CorrelatedEvent>();
  readonly #similar = new LeastRecentlyUsedMap<{messages: Set<string>; since: number}>();
  readonly #allowance = new LeastRecentlyUsedMap<{left: number; at: number}>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What to write for it, and what was written before; undefined where it is too much. */
  correlate(
    about: string,
    type: string,
    reason: string,
    said: string,
  ): {known: CorrelatedEvent; message: string} | undefined {
    const now = this.#clock.now();
    const similar = this.#similar.of(`${about} ${type} ${reason}`, () => ({messages: new Set(), since: now}));
    if (now - similar.since > similarWithin) {
      similar.messages.clear();
      similar.since = now;
    }
    if (similar.messages.size < mostSimilar) similar.messages.add(said);
    const folded = !similar.messages.has(said);
    if (!this.#allowed(about, now)) return undefined;
    const id = `${about} ${type} ${reason} ${folded ? '' : said}`;
    const known = this.#known.of(id, () => ({event: undefined, count: 0}));
    return {known, message: folded ? `(combined from similar events): ${said}` : said};
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

/** Remembers what was asked for last and forgets the rest. */
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
