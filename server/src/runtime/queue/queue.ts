// What a controller asks of its queue, whichever kind it is: one worker a key, one ticket a key however often it
// is added, waits that are never cut short. Leaves to the controller what a key means.

export interface AddOptions {
  /** Milliseconds until the key may be handed out; 0 is now. */
  after?: number | undefined;
  /** Ask the rate limiter how long to wait; with `after` as well, the smaller positive wait is used. */
  rateLimited?: boolean | undefined;
  /** Higher goes first; 0 when absent. The plain queue has no priorities. */
  priority?: number | undefined;
}

export interface QueueItem {
  readonly key: string;
  readonly priority: number;
}

/** What is in a queue at this moment. */
export interface QueueView {
  readonly ready: QueueItem[];
  /** `due` is by the queue's clock. */
  readonly delayed: (QueueItem & {due: number})[];
  readonly inFlight: string[];
  /** Keys in flight that were added again meanwhile: they run once more. */
  readonly again: string[];
}

/** What an add did. `folded`: the key was waiting its turn already. `sooner`: its wait became shorter. */
export type QueueAddOutcome = 'ready' | 'delayed' | 'again' | 'folded' | 'sooner' | 'refused';

/** Told of what happens, for metrics and traces. Must not throw and must not touch the queue. */
export interface QueueObserver {
  /** A key may be handed out from now on. */
  onReady?(key: string, priority: number): void;
  /** A key that was ready waits at another priority. */
  onRaised?(key: string, from: number, to: number): void;
  /** A key is handed to a worker, after waiting this many milliseconds since it was ready. */
  onTaken?(key: string, priority: number, waited: number): void;
  onDone?(key: string, worked: number): void;
  /** A key was added with a wait. */
  onRetry?(key: string, after: number): void;
  /** Ready keys that will never be handed out: the queue was shut down. */
  onDropped?(key: string, priority: number): void;
}

export interface Queue {
  add(key: string, options?: AddOptions): QueueAddOutcome;
  /** The next key, if one is ready now. Whoever takes a key must call `done` with it. */
  take(): QueueItem | undefined;
  /** The next key, when there is one; undefined once the queue is shut down. */
  get(): Promise<QueueItem | undefined>;
  /** The key's worker has ended: if it was added meanwhile it is handed out again. */
  done(key: string): void;
  /** Its failures no longer count. Does not take it out of the queue. */
  forget(key: string): void;
  /** How often the key was rate limited since it was last forgotten. */
  retries(key: string): number;
  /** Keys that are ready. */
  readonly length: number;
  readonly shuttingDown: boolean;
  /** No key is taken in any more. What becomes of those inside is the kind's own rule. Harmless when repeated. */
  shutDown(): void;
  /** Milliseconds each key in flight has been with its worker. */
  running(): number[];
  view(): QueueView;
}
