// The interfaces of runnables.

/** Runs until the signal aborts. A rejection ends the manager; a normal end does not. */
export interface Runnable {
  start(signal: AbortSignal): Promise<void>;
  /** False: runs without leader election. Absent: runs only while this process leads. */
  needLeaderElection?(): boolean;
  /** Called before this process leads, beside `start`. */
  warmup?(signal: AbortSignal): Promise<void>;
}

export type RunnableFunction = (signal: AbortSignal) => Promise<void>;

/** A server. It starts before the other runnables and stops after them. */
export interface ServerRunnable extends Runnable {
  /** The group: probes and metrics must answer while caches sync, webhooks before caches list. */
  readonly serves: 'http' | 'webhooks';
  /** Resolves when the server answers. */
  ready(): Promise<void>;
}

/** A runnable with its own cache. It is ready when the cache has synced. */
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
