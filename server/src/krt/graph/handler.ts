// One registered handler: its own queue, its own pace, its own sync. A handler that is slow or throws
// delays and harms nobody else.

import type {Change} from '../api/change.ts';
import type {Registration} from '../api/collection.ts';
import type {Core} from './core.ts';

interface Delivery {
  payload: unknown;
  initial: boolean;
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
    if (existing.length > 0) queue.deliver(existing, true);
    queue.replayed = true;
    queue.checkSync();
  });
  return queue;
}

export class HandlerQueue implements Registration {
  replayed = false;
  readonly #core: Core;
  private readonly call: (payload: unknown) => unknown;
  /** One call per change instead of one per batch. */
  private readonly single: boolean;
  private active = true;
  private busy = false;
  private failed = false;
  #synced = false;
  private initial = 0;
  private backlog: Delivery[] = [];
  #waits: ((synced: boolean) => void)[] = [];

  constructor(core: Core, call: (payload: unknown) => unknown, single: boolean) {
    this.#core = core;
    this.call = call;
    this.single = single;
  }

  /** Takes over the array. `initial` changes are part of what the registration must see to be synced. */
  deliver(changes: Change[], initial: boolean): void {
    if (!this.active) return;
    if (initial) this.initial += this.single ? changes.length : 1;
    if (!this.single) {
      if (initial || this.busy || this.failed || this.backlog.length > 0) this.#offer(changes, initial);
      else {
        this.invoke(changes, false);
        if (this.backlog.length > 0) this.#drain();
      }
    } else for (let i = 0; i < changes.length && this.active; i++) this.#offer(changes[i], initial);
  }

  #offer(payload: unknown, initial: boolean): void {
    if (this.busy || this.backlog.length > 0) {
      this.backlog.push({payload, initial});
      return;
    }
    this.invoke(payload, initial);
    if (this.backlog.length > 0) this.#drain();
  }

  #drain(): void {
    while (!this.busy && this.active) {
      const next = this.backlog.shift();
      if (next === undefined) return;
      this.invoke(next.payload, next.initial);
    }
  }

  private invoke(payload: unknown, initial: boolean): void {
    this.busy = true;
    let answer: unknown;
    try {
      answer = this.call(payload);
    } catch (error) {
      this.#fail(error);
      this.#finish(initial);
      return;
    }
    if (answer !== undefined && answer instanceof Promise) {
      answer.then(
        () => this.#settle(initial),
        error => {
          this.#fail(error);
          this.#settle(initial);
        },
      );
    } else {
      if (this.failed) this.#heal();
      this.#finish(initial);
    }
  }

  #settle(initial: boolean): void {
    this.#finish(initial);
    this.#drain();
  }

  #finish(initial: boolean): void {
    this.busy = false;
    if (initial) {
      this.initial--;
      this.checkSync();
    }
  }

  get #label(): string {
    return this.call.name || 'handler';
  }

  #fail(error: unknown): void {
    this.failed = true;
    const text = error instanceof Error ? error.message : String(error);
    this.#core.engine.report(
      'handler-failed',
      this.#core,
      [this.#label],
      `a handler of "${this.#core.name}" threw: ${text}; the change counts as delivered`,
    );
  }

  #heal(): void {
    this.failed = false;
    this.#core.engine.held.clear('handler-failed', this.#core, this.#label);
  }

  checkSync(): void {
    if (this.#synced || !this.replayed || !this.#core.synced || this.initial > 0) return;
    this.#synced = true;
    this.#answer(true);
  }

  #answer(synced: boolean): void {
    const waits = this.#waits;
    this.#waits = [];
    for (const resolve of waits) resolve(synced);
  }

  hasSynced(): boolean {
    this.checkSync();
    return this.#synced;
  }

  waitUntilSynced(stop?: AbortSignal): Promise<boolean> {
    if (this.hasSynced()) return Promise.resolve(true);
    if (!this.active || stop?.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      this.#waits.push(resolve);
      stop?.addEventListener('abort', () => resolve(false), {once: true});
    });
  }

  unregisterHandler(): void {
    if (!this.active) return;
    this.#core.handlers = this.#core.handlers.filter(handler => handler !== this);
    this.drop();
  }

  /** The collection is gone, or the handler is: nothing more is delivered. */
  drop(): void {
    if (this.failed) this.#heal();
    this.active = false;
    this.backlog = [];
    this.#answer(this.#synced);
  }
}
