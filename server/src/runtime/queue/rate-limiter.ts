// The wait of a failed key before its retry.

import type {Clock} from '../../kube/clock.ts';

export interface RateLimiter {
  /** Counts one more failure and returns the wait in milliseconds. */
  when(key: string): number;
  /** Resets the failures of the key. */
  forget(key: string): void;
  /** Failures since the last `forget`. */
  retries(key: string): number;
}

class FailureCounts {
  readonly #counts = new Map<string, number>();

  /** Returns the count before this failure. */
  next(key: string): number {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

/** 5 ms, doubled with each failure of the key, at most 1000 s. */
export function exponential({base = 5, cap = 1_000_000}: {base?: number; cap?: number} = {}): RateLimiter {
  const failures = new FailureCounts();
  return {
    when: key => Math.min(base * 2 ** failures.next(key), cap),
    forget: key => failures.forget(key),
    retries: key => failures.of(key),
  };
}

/** One token bucket for all keys: `burst` at once, then `qps` per second. */
export function bucket(
  clock: Pick<Clock, 'now'>,
  {qps = 10, burst = 100}: {qps?: number; burst?: number} = {},
): RateLimiter {
  let tokens = burst;
  let last = clock.now();
  return {
    when() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - last) / 1000) * qps) - 1;
      last = now;
      return tokens >= 0 ? 0 : (-tokens / qps) * 1000;
    },
    forget() {},
    retries: () => 0,
  };
}

/** The longest wait of several limiters. */
export function longestOf(...limiters: RateLimiter[]): RateLimiter {
  return {
    when: key => Math.max(...limiters.map(limiter => limiter.when(key))),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    retries: key => Math.max(...limiters.map(limiter => limiter.retries(key))),
  };
}

/** `fast` for the first `attempts` failures of a key, `slow` from then on. */
export function fastThenSlow({
  fast,
  slow,
  attempts,
}: {
  fast: number;
  slow: number;
  attempts: number;
}): RateLimiter {
  const failures = new FailureCounts();
  return {
    when: key => (failures.next(key) < attempts ? fast : slow),
    forget: key => failures.forget(key),
    retries: key => failures.of(key),
  };
}

/** Never longer than `most` milliseconds. */
export function atMost(most: number, limiter: RateLimiter): RateLimiter {
  return {
    when: key => Math.min(limiter.when(key), most),
    forget: key => limiter.forget(key),
    retries: key => limiter.retries(key),
  };
}

/** The default of the plain queue: a doubling wait for each key, and 10 per second for all keys after 100. */
export function plainDefault(clock: Pick<Clock, 'now'>): RateLimiter {
  return longestOf(exponential(), bucket(clock));
}
