// A clock that tests move, and seeded random numbers. A wait of half a minute then takes no time.

import type {Clock} from '../src/kube/clock.ts';

interface Timer {
  at: number;
  run: () => void;
}

export class ManualClock implements Clock {
  readonly random: () => number;
  #now = 0;
  #timers = new Set<Timer>();

  constructor(seed = 1) {
    this.random = seededRandom(seed);
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = {at: this.#now + Math.max(ms, 0), run};
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until each pending timer, soonest first. */
  waits(): number[] {
    return [...this.#timers].map(timer => timer.at - this.#now).sort((a, b) => a - b);
  }

  /** Moves the clock by `ms` and runs due timers in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.#timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }
}

/** Uniform numbers in [0, 1) that depend on the seed alone. */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Resolves once `holds` returns true. Checks after each turn of the event loop, with a limit in real time.
 */
export async function eventually(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  options: {limit?: number; between?: () => void; every?: number} = {},
): Promise<void> {
  const end = performance.now() + (options.limit ?? 60_000);
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not in time: ${typeof what === 'string' ? what : what()}`);
    options.between?.();
    await new Promise(resolve => setTimeout(resolve, options.every ?? 2));
  }
}
