// The default queue: higher priorities first, first come first served within one. Each key has one entry, and
// an add without a wait replaces a wait. Shutting it down drops what it holds.

import {type Clock, systemClock} from '../../kube/clock.ts';
import {Delays} from './delays.ts';
import {Level} from './level.ts';
import {waitOf} from './plain-queue.ts';
import type {Added, AddOptions, Queue, QueueItem, QueueObserver, QueueView} from './queue.ts';
import {exponential, type RateLimiter} from './rate-limiter.ts';
import {Takers} from './takers.ts';

/** What nobody waits for: objects that were there at the start, and resyncs. */
export const lowPriority = -100;

export interface PriorityQueueOptions {
  clock?: Clock | undefined;
  rateLimiter?: RateLimiter | undefined;
  observer?: QueueObserver | undefined;
}

/** A key that waits, runs, or both. */
interface Entry {
  readonly key: string;
  priority: number;
  order: number;
  /** Since when it is ready; undefined while it waits for its time, and while it only runs. */
  ready: number | undefined;
  /** Since when it runs. */
  running: number | undefined;
  /** It is to run: at once when it is ready, otherwise when its time has come. */
  queued: boolean;
  /** Another entry has its place: it was raised to another level. */
  stale: boolean;
}

/** Levels that stay when they are empty: most queues use two. */
const keptLevels = 16;

export class PriorityQueue implements Queue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;
  readonly #delays: Delays;
  readonly #takers = new Takers(() => this.take());
  readonly #entries = new Map<string, Entry>();
  readonly #inFlight = new Set<Entry>();
  readonly #levels = new Map<number, Level<Entry>>();
  /** The levels' priorities, highest first. */
  #priorities: number[] = [];
  #order = 0;
  #ready = 0;
  #shuttingDown = false;

  constructor(options: PriorityQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.rateLimiter ?? exponential();
    this.#observer = options.observer;
    this.#delays = new Delays(this.#clock, key => {
      const entry = this.#entries.get(key);
      if (entry) this.#becomeReady(entry);
    });
  }

  get length(): number {
    return this.#ready;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  add(key: string, options: AddOptions = {}): Added {
    if (this.#shuttingDown) return 'refused';
    const priority = options.priority ?? 0;
    const after = waitOf(key, options, this.#limiter);
    if (after > 0) this.#observer?.onRetry?.(key, after);
    const due = after > 0 ? this.#clock.now() + after : undefined;
    const entry = this.#entries.get(key);
    if (entry?.queued) return this.#readd(entry, priority, due);
    const added = entry ?? this.#enter(key);
    added.queued = true;
    added.priority = priority;
    if (due === undefined) {
      this.#becomeReady(added);
      return added.running === undefined ? 'ready' : 'again';
    }
    this.#delays.set(key, due);
    return 'delayed';
  }

  take(): QueueItem | undefined {
    for (let at = 0; at < this.#priorities.length; at++) {
      const priority = this.#priorities[at]!;
      const level = this.#levels.get(priority)!;
      for (let entry = level.shift(); entry; entry = level.shift()) {
        if (!entry.stale) return this.#hand(entry);
      }
      if (this.#priorities.length > keptLevels) {
        this.#levels.delete(priority);
        this.#priorities.splice(at--, 1);
      }
    }
    return undefined;
  }

  get(): Promise<QueueItem | undefined> {
    const item = this.take();
    if (item || this.#shuttingDown) return Promise.resolve(item);
    return this.#takers.wait();
  }

  done(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.running === undefined) return;
    const worked = this.#clock.now() - entry.running;
    entry.running = undefined;
    this.#inFlight.delete(entry);
    if (!entry.queued) this.#entries.delete(key);
    this.#observer?.onDone?.(key, worked);
    if (entry.ready === undefined) return;
    this.#level(entry.priority).return(entry);
    this.#takers.wake();
  }

  forget(key: string): void {
    this.#limiter.forget(key);
  }

  retries(key: string): number {
    return this.#limiter.retries(key);
  }

  shutDown(): void {
    if (this.#shuttingDown) return;
    this.#shuttingDown = true;
    for (const entry of this.#entries.values()) {
      if (entry.ready !== undefined) this.#observer?.onDropped?.(entry.key, entry.priority);
      entry.ready = undefined;
      entry.queued = false;
      if (entry.running === undefined) this.#entries.delete(entry.key);
    }
    this.#levels.clear();
    this.#priorities = [];
    this.#ready = 0;
    this.#delays.clear();
    this.#takers.dismiss();
  }

  running(): number[] {
    const now = this.#clock.now();
    return Array.from(this.#inFlight, ({running}) => now - (running ?? now));
  }

  view(): QueueView {
    const ready = this.#priorities.flatMap(priority =>
      this.#level(priority)
        .toArray()
        .filter(entry => !entry.stale)
        .map(({key}) => ({key, priority})),
    );
    const priorityOf = (key: string) => this.#entries.get(key)?.priority ?? 0;
    return {
      ready,
      delayed: this.#delays.entries().map(({key, at}) => ({key, priority: priorityOf(key), due: at})),
      inFlight: Array.from(this.#inFlight, ({key}) => key),
      again: [...this.#inFlight].filter(({ready}) => ready !== undefined).map(({key}) => key),
    };
  }

  #enter(key: string): Entry {
    const entry: Entry = {
      key,
      priority: 0,
      order: 0,
      ready: undefined,
      running: undefined,
      queued: false,
      stale: false,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #readd(entry: Entry, priority: number, due: number | undefined): Added {
    const before = entry.priority;
    if (entry.ready === undefined) {
      entry.priority = Math.max(before, priority);
      const wait = this.#delays.at(entry.key);
      if (due === undefined) {
        this.#delays.delete(entry.key);
        this.#becomeReady(entry);
        return 'sooner';
      }
      if (wait !== undefined && wait <= due) return 'folded';
      this.#delays.set(entry.key, due);
      return 'sooner';
    }
    if (priority > before) {
      this.#observer?.onRaised?.(entry.key, before, priority);
      if (entry.running !== undefined) {
        entry.priority = priority;
        entry.order = this.#order++;
        return 'folded';
      }
      const raised: Entry = {...entry, priority, order: this.#order++};
      entry.stale = true;
      this.#entries.set(entry.key, raised);
      this.#level(priority).push(raised);
    }
    return 'folded';
  }

  #becomeReady(entry: Entry): void {
    entry.ready = this.#clock.now();
    entry.order = this.#order++;
    this.#ready++;
    this.#observer?.onReady?.(entry.key, entry.priority);
    if (entry.running !== undefined) return;
    this.#level(entry.priority).push(entry);
    this.#takers.wake();
  }

  #hand(entry: Entry): QueueItem {
    const {key, priority} = entry;
    const now = this.#clock.now();
    const waited = now - (entry.ready ?? now);
    entry.queued = false;
    entry.ready = undefined;
    entry.running = now;
    this.#inFlight.add(entry);
    this.#ready--;
    this.#observer?.onTaken?.(key, priority, waited);
    return {key, priority};
  }

  #level(priority: number): Level<Entry> {
    let level = this.#levels.get(priority);
    if (!level) {
      level = new Level();
      this.#levels.set(priority, level);
      this.#priorities.push(priority);
      this.#priorities.sort((a, b) => b - a);
    }
    return level;
  }
}
