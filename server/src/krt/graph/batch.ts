// Batches: settles all writes in topological order, then notifies handlers and listeners.

import type {RowInput} from '../containers/row.ts';
import {BatchRecorder} from '../trace/batch-recorder.ts';
import {Listeners} from '../trace/listeners.ts';
import type {PublishingCollection} from '../trace/traced-collection.ts';
import {ViolationStore} from '../trace/violation.ts';
import type {Clock} from '../values/clock.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import type {RunningCode} from '../values/running-code.ts';
import {CALLBACK_CODE} from '../values/running-code.ts';
import {isThenable, refusePromise, silenceRejection} from '../values/thenable.ts';
import type {BatchTrace} from '../values/trace.ts';
import {ChangeDelivery, type DeliveringCollection} from './change-delivery.ts';
import type {ScheduledCollection, ScheduledInput, WrittenCollection} from './scheduled-collection.ts';
import {TurnQueue} from './turn-queue.ts';
import {settleUpTo, waitsForTurn} from './upstream-walk.ts';

/** Limits how many formulas wait for each other on the stack. */
const MAX_NESTED_SETTLING = 50;

/** First runs of one batch. It makes at least one, whatever that takes. */
export interface FirstRunsBudget {
  readonly runs: number;
  readonly milliseconds: number | undefined;
}

export abstract class BatchProcessor {
  readonly clock: Clock | null;
  readonly violationStore = new ViolationStore();
  /** Non-null only while a batch is open and there are trace listeners. */
  recorder: BatchRecorder | null = null;
  /** The user code under way. Reads that bypass it are violations. */
  running: RunningCode | null = null;
  /** Called before the turn of every collection. */
  beforeTurn: ((core: ScheduledCollection) => unknown) | null = null;
  /** The open batch has changed something. */
  changed = false;
  /** Runs of this batch that the sampled checks repeat. */
  sampled: RowInput[] = [];
  sequence: number;
  nextSequence: number;
  readonly #firstRuns: FirstRunsBudget;
  /** How many first runs this batch may still make. */
  #mayRun = 0;
  /** When the first runs of this batch have to end; undefined until its first one. */
  #firstRunsEnd: number | undefined;
  /** Collections with first runs left to make. */
  readonly #withFirstRuns = new Set<ScheduledCollection>();
  /** An internal error of a turn, thrown after the batch. */
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
  /** Collections whose turn comes in the next batch. */
  readonly #next = new Set<ScheduledCollection>();
  /** A source whose one write is all there is in the batch so far. */
  #written: WrittenCollection | null = null;
  /** An input that is all there is in the next turn. */
  #handedOn: ScheduledInput | null = null;
  #visit = 0;
  /** How many formulas wait on the stack for their reads to settle. */
  #depth = 0;

  constructor(clock: Clock | null, sequence: number, firstRuns: FirstRunsBudget) {
    this.clock = clock;
    this.sequence = sequence;
    this.nextSequence = sequence + 1;
    this.#firstRuns = firstRuns;
  }

  /** Repeats the `sampled` runs. */
  protected abstract checkRuns(): void;

  protected get open(): boolean {
    return this.#open;
  }

  /** Takes one first run of the budget. A collection made by the current run settles completely. */
  takeFirstRun(core: ScheduledCollection): boolean {
    if (core.inMaking) return true;
    if (this.#mayRun <= 0) return false;
    this.#mayRun -= 1;
    const {milliseconds} = this.#firstRuns;
    if (milliseconds === undefined) return true;
    if (this.#firstRunsEnd === undefined) this.#firstRunsEnd = this.now() + milliseconds;
    else if (this.now() >= this.#firstRunsEnd) this.#mayRun = -1;
    return this.#mayRun >= 0;
  }

  setOwesFirstRuns(core: ScheduledCollection, owing: boolean): void {
    if (owing) this.#withFirstRuns.add(core);
    else this.#withFirstRuns.delete(core);
  }

  /** Makes one more batch of first runs. Gives whether any are left. */
  proceed(): boolean {
    if (this.#withFirstRuns.size > 0)
      this.write(() => {
        for (const core of this.#withFirstRuns) this.enqueue(core);
      });
    return this.#withFirstRuns.size > 0;
  }

  now(): number {
    if (this.clock === null) return 0;
    const outer = this.running;
    // Refuse writes: they would ask for the time again, without end.
    this.running = CALLBACK_CODE;
    try {
      const now: unknown = this.clock.now();
      // A broken clock must not lose a batch.
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

  /** Every change of the graph passes here. */
  write<R>(f: () => R): R {
    const outer = this.enter();
    try {
      return f();
    } finally {
      this.leave(outer);
    }
  }

  /** Opens a batch or joins the open one. Pass the result to leave(). */
  enter(): boolean {
    if (this.running !== null) this.#refuse(this.running);
    if (this.#open) return true;
    this.#open = true;
    if (this.#listeners.any) this.#record();
    return false;
  }

  /** Calls a user function that is not a formula. */
  callUserFunction<R>(f: () => R): R {
    const outer = this.running;
    this.running = CALLBACK_CODE;
    try {
      return f();
    } finally {
      this.resumeOuterCode(outer);
    }
  }

  /** The user code has returned, and `outer` continues. */
  resumeOuterCode(outer: RunningCode | null): void {
    this.running = outer;
    if (outer !== null || this.#open) return;
    // Outside a batch: settle what the code created, and report what was found.
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

  /** Runs `f` in a batch. Inside a formula or an open batch it just runs. */
  runInBatch(f: () => void): void {
    if (this.running !== null || this.#open) {
      f();
      return;
    }
    this.write(f);
  }

  /** Settles and notifies, as long as handlers write. Then closes the batch. */
  #settleAll(): void {
    try {
      do {
        this.#settle();
        this.#conclude();
      } while (this.#waiting.any || this.#written !== null);
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

  /** Throws the error after the open batch, so that it does not stop the batch. */
  throwLater(error: unknown): void {
    if (!this.#open && this.running === null) throw error;
    this.#fault ??= {error};
  }

  #settle(): void {
    this.#settling = true;
    this.#mayRun = this.#firstRuns.runs;
    this.#firstRunsEnd = undefined;
    this.recorder?.settling();
    const outer = this.running;
    // Refuse writes of turn listeners, equalities and indexes: they would make inputs run twice in this batch.
    this.running = CALLBACK_CODE;
    if (this.#written !== null) this.#turnOfOnly(this.#written);
    for (;;) {
      const input = this.#handedOn;
      this.#handedOn = null;
      const core = input === null ? this.#waiting.take() : input.collection;
      if (core === null) break;
      this.#turn(core, input);
    }
    this.running = outer;
    this.#settling = false;
  }

  #turnOfOnly(source: WrittenCollection): void {
    this.#written = null;
    if (source.stopped) return;
    source.busy = true;
    if (this.beforeTurn !== null) this.notifyTurn(source);
    try {
      source.turnOfOnly();
    } catch (error) {
      this.#turnFailed(error);
    }
    source.busy = false;
  }

  /** With `only`, no other input of the collection waits. */
  #turn(core: ScheduledCollection, only: ScheduledInput | null): void {
    if (core.stopped) return;
    core.busy = true;
    if (this.beforeTurn !== null) this.notifyTurn(core);
    try {
      core.turn(only);
    } catch (error) {
      this.#turnFailed(error);
    }
    core.busy = false;
  }

  // Only internal errors arrive here. The other collections still settle.
  #turnFailed(error: unknown): void {
    this.#fault ??= {error};
    this.running = CALLBACK_CODE;
  }

  /**
   * Takes the write of a source if nothing else waits: then it needs no queue. Whatever comes after it sends it to its queue.
   * Traces note when the first collection was queued.
   */
  takeOnly(source: WrittenCollection): boolean {
    if (this.#settling || !this.#open || this.#waiting.any || this.recorder !== null) return false;
    if (this.#written === null) {
      this.#written = source;
      return true;
    }
    this.#queueWritten(this.#written);
    return false;
  }

  #queueWritten(source: WrittenCollection): void {
    this.#written = null;
    source.queueOnly();
  }

  /**
   * Takes an input that has to run if nothing else waits: then it is all there is in the next turn, and needs no queue.
   * Whatever comes after it, before its turn, sends it to its queue.
   */
  handOn(input: ScheduledInput): boolean {
    if (!this.#settling || this.#waiting.any || this.#depth > 0) return false;
    if (this.#handedOn === null) {
      this.#handedOn = input;
      return true;
    }
    this.#queueHandedOn();
    return false;
  }

  #queueHandedOn(): void {
    const input = this.#handedOn;
    this.#handedOn = null;
    input?.collection.queueEntry(input);
  }

  /** User functions of this collection are about to be called. */
  notifyTurn(core: ScheduledCollection): void {
    try {
      refusePromise(this.beforeTurn?.(core), 'a listener of turns');
      this.listenerHealed('turn');
    } catch (error) {
      this.listenerFailed('turn', error);
    }
  }

  enqueue(core: ScheduledCollection): void {
    if (this.#handedOn !== null) this.#queueHandedOn();
    if (this.#written !== null) this.#queueWritten(this.#written);
    if (core.queued) return;
    if (this.recorder !== null && !this.#settling && !this.#waiting.any) this.recorder.received();
    this.#waiting.add(core);
  }

  /** Like enqueue, but while a batch settles it means the next batch: the turn in this one may be over. */
  enqueueNext(core: ScheduledCollection): void {
    if (this.#settling) this.#next.add(core);
    else this.enqueue(core);
  }

  /**
   * Settles a collection and its upstreams before their turn, because a formula begins to read it. False if
   * too many formulas already wait on the stack. Then the reader has to run again later.
   */
  settleFirst(core: ScheduledCollection): boolean {
    if (!this.#waiting.any || core.busy) return true;
    // A collection that the reader has just made must settle now: the next run would make another one.
    if (this.#depth >= MAX_NESTED_SETTLING && !core.inMaking) return !waitsForTurn(core, ++this.#visit);
    const outer = this.running;
    this.running = CALLBACK_CODE;
    this.#depth++;
    try {
      settleUpTo(core, ++this.#visit, next => this.#turn(next, null));
    } finally {
      this.#depth--;
      this.running = outer;
    }
    return true;
  }

  #conclude(): void {
    if (this.changed) {
      this.changed = false;
      this.sequence = this.nextSequence++;
      const trace = this.recorder === null ? null : this.recorder.end(this.sequence);
      if (this.sampled.length > 0) this.checkRuns();
      // Listeners and handlers may write. That is the next batch, which may have to be recorded.
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

/** The place of violations without a collection. */
const NO_COLLECTION = {name: '', uid: 0};

function asyncBatchError(): EngineError {
  return new EngineError(
    'async-batch',
    'batch takes a function that writes before it returns, and got one that returned a promise: what it wrote so far has settled, what it writes later would be batches of their own; await first, then call batch',
  );
}
