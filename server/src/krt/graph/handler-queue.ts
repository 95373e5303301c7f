// One registered handler with its own queue, pace and sync. A slow or failing handler does not affect others.

import {removeFromList} from '../containers/row.ts';
import type {ViolationStore} from '../trace/violation.ts';
import type {Change} from '../values/change.ts';
import type {Registration} from '../values/collection.ts';
import {errorText} from '../values/error-text.ts';
import {functionNameOf} from '../values/function-name.ts';
import {isThenable} from '../values/thenable.ts';
import {SyncWaiters} from './sync-waiters.ts';

/** A collection as far as its handlers need it. */
interface HandledCollection {
  readonly name: string;
  readonly uid: number;
  readonly stopped: boolean;
  readonly synced: boolean;
  readonly handlers: CollectionHandlerQueue[];
  readonly changes: readonly Change[] | null;
  replay(): Change[];
  readonly engine: {
    readonly violationStore: ViolationStore;
    nextHandler(): number;
    runInBatch(f: () => void): void;
    report(
      code: 'handler-failed',
      collection: HandledCollection,
      keys: string[],
      message: string,
      id: string,
    ): void;
  };
}

/** A call of the handler that is due. */
interface HandlerCall {
  payload: unknown;
  initial: boolean;
  /** The delivery that it belongs to. */
  of: number;
}

/** Copy the rest of the queue after this many deliveries. */
const COMPACT_AFTER = 1024;

export function registerHandler(
  core: HandledCollection,
  call: (payload: never) => unknown,
  single: boolean,
  replay: boolean,
): Registration {
  const queue = new CollectionHandlerQueue(core, call as (payload: unknown) => unknown, single);
  if (core.stopped) {
    queue.drop();
    return queue;
  }
  core.engine.runInBatch(() => {
    const existing = replay ? core.replay() : [];
    core.handlers.push(queue);
    if (existing.length > 0) queue.deliver(existing, true);
    // The replay already contains what this batch has announced so far.
    queue.changesToSkip = core.changes?.length ?? 0;
    queue.replayed = true;
    queue.checkSync();
  });
  return queue;
}

export class CollectionHandlerQueue implements Registration {
  replayed = false;
  /** How many changes of this batch to skip: the handler came after them. */
  changesToSkip = 0;
  readonly #core: HandledCollection;
  readonly #call: (payload: unknown) => unknown;
  /** One call per change, not per batch. */
  readonly #single: boolean;
  readonly #label: string;
  /** Unique, because handlers may share a name. */
  readonly #id: string;
  #active = true;
  #busy = false;
  /** The last delivery that failed; 0 if none. */
  #failedIn = 0;
  #deliveries = 0;
  #synced = false;
  #initial = 0;
  #backlog: HandlerCall[] = [];
  /** How many entries of the backlog are delivered. */
  #delivered = 0;
  readonly #waits = new SyncWaiters();

  constructor(core: HandledCollection, call: (payload: unknown) => unknown, single: boolean) {
    this.#core = core;
    this.#call = call;
    this.#single = single;
    // Read once: the violation must be found again under the same name.
    this.#label = functionNameOf(call, 'handler');
    this.#id = `${core.engine.nextHandler()} ${this.#label}`;
  }

  /** Takes over the array. `initial` changes have to be delivered before the registration is synced. */
  deliver(changes: Change[], initial: boolean): void {
    if (this.changesToSkip > 0) changes.splice(0, this.changesToSkip);
    this.changesToSkip = 0;
    if (changes.length === 0 || !this.#active) return;
    if (initial) this.#initial += this.#single ? changes.length : 1;
    const of = ++this.#deliveries;
    if (this.#single) for (const change of changes) this.#offer(change, initial, of);
    else this.#offer(changes, initial, of);
  }

  #offer(payload: unknown, initial: boolean, of: number): void {
    if (!this.#active) return;
    if (this.#busy || this.#backlog.length > 0) this.#backlog.push({payload, initial, of});
    else {
      this.#invoke(payload, initial, of);
      // The handler may have written, directly or indirectly.
      if (this.#backlog.length > 0) this.#drain();
    }
  }

  #drain(): void {
    while (!this.#busy && this.#active) {
      const next = this.#backlog[this.#delivered];
      if (next === undefined) break;
      this.#delivered++;
      this.#invoke(next.payload, next.initial, next.of);
    }
    // Removed in one step: shift() on a long list moves all others.
    if (this.#delivered < this.#backlog.length && this.#delivered < COMPACT_AFTER) return;
    this.#backlog = this.#backlog.slice(this.#delivered);
    this.#delivered = 0;
  }

  #invoke(payload: unknown, initial: boolean, of: number): void {
    this.#busy = true;
    try {
      const answer = this.#call(payload);
      if (isThenable(answer)) {
        this.#await(answer, initial, of);
        return;
      }
      if (this.#failedIn > 0) this.#heal(of);
    } catch (error) {
      this.#fail(error, of);
    }
    this.#finish(initial);
  }

  // A thenable acts after the batch.
  #await(answer: PromiseLike<unknown>, initial: boolean, of: number): void {
    Promise.resolve(answer).then(
      () => this.#settle(initial, of, undefined),
      error => this.#settle(initial, of, {error}),
    );
  }

  #settle(initial: boolean, of: number, rejected: {error: unknown} | undefined): void {
    if (rejected !== undefined) this.#fail(rejected.error, of);
    else this.#heal(of);
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

  #fail(error: unknown, of: number): void {
    if (!this.#active) return;
    this.#failedIn = of;
    const text = errorText(error);
    this.#core.engine.report(
      'handler-failed',
      this.#core,
      [this.#label],
      `a handler of "${this.#core.name}" threw: ${text}; the change counts as delivered`,
      this.#id,
    );
  }

  // Not within the same delivery: the failure would never be visible.
  #heal(of: number): void {
    if (this.#failedIn > 0 && this.#failedIn !== of) this.#clear();
  }

  #clear(): void {
    this.#failedIn = 0;
    this.#core.engine.violationStore.clear('handler-failed', this.#core, this.#id);
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
    removeFromList(this.#core.handlers, this);
    this.drop();
  }

  /** Stops all deliveries. */
  drop(): void {
    this.#clear();
    this.#active = false;
    this.#backlog = [];
    this.#waits.release(this.#synced);
  }
}
