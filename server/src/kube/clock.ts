// Time and random numbers, passed in so that tests can control both.

export interface Clock {
  /** Milliseconds, monotonic enough for intervals. */
  now(): number;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Uniform in [0, 1). */
  random(): number;
  /** Milliseconds since 1970, for written timestamps. Default: Date.now. */
  date?(): number;
}

// setTimeout fires at once for delays beyond 2^31-1 ms, so longer delays become 24 days.
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longest));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Resolves after `ms`, or at once when the signal aborts. Callers check the signal afterwards. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise(resolve => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done, {once: true});
  });
}
