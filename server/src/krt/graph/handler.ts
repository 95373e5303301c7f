// One registered handler: its own queue, its own pace, its own sync. A handler that is slow or throws
// delays and harms nobody else.

import type {Change} from '../api/change.ts';
import type {Registration} from '../api/collection.ts';
import type {Core} from './core.ts';
import {Waits} from './waits.ts';

interface Delivery {
  payload: unknown;
  initial: boolean;
}

/** So many delivered ones are worth a copy of the rest. */
const CUT = 1024;

function isThenable(answer: unknown): boolean {
  return (
    typeof answer === 'object' && answer !== null && typeof (answer as {then?: unknown}).then === 'function'
  );
}

export function newRegistration(
  core: Core,
  call: (payload: never) => unknown,
  single: boolean,
  replay: boolean,
): Registration {
  const queue = new HandlerQueue(core, call as (payload: unknown) => unknown, single);
  if (core.stopped) {
    queue.drop();
    return queue;
  }
  core.engine.hold(() => {
    const existing = replay ? core.replay() : [];
    core.handlers = [...core.handlers, queue];
    // What this batch has announced so far is in the replay.
    queue.heard = core.changes?.length ?? 0;
    if (existing.length > 0) queue.deliver(existing, true);
    queue.replayed = true;
    queue.checkSync();
  });
  return queue;
}

export class HandlerQueue implements Registration {
  replayed = false;
  /** How many changes of the batch under way it must not hear: it came after them. */
  heard = 0;
  readonly #core: Core;
  readonly #call: (payload: unknown) => unknown;
  /** One call per change instead of one per batch. */
  readonly #single: boolean;
  #active = true;
  #busy = false;
  #failed = false;
  #synced = false;
  #initial = 0;
  #backlog: Delivery[] = [];
  /** How many of the backlog are delivered. */
  #delivered = 0;
  readonly #waits = new Waits();

  constructor(core: Core, call: (payload: unknown) => unknown, single: boolean) {
    this.#core = core;
    this.#call = call;
    this.#single = single;
  }

  /** Takes over the array. `initial` changes are part of what the registration must see to be synced. */
  deliver(changes: Change[], initial: boolean): void {
    if (!this.#active) return;
    if (initial) this.#initial += this.#single ? changes.length : 1;
    if (this.#single) for (const change of changes) this.#offer(change, initial);
    else this.#offer(changes, initial);
  }

  #offer(payload: unknown, initial: boolean): void {
    if (!this.#active) return;
    if (this.#busy || this.#backlog.length > 0) this.#backlog.push({payload, initial});
    else {
      this.#invoke(payload, initial);
      // It may have written, or told somebody who did.
      if (this.#backlog.length > 0) this.#drain();
    }
  }

  #drain(): void {
    while (!this.#busy && this.#active) {
      const next = this.#backlog[this.#delivered];
      if (next === undefined) break;
      this.#delivered++;
      this.#invoke(next.payload, next.initial);
    }
    // What was delivered goes in one piece: taking the first of a long list moves all others.
    if (this.#delivered < this.#backlog.length && this.#delivered < CUT) return;
    this.#backlog = this.#backlog.slice(this.#delivered);
    this.#delivered = 0;
  }

  #invoke(payload: unknown, initial: boolean): void {
    this.#busy = true;
    let answer: unknown;
    try {
      answer = this.#call(payload);
      if (isThenable(answer)) {
        // Whatever a thenable does when it is asked, it does after the batch.
        Promise.resolve(answer).then(
          () => this.#settle(initial, undefined),
          error => this.#settle(initial, {error}),
        );
        return;
      }
    } catch (error) {
      this.#fail(error);
      this.#finish(initial);
      return;
    }
    this.#heal();
    this.#finish(initial);
  }

  #settle(initial: boolean, rejected: {error: unknown} | undefined): void {
    if (rejected !== undefined) this.#fail(rejected.error);
    else this.#heal();
    this.#finish(initial);
    this.#drain();
  }

  #finish(initial: boolean): void {
    this.#busy = false;
    if (initial) {
      this.#initial--;
      this.checkSync();
    }
  }

  get #label(): string {
    return this.#call.name || 'handler';
  }

  #fail(error: unknown): void {
    if (!this.#active) return;
    this.#failed = true;
    const text = error instanceof Error ? error.message : String(error);
    this.#core.engine.report(
      'handler-failed',
      this.#core,
      [this.#label],
      `a handler of "${this.#core.name}" threw: ${text}; the change counts as delivered`,
    );
  }

  #heal(): void {
    if (!this.#failed) return;
    this.#failed = false;
    this.#core.engine.held.clear('handler-failed', this.#core, this.#label);
  }

  checkSync(): void {
    if (this.#synced || !this.replayed || !this.#core.synced || this.#initial > 0) return;
    this.#synced = true;
    this.#waits.release(true);
  }

  hasSynced(): boolean {
    this.checkSync();
    return this.#synced;
  }

  waitUntilSynced(stop?: AbortSignal): Promise<boolean> {
    if (this.hasSynced()) return Promise.resolve(true);
    if (!this.#active || stop?.aborted) return Promise.resolve(false);
    return this.#waits.wait(stop);
  }

  unregisterHandler(): void {
    if (!this.#active) return;
    this.#core.handlers = this.#core.handlers.filter(handler => handler !== this);
    this.drop();
  }

  /** The collection is gone, or the handler is: nothing more is delivered. */
  drop(): void {
    this.#heal();
    this.#active = false;
    this.#backlog = [];
    this.#waits.release(this.#synced);
  }
}
