// The queue without priorities. A delayed key that is also added without a delay runs twice. Workers drain the queue
// after a shutdown.

import {type Clock, systemClock} from '../../kube/clock.ts';
import {DelayedKeys} from './delayed-keys.ts';
import {Fifo} from './fifo.ts';
import type {AddOptions, Queue, QueueAddOutcome, QueueItem, QueueObserver, QueueView} from './queue.ts';
import {plainDefault, type RateLimiter} from './rate-limiter.ts';
import {WaitingWorkers} from './waiting-workers.ts';

export interface PlainQueueOptions {
  clock?: Clock | undefined;
  rateLimiter?: RateLimiter | undefined;
  observer?: QueueObserver | undefined;
}

export class PlainQueue implements Queue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;
  readonly #delays: DelayedKeys;
  readonly #takers = new WaitingWorkers(() => this.take());
  readonly #ready = new Fifo<string>();
  /** Keys to run, and since when they wait. */
  readonly #dirty = new Map<string, number>();
  /** Keys with a running worker, and since when they run. */
  readonly #inFlight = new Map<string, number>();
  #drained: (() => void)[] = [];
  #shuttingDown = false;

  constructor(options: PlainQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.rateLimiter ?? plainDefault(this.#clock);
    this.#observer = options.observer;
    this.#delays = new DelayedKeys(this.#clock, key => this.#addNow(key));
  }

  get length(): number {
    return this.#ready.length;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  add(key: string, options: AddOptions = {}): QueueAddOutcome {
    if (this.#shuttingDown) return 'refused';
    const after = waitOf(key, options, this.#limiter);
    if (after <= 0) return this.#addNow(key);
    this.#observer?.onRetry?.(key, after);
    const due = this.#clock.now() + after;
    const before = this.#delays.at(key);
    if (before !== undefined && before <= due) return 'folded';
    this.#delays.set(key, due);
    return before === undefined ? 'delayed' : 'sooner';
  }

  take(): QueueItem | undefined {
    const key = this.#ready.shift();
    if (key === undefined) return undefined;
    const now = this.#clock.now();
    const waited = now - (this.#dirty.get(key) ?? now);
    this.#dirty.delete(key);
    this.#inFlight.set(key, now);
    this.#observer?.onTaken?.(key, 0, waited);
    return {key, priority: 0};
  }

  get(): Promise<QueueItem | undefined> {
    const item = this.take();
    if (item || this.#shuttingDown) return Promise.resolve(item);
    return this.#takers.wait();
  }

  done(key: string): void {
    const since = this.#inFlight.get(key);
    if (since === undefined) return;
    this.#inFlight.delete(key);
    this.#observer?.onDone?.(key, this.#clock.now() - since);
    if (this.#dirty.has(key)) {
      this.#ready.push(key);
      this.#takers.wake();
    }
    this.#settle();
  }

  forget(key: string): void {
    this.#limiter.forget(key);
  }

  retries(key: string): number {
    return this.#limiter.retries(key);
  }

  shutDown(): void {
    this.#shuttingDown = true;
    this.#delays.clear();
    // The queue accepts no more keys, so waiting workers can end. The worker of a running key also takes its next run.
    this.#takers.dismiss();
  }

  /** Shuts down. Resolves when every key in the queue is done. */
  shutDownWithDrain(): Promise<void> {
    this.shutDown();
    return new Promise(resolve => {
      this.#drained.push(resolve);
      this.#settle();
    });
  }

  running(): number[] {
    const now = this.#clock.now();
    return Array.from(this.#inFlight.values(), since => now - since);
  }

  view(): QueueView {
    const item = (key: string) => ({key, priority: 0});
    return {
      ready: this.#ready.toArray().map(item),
      delayed: this.#delays.entries().map(({key, at}) => ({...item(key), due: at})),
      inFlight: [...this.#inFlight.keys()],
      again: [...this.#inFlight.keys()].filter(key => this.#dirty.has(key)),
    };
  }

  #addNow(key: string): QueueAddOutcome {
    if (this.#dirty.has(key)) return 'folded';
    this.#dirty.set(key, this.#clock.now());
    this.#observer?.onReady?.(key, 0);
    if (this.#inFlight.has(key)) return 'again';
    this.#ready.push(key);
    this.#takers.wake();
    return 'ready';
  }

  #settle(): void {
    if (!this.#shuttingDown || this.#inFlight.size > 0 || this.#dirty.size > 0) return;
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }
}

/** Returns the wait of an add: the smaller of its own wait and the rate limiter's. */
export function waitOf(key: string, options: AddOptions, limiter: RateLimiter): number {
  const after = options.after ?? 0;
  if (!options.rateLimited) return after;
  const limited = limiter.when(key);
  return after > 0 && after < limited ? after : limited;
}
