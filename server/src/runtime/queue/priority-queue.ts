// The default queue: higher priorities first, equal priorities in order. Each key has one ticket, and an add without
// a delay replaces a delay. A shutdown drops all keys.

import {type Clock, systemClock} from '../../kube/clock.ts';
import {DelayedKeys} from './delayed-keys.ts';
import {waitOf} from './plain-queue.ts';
import {PriorityLevel} from './priority-level.ts';
import type {AddOptions, Queue, QueueAddOutcome, QueueItem, QueueObserver, QueueView} from './queue.ts';
import {exponential, type RateLimiter} from './rate-limiter.ts';
import {WaitingWorkers} from './waiting-workers.ts';

/** The priority of initial objects and resyncs, which are not urgent. */
export const lowPriority = -100;

export interface PriorityQueueOptions {
  clock?: Clock | undefined;
  rateLimiter?: RateLimiter | undefined;
  observer?: QueueObserver | undefined;
}

/** The state of a key that waits or runs. */
interface Ticket {
  readonly key: string;
  priority: number;
  order: number;
  /** Since when the key is ready; undefined while it is delayed and while it only runs. */
  ready: number | undefined;
  /** Since when the key runs. */
  running: number | undefined;
  /** True when the key will run, at once or after its delay. */
  queued: boolean;
  /** Another ticket replaced this one at a higher priority. */
  stale: boolean;
}

/** Empty levels to keep. Most queues use two levels. */
const maxEmptyLevels = 16;

export class PriorityQueue implements Queue {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;
  readonly #delays: DelayedKeys;
  readonly #takers = new WaitingWorkers(() => this.take());
  readonly #tickets = new Map<string, Ticket>();
  readonly #inFlight = new Set<Ticket>();
  readonly #levels = new Map<number, PriorityLevel<Ticket>>();
  /** The levels' priorities, highest first. */
  #priorities: number[] = [];
  #order = 0;
  #ready = 0;
  #shuttingDown = false;

  constructor(options: PriorityQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.rateLimiter ?? exponential();
    this.#observer = options.observer;
    this.#delays = new DelayedKeys(this.#clock, key => {
      const ticket = this.#tickets.get(key);
      if (ticket) this.#becomeReady(ticket);
    });
  }

  get length(): number {
    return this.#ready;
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  add(key: string, options: AddOptions = {}): QueueAddOutcome {
    if (this.#shuttingDown) return 'refused';
    const priority = options.priority ?? 0;
    const after = waitOf(key, options, this.#limiter);
    if (after > 0) this.#observer?.onRetry?.(key, after);
    const due = after > 0 ? this.#clock.now() + after : undefined;
    const ticket = this.#tickets.get(key);
    if (ticket?.queued) return this.#readd(ticket, priority, due);
    const added = ticket ?? this.#enter(key);
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
      for (let ticket = level.shift(); ticket; ticket = level.shift()) {
        if (!ticket.stale) return this.#hand(ticket);
      }
      if (this.#priorities.length > maxEmptyLevels) {
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
    const ticket = this.#tickets.get(key);
    if (ticket?.running === undefined) return;
    const worked = this.#clock.now() - ticket.running;
    ticket.running = undefined;
    this.#inFlight.delete(ticket);
    if (!ticket.queued) this.#tickets.delete(key);
    this.#observer?.onDone?.(key, worked);
    if (ticket.ready === undefined) return;
    this.#level(ticket.priority).return(ticket);
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
    for (const ticket of this.#tickets.values()) {
      if (ticket.ready !== undefined) this.#observer?.onDropped?.(ticket.key, ticket.priority);
      ticket.ready = undefined;
      ticket.queued = false;
      if (ticket.running === undefined) this.#tickets.delete(ticket.key);
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
        .filter(ticket => !ticket.stale)
        .map(({key}) => ({key, priority})),
    );
    const priorityOf = (key: string) => this.#tickets.get(key)?.priority ?? 0;
    return {
      ready,
      delayed: this.#delays.entries().map(({key, at}) => ({key, priority: priorityOf(key), due: at})),
      inFlight: Array.from(this.#inFlight, ({key}) => key),
      again: [...this.#inFlight].filter(({ready}) => ready !== undefined).map(({key}) => key),
    };
  }

  #enter(key: string): Ticket {
    const ticket: Ticket = {
      key,
      priority: 0,
      order: 0,
      ready: undefined,
      running: undefined,
      queued: false,
      stale: false,
    };
    this.#tickets.set(key, ticket);
    return ticket;
  }

  #readd(ticket: Ticket, priority: number, due: number | undefined): QueueAddOutcome {
    const before = ticket.priority;
    if (ticket.ready === undefined) {
      ticket.priority = Math.max(before, priority);
      const wait = this.#delays.at(ticket.key);
      if (due === undefined) {
        this.#delays.delete(ticket.key);
        this.#becomeReady(ticket);
        return 'sooner';
      }
      if (wait !== undefined && wait <= due) return 'folded';
      this.#delays.set(ticket.key, due);
      return 'sooner';
    }
    if (priority > before) {
      this.#observer?.onRaised?.(ticket.key, before, priority);
      if (ticket.running !== undefined) {
        ticket.priority = priority;
        ticket.order = this.#order++;
        return 'folded';
      }
      const raised: Ticket = {...ticket, priority, order: this.#order++};
      ticket.stale = true;
      this.#tickets.set(ticket.key, raised);
      this.#level(priority).push(raised);
    }
    return 'folded';
  }

  #becomeReady(ticket: Ticket): void {
    ticket.ready = this.#clock.now();
    ticket.order = this.#order++;
    this.#ready++;
    this.#observer?.onReady?.(ticket.key, ticket.priority);
    if (ticket.running !== undefined) return;
    this.#level(ticket.priority).push(ticket);
    this.#takers.wake();
  }

  #hand(ticket: Ticket): QueueItem {
    const {key, priority} = ticket;
    const now = this.#clock.now();
    const waited = now - (ticket.ready ?? now);
    ticket.queued = false;
    ticket.ready = undefined;
    ticket.running = now;
    this.#inFlight.add(ticket);
    this.#ready--;
    this.#observer?.onTaken?.(key, priority, waited);
    return {key, priority};
  }

  #level(priority: number): PriorityLevel<Ticket> {
    let level = this.#levels.get(priority);
    if (!level) {
      level = new PriorityLevel();
      this.#levels.set(priority, level);
      this.#priorities.push(priority);
      this.#priorities.sort((a, b) => b - a);
    }
    return level;
  }
}
