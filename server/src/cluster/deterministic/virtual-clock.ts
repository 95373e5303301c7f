// A clock that jumps to its next timer as soon as the program waits. Hours pass in milliseconds, and the order
// of events depends on the seed alone.

import type {Clock} from '../../kube/clock.ts';
import {SeededRandom} from '../object/seeded-random.ts';

interface VirtualTimer {
  at: number;
  run: () => void;
}

export interface VirtualClockOptions {
  /** Decides random numbers. Default: 1. */
  seed?: number | undefined;
  /** The time at the start, in milliseconds since 1970. Default: 2026-01-01. */
  epoch?: number | undefined;
  /** The clock fails when this many milliseconds have passed. Default: one day. */
  limit?: number | undefined;
}

const EPOCH = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60_000;
/** Turns of the event loop without work after which the program waits. */
const IDLE_TURNS = 4;

export class VirtualClock implements Clock {
  readonly seed: number;
  /** Rejects when the limit has passed: the program waits for something that does not come. */
  readonly expired: Promise<never>;
  readonly #random: SeededRandom;
  readonly #epoch: number;
  readonly #limit: number;
  readonly #expire: (error: Error) => void;
  /** Sorted by time. Timers of one time keep their order. */
  readonly #timers: VirtualTimer[] = [];
  #now = 0;
  #running = false;
  #stopped = false;

  constructor({seed = 1, epoch = EPOCH, limit = DAY}: VirtualClockOptions = {}) {
    const {promise, reject} = Promise.withResolvers<never>();
    // A test that does not look at it must not end with an unhandled rejection.
    promise.catch(() => {});
    this.seed = seed;
    this.expired = promise;
    this.#expire = reject;
    this.#random = new SeededRandom(seed);
    this.#epoch = epoch;
    this.#limit = limit;
  }

  now(): number {
    return this.#now;
  }

  /** Milliseconds since 1970. */
  date(): number {
    return this.#epoch + Math.floor(this.#now);
  }

  random(): number {
    return this.#random.next();
  }

  after(ms: number, run: () => void): () => void {
    const timer = {at: this.#now + Math.max(ms, 0), run};
    const place = this.#timers.findLastIndex(one => one.at <= timer.at) + 1;
    this.#timers.splice(place, 0, timer);
    if (!this.#running && !this.#stopped) void this.#run();
    return () => {
      const at = this.#timers.indexOf(timer);
      if (at >= 0) this.#timers.splice(at, 1);
    };
  }

  /** Resolves after `ms` of virtual time. */
  sleep(ms: number): Promise<void> {
    return Promise.race([new Promise<void>(resolve => this.after(ms, resolve)), this.expired]);
  }

  /** Resolves once `holds` returns true. Checks every 10 ms of virtual time. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await this.sleep(10);
  }

  /** Drops all timers. The process may then end. */
  stop(): void {
    this.#stopped = true;
    this.#timers.length = 0;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#timers.length > 0) {
      for (let turn = 0; turn < IDLE_TURNS; turn++) await new Promise(resolve => setImmediate(resolve));
      const next = this.#timers.shift();
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      if (this.#now > this.#limit) {
        this.stop();
        this.#expire(new Error(`${this.#limit} ms of virtual time have passed, and the program still waits`));
        break;
      }
      next.run();
    }
    this.#running = false;
  }
}
