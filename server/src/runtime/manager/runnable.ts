// What a manager runs.

/** Runs until the signal aborts. A rejection ends the manager; so does nothing else. */
export interface Runnable {
  start(signal: AbortSignal): Promise<void>;
  /** False: runs without leading. Absent: only while this process leads. */
  needLeaderElection?(): boolean;
  /** Called before this process leads, beside `start`. */
  warmup?(signal: AbortSignal): Promise<void>;
}

export type RunnableFunction = (signal: AbortSignal) => Promise<void>;

/** A runnable that serves before anything else and after everything else. */
export interface ServerRunnable extends Runnable {
  /** Decides the group: probes and metrics answer while caches sync, webhooks before the caches list. */
  readonly serves: 'http' | 'webhooks';
  /** Resolves when it answers. */
  ready(): Promise<void>;
}

/** A runnable with a cache of its own: it is ready when the cache has synced. */
export interface CacheRunnable extends Runnable {
  readonly cache: {waitForSync(signal?: AbortSignal): Promise<boolean>};
}

export function isServerRunnable(runnable: Runnable): runnable is ServerRunnable {
  return 'serves' in runnable;
}

export function isCacheRunnable(runnable: Runnable): runnable is CacheRunnable {
  const {cache} = runnable as Partial<CacheRunnable>;
  return typeof cache?.waitForSync === 'function';
}
