// Batches: what is written is settled in topological order, and everyone is told once all of it has settled.

import type {RowInput} from '../containers/row.ts';
import {BatchRecorder, type PublishingCollection} from '../trace/batch-recorder.ts';
import {Listeners} from '../trace/listeners.ts';
import {ViolationStore} from '../trace/violation.ts';
import type {Clock} from '../values/clock.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import type {RunningCode} from '../values/running-code.ts';
import {CALLBACK_CODE} from '../values/running-code.ts';
import {isThenable, refusePromise, silenceRejection} from '../values/thenable.ts';
import type {BatchTrace} from '../values/trace.ts';
import {ChangeDelivery, type DeliveringCollection} from './change-delivery.ts';
import {TurnQueue} from './turn-queue.ts';

/** More formulas than this do not wait for each other on the stack. */
const MAX_NESTED_SETTLING = 50;

/** A collection as far as the order of turns needs it. */
export interface ScheduledCollection {
  readonly name: string;
  readonly uid: number;
  readonly level: number;
  readonly stopped: boolean;
  queued: boolean;
  /** Its turn is under way. */
  busy: boolean;
  /** The run that made it is under way, and may wait for it. */
  inMaking: boolean;
  /** The walk through the graph that met it last. */
  visit: number;
  turn(): void;
  end(): void;
  upstreams(): Iterable<ScheduledCollection>;
}

export abstract class BatchProcessor {
  readonly clock: Clock | null;
  readonly violationStore = new ViolationStore();
  /** Non-null only while a batch is open and somebody listens. */
  recorder: BatchRecorder | null = null;
  /** The run, map or merge that is under way; reads that bypass it are violations. */
  running: RunningCode | null = null;
  /** Told of every collection before its turn. */
  beforeTurn: ((core: ScheduledCollection) => unknown) | null = null;
  /** The open batch has something to tell. */
  changed = false;
  /** Runs of this batch that the costly checks repeat. */
  sampled: RowInput[] = [];
  sequence: number;
  nextSequence: number;
  readonly #firstRuns: number;
  /** First runs that the open batch may still make. */
  #mayRun = 0;
  /** Collections that have first runs to make. */
  readonly #owing = new Set<ScheduledCollection>();
  /** An error of our own that a turn threw; told after the batch. */
  #fault: {error: unknown} | null = null;
  #open = false;
  #settling = false;
  readonly #listeners = new Listeners<BatchTrace>(
    error => this.listenerFailed('trace', error),
    () => this.listenerHealed('trace'),
  );
  readonly #delivery = new ChangeDelivery();
  readonly #spare = new BatchRecorder();
  readonly #waiting = new TurnQueue<ScheduledCollection>();
  /** Those whose turn is in the next batch. */
  readonly #next = new Set<ScheduledCollection>();
  #visit = 0;
  /** How many formulas wait on the stack for what they read to settle. */
  #depth = 0;

  constructor(clock: Clock | null, sequence: number, firstRuns: number) {
    this.clock = clock;
    this.sequence = sequence;
    this.nextSequence = sequence + 1;
    this.#firstRuns = firstRuns;
  }

  /** Repeats what is `sampled`. */
  protected abstract checkRuns(): void;

  protected get open(): boolean {
    return this.#open;
  }

  /** Counts one more first run of this batch, if there may be one; what a run has just made settles whole. */
  takeFirstRun(core: ScheduledCollection): boolean {
    return core.inMaking || this.#mayRun-- > 0;
  }

  setOwesFirstRuns(core: ScheduledCollection, owing: boolean): void {
    if (owing) this.#owing.add(core);
    else this.#owing.delete(core);
  }

  /** One batch more of first runs; whether there are any left. */
  proceed(): boolean {
    if (this.#owing.size > 0)
      this.write(() => {
        for (const core of this.#owing) this.enqueue(core);
      });
    return this.#owing.size > 0;
  }

  now(): number {
    if (this.clock === null) return 0;
    const outer = this.running;
    // One that writes would be asked about that batch, too, and so on.
    this.running = CALLBACK_CODE;
    try {
      const now: unknown = this.clock.now();
      // A time that cannot be had, or reckoned with, is no reason to lose a batch.
      if (typeof now === 'number') return Number.isFinite(now) ? now : 0;
      if (isThenable(now)) silenceRejection(now);
      return 0;
    } catch {
      return 0;
    } finally {
      this.running = outer;
    }
  }

  batch<R>(f: () => R): R {
    const result = this.write(f);
    if (!isThenable(result)) return result;
    silenceRejection(result);
    throw asyncBatchError();
  }

  /** The way in for everything that changes the graph. */
  write<R>(f: () => R): R {
    const outer = this.enter();
    try {
      return f();
    } finally {
      this.leave(outer);
    }
  }

  /** Opens a batch, or joins the one that is open; the answer goes to leave(). */
  enter(): boolean {
    if (this.running !== null) this.#refuse(this.running);
    if (this.#open) return true;
    this.#open = true;
    if (this.#listeners.any) this.#record();
    return false;
  }

  /** Calls a function of the user's that is no formula. */
  callUserFunction<R>(f: () => R): R {
    const outer = this.running;
    this.running = CALLBACK_CODE;
    try {
      return f();
    } finally {
      this.resumeOuterCode(outer);
    }
  }

  /** User code is over, and `outer` goes on, which waited for it. */
  resumeOuterCode(outer: RunningCode | null): void {
    this.running = outer;
    if (outer !== null || this.#open) return;
    // It was asked outside a batch: what it made settles, and what was found is told, with nothing under way.
    if (this.#waiting.any) this.write(() => {});
    this.violationStore.tell();
    this.#throwFault();
  }

  #record(): void {
    this.recorder = this.#spare;
    this.recorder.begin(this);
  }

  leave(outer: boolean): void {
    if (!outer) this.#settleAll();
  }

  #refuse(running: RunningCode): never {
    throw new EngineError(
      'write-in-formula',
      `${running}: a formula must not write; return the value, or write from a handler`,
    );
  }

  /** Runs `f` so that what it writes becomes one batch after it; allowed inside a formula too. */
  runInBatch(f: () => void): void {
    if (this.running !== null || this.#open) {
      f();
      return;
    }
    this.write(f);
  }

  /** Settles what the open batch wrote, tells of it, and so on as long as handlers write; then closes it. */
  #settleAll(): void {
    try {
      do {
        this.#settle();
        this.#conclude();
      } while (this.#waiting.any);
    } finally {
      this.#open = false;
      this.recorder = null;
    }
    this.#throwFault();
  }

  #throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault.error;
  }

  /** For what must not stop what is under way: whoever wrote gets it once the batch has settled. */
  throwLater(error: unknown): void {
    if (!this.#open && this.running === null) throw error;
    this.#fault ??= {error};
  }

  #settle(): void {
    this.#settling = true;
    this.#mayRun = this.#firstRuns;
    this.recorder?.settling();
    for (let core = this.#waiting.take(); core !== null; core = this.#waiting.take()) this.#turn(core);
    this.#settling = false;
  }

  #turn(core: ScheduledCollection): void {
    if (core.stopped) return;
    const outer = this.running;
    core.busy = true;
    // Listeners of turns, equalities, indexes: what they write in the middle of a batch would make inputs run twice in it.
    this.running = CALLBACK_CODE;
    if (this.beforeTurn !== null) this.notifyTurn(core);
    try {
      core.turn();
    } catch (error) {
      // Nothing of the user's gets here. The others still settle, and everybody is told what is true of them.
      this.#fault ??= {error};
    } finally {
      core.busy = false;
      this.running = outer;
    }
  }

  /** Its functions are about to be called. */
  notifyTurn(core: ScheduledCollection): void {
    try {
      refusePromise(this.beforeTurn?.(core), 'a listener of turns');
      this.listenerHealed('turn');
    } catch (error) {
      this.listenerFailed('turn', error);
    }
  }

  enqueue(core: ScheduledCollection): void {
    if (core.queued) return;
    if (this.recorder !== null && !this.#settling && !this.#waiting.any) this.recorder.received();
    this.#waiting.add(core);
  }

  /** As enqueue; while a batch settles, for the next one: its turn in this one may be over. */
  enqueueNext(core: ScheduledCollection): void {
    if (this.#settling) this.#next.add(core);
    else this.enqueue(core);
  }

  /**
   * Settles a collection, and what it needs, before its turn: a formula has just begun to read it. False if so many
   * formulas wait for each other already that the stack might not hold another: then the reader has to come again.
   */
  settleFirst(core: ScheduledCollection): boolean {
    if (!this.#waiting.any || core.busy) return true;
    // What the reader has just made it would make anew, and come again for that.
    if (this.#depth >= MAX_NESTED_SETTLING && !core.inMaking) return this.#isSettled(core);
    this.#depth++;
    try {
      this.#settleUpTo(core);
    } finally {
      this.#depth--;
    }
    return true;
  }

  // What has settled must not be waited for: a formula that reads two such would wait for each in turn, for ever.
  #isSettled(core: ScheduledCollection): boolean {
    const visit = ++this.#visit;
    const open = [core];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.visit === visit) continue;
      next.visit = visit;
      if (next.queued) return false;
      for (const upstream of next.upstreams()) open.push(upstream);
    }
    return true;
  }

  #settleUpTo(core: ScheduledCollection): void {
    const visit = ++this.#visit;
    const path: {core: ScheduledCollection; rest: Iterator<ScheduledCollection>}[] = [];
    const go = (next: ScheduledCollection) => {
      next.visit = visit;
      path.push({core: next, rest: next.upstreams()[Symbol.iterator]()});
    };
    go(core);
    // Not by calling itself: a chain may be longer than the stack.
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const {value: upstream, done} = step.rest.next();
      if (!done) {
        if (upstream.visit !== visit && !upstream.busy) go(upstream);
        continue;
      }
      path.pop();
      if (!step.core.queued) continue;
      step.core.queued = false;
      this.#turn(step.core);
      // It asks for another turn if it has learnt in this one what has to come before it.
      if (step.core.queued) go(step.core);
    }
  }

  #conclude(): void {
    if (this.changed) {
      this.changed = false;
      this.sequence = this.nextSequence++;
      const trace = this.recorder === null ? null : this.recorder.end(this.sequence);
      if (this.sampled.length > 0) this.checkRuns();
      // Listeners and handlers may write: that is the next batch, and it may have to be recorded.
      if (this.#listeners.any) this.#record();
      else this.recorder = null;
      this.violationStore.tell();
      if (trace !== null) this.#tell(trace);
    }
    this.#delivery.deliver();
    this.violationStore.tell();
    if (this.#next.size === 0) return;
    for (const core of this.#next) this.enqueue(core);
    this.#next.clear();
  }

  #tell(trace: BatchTrace): void {
    this.#listeners.notify(() => trace);
  }

  protected listenerFailed(what: string, error: unknown): void {
    const message = `a listener of ${what}s threw: ${errorText(error)}; the others were told`;
    this.violationStore.report(
      'listener-failed',
      NO_COLLECTION,
      what,
      [],
      message,
      this.sequence,
      what !== 'violation',
    );
    if (!this.#open) this.violationStore.tell();
  }

  protected listenerHealed(what: string): void {
    if (this.violationStore.size > 0) this.violationStore.clear('listener-failed', NO_COLLECTION, what);
  }

  announced(core: DeliveringCollection): void {
    this.#delivery.announced(core);
  }

  becameSynced(core: DeliveringCollection & PublishingCollection): void {
    this.#delivery.becameSynced(core);
    this.recorder?.synced(core);
  }

  onTrace(listener: (trace: BatchTrace) => void): () => void {
    const unsubscribe = this.#listeners.add(listener);
    if (this.#open && !this.#settling && this.recorder === null) this.#record();
    return unsubscribe;
  }

  protected forgetListeners(): void {
    this.#listeners.clear();
    this.violationStore.forget();
  }
}

/** Where a violation belongs that is no collection's. */
const NO_COLLECTION = {name: '', uid: 0};

function asyncBatchError(): EngineError {
  return new EngineError(
    'async-batch',
    'batch takes a function that writes before it returns, and got one that returned a promise: what it wrote so far has settled, what it writes later would be batches of their own; await first, then call batch',
  );
}
