// The interface of a controller's queue. A key has at most one worker and one ticket, and a delay is never shortened
// by a timer.

export interface AddOptions {
  /** Milliseconds until the key may run; 0 is now. */
  after?: number | undefined;
  /** Use the rate limiter's wait. With `after` as well, the smaller positive wait counts. */
  rateLimited?: boolean | undefined;
  /** Higher priorities run first. Default: 0. The plain queue has no priorities. */
  priority?: number | undefined;
}

export interface QueueItem {
  readonly key: string;
  readonly priority: number;
}

/** The current content of a queue. */
export interface QueueView {
  readonly ready: QueueItem[];
  /** `due` is a time of the queue's clock. */
  readonly delayed: (QueueItem & {due: number})[];
  readonly inFlight: string[];
  /** Running keys that were added again. They run once more. */
  readonly again: string[];
}

/** The result of an add. `folded`: the key was already waiting. `sooner`: its delay became shorter. */
export type QueueAddOutcome = 'ready' | 'delayed' | 'again' | 'folded' | 'sooner' | 'refused';

/** Receives events of the queue, for metrics and traces. Must not throw and must not use the queue. */
export interface QueueObserver {
  /** A key became ready. */
  onReady?(key: string, priority: number): void;
  /** A ready key has another priority. */
  onRaised?(key: string, from: number, to: number): void;
  /** A worker took a key, which had been ready for `waited` milliseconds. */
  onTaken?(key: string, priority: number, waited: number): void;
  onDone?(key: string, worked: number): void;
  /** A key was added with a delay. */
  onRetry?(key: string, after: number): void;
  /** A ready key will not run, because the queue was shut down. */
  onDropped?(key: string, priority: number): void;
}

export interface Queue {
  add(key: string, options?: AddOptions): QueueAddOutcome;
  /** Returns the next ready key, if any. The caller must call `done` with it. */
  take(): QueueItem | undefined;
  /** Resolves to the next key, or to undefined after a shutdown. */
  get(): Promise<QueueItem | undefined>;
  /** Call this when the key's worker has ended. A key that was added meanwhile runs again. */
  done(key: string): void;
  /** Resets the failures of the key. Does not remove it from the queue. */
  forget(key: string): void;
  /** Rate-limited adds of the key since the last `forget`. */
  retries(key: string): number;
  /** The number of ready keys. */
  readonly length: number;
  readonly shuttingDown: boolean;
  /** Stops accepting keys. The kind of queue decides about the keys inside. May be called twice. */
  shutDown(): void;
  /** Milliseconds that each running key has run. */
  running(): number[];
  view(): QueueView;
}
