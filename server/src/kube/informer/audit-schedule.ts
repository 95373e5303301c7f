// Compares the caches of all informers with the server, one kind at a time. The summed time of its requests stays below
// 1 % of the clock, so large kinds are compared less often.

import type {Clock} from '../clock.ts';
import type {Informer} from './informer.ts';

/** Milliseconds between two comparisons of one kind, if the budget allows it. */
const interval = 600_000;
/** The share of the clock that the requests may take. */
const share = 0.01;
/** Milliseconds between two looks for a kind that is due. */
const tick = 10_000;
/** The expected time of a request for 500 objects, before the first comparison of a kind. */
const pageMs = 100;

interface AuditRecord {
  /** The end of the last comparison, or the time of the first look. */
  at: number;
  requestMs: number | undefined;
}

export class AuditSchedule {
  readonly #clock: Clock;
  readonly #informers: () => readonly Informer[];
  readonly #records = new WeakMap<Informer, AuditRecord>();
  readonly #startedAt: number;
  #spent = 0;
  #running: Promise<void> = Promise.resolve();
  #busy = false;
  #stopped = false;
  #cancel: () => void = () => {};

  constructor(clock: Clock, informers: () => readonly Informer[]) {
    this.#clock = clock;
    this.#informers = informers;
    this.#startedAt = clock.now();
    this.#wait();
  }

  /** Compares all kinds one after the other, without regard to the budget. */
  auditAll(): Promise<void> {
    this.#running = this.#running.then(async () => {
      for (const informer of this.#informers()) if (!this.#stopped) await this.#audit(informer);
    });
    return this.#running;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.#clock.after(tick, () => {
      if (this.#stopped) return;
      void this.#auditDue();
      this.#wait();
    });
  }

  async #auditDue(): Promise<void> {
    if (this.#busy) return;
    const now = this.#clock.now();
    const budget = share * (now - this.#startedAt) - this.#spent;
    const due = this.#informers()
      .filter(informer => now - this.#record(informer).at >= interval && this.#expectedMs(informer) <= budget)
      .sort((a, b) => this.#record(a).at - this.#record(b).at)[0];
    if (due === undefined) return;
    this.#running = this.#running.then(() => this.#audit(due));
    await this.#running;
  }

  async #audit(informer: Informer): Promise<void> {
    this.#busy = true;
    try {
      const requestMs = await informer.audit();
      this.#spent += requestMs ?? 0;
      this.#records.set(informer, {
        at: this.#clock.now(),
        requestMs: requestMs ?? this.#record(informer).requestMs,
      });
    } finally {
      this.#busy = false;
    }
  }

  #record(informer: Informer): AuditRecord {
    let record = this.#records.get(informer);
    if (record === undefined) {
      record = {at: this.#clock.now(), requestMs: undefined};
      this.#records.set(informer, record);
    }
    return record;
  }

  #expectedMs(informer: Informer): number {
    return this.#record(informer).requestMs ?? Math.ceil(informer.cache.size / 500) * pageMs;
  }
}
