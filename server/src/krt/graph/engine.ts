// The engine: opens and settles batches, in topological order, and tells everyone once they have settled.

import type {Clock} from '../api/clock.ts';
import type {DumpEntry} from '../api/dump.ts';
import {EngineError} from '../api/error.ts';
import {errorText} from '../api/error-text.ts';
import {type CollectionInfo, infoOf} from '../api/info.ts';
import {isThenable, quiet} from '../api/thenable.ts';
import {checkRuns} from '../check/check.ts';
import {type Violation, type ViolationCode, Violations} from '../check/violation.ts';
import type {FileReader} from '../kinds/file.ts';
import type {Entry} from '../run/entry.ts';
import type {Running} from '../run/run.ts';
import {Recorder} from '../trace/recorder.ts';
import type {BatchTrace} from '../trace/trace.ts';
import {CALLBACK} from './callback.ts';
import type {Core} from './core.ts';
import {Delivery} from './delivery.ts';
import {Listeners} from './listener.ts';
import {Pile} from './pile.ts';

export interface EngineOptions {
  /** Without one, every time and duration is 0. */
  clock?: Clock;
  reader?: FileReader;
  /** How much the costly checks look at: nothing, a sample (the default), every run. */
  checks?: 'off' | 'sample' | 'all';
  /** The first batch gets the number after this one. */
  firstSequence?: number;
  /**
   * How many runs a batch makes for collections that are not synced yet; the rest is left to `proceed`. All of them
   * if absent.
   */
  firstRuns?: number;
}

export interface Engine {
  /** Runs `f`, then settles what it wrote as one batch; its error is thrown after that. */
  batch<R>(f: () => R): R;
  onTrace(listener: (trace: BatchTrace) => void): () => void;
  onViolation(listener: (violation: Violation) => void): () => void;
  violations(): Violation[];
  collections(): CollectionInfo[];
  /** The debug document of upstream's own handler. */
  dump(): DumpEntry[];
  /** Ends every collection and forgets every listener. Rows stay readable; nothing new can be made. Twice is nothing. */
  stop(): void;
}

/** More formulas than this do not wait for each other on the stack. */
const DEEP = 50;

/** Collections of one level that wait for their turn, and which of them is next. */
interface Level {
  readonly cores: Pile<Core>;
  next: number;
}

export function engineCore(engine: Engine): EngineCore {
  if (engine instanceof EngineCore) return engine;
  throw new EngineError('wiring', 'expected an engine made by createEngine');
}

export abstract class EngineCore implements Engine {
  readonly clock: Clock | null;
  readonly reader: FileReader | null;
  readonly checks: 'off' | 'sample' | 'all';
  readonly held = new Violations();
  /** Nothing can be made any more. */
  stopped = false;
  /** What watches something outside, and has to let go of it when the engine stops. */
  readonly watches = new Set<{stop(): void}>();
  readonly cores = new Set<Core>();
  /** Non-null only while a batch is open and somebody listens. */
  recorder: Recorder | null = null;
  /** The run, map or merge that is under way; reads that bypass it are violations. */
  running: Running | null = null;
  /** Told of every collection before its turn. */
  beforeTurn: ((core: Core) => void) | null = null;
  /** The open batch has something to tell. */
  changed = false;
  /** Runs of this batch that the costly checks repeat. */
  sampled: Entry[] = [];
  links = 0;
  sequence: number;
  nextSequence: number;
  readonly #firstRuns: number;
  /** First runs that the open batch may still make. */
  #mayRun = 0;
  /** Collections that have first runs to make. */
  readonly #owing = new Set<Core>();
  #uid = 1;
  #indexUid = 0;
  #handlers = 0;
  /** An error of our own that a turn threw; told after the batch. */
  #fault: {error: unknown} | null = null;
  #open = false;
  #settling = false;
  readonly #listeners = new Listeners<BatchTrace>(error => this.#listenerFailed('trace', error));
  readonly #delivery = new Delivery();
  readonly #spare = new Recorder();
  readonly #queue: Level[] = [];
  #low = 0;
  #pending = 0;
  #visit = 0;
  /** How many formulas wait on the stack for what they read to settle. */
  #depth = 0;
  readonly #stopped = new Set<WeakRef<Core>>();
  #stoppedLimit = 64;

  constructor(options: EngineOptions) {
    this.clock = options.clock ?? null;
    this.reader = options.reader ?? null;
    this.checks = options.checks ?? 'sample';
    this.sequence = options.firstSequence ?? 0;
    this.nextSequence = this.sequence + 1;
    this.#firstRuns = options.firstRuns ?? Number.POSITIVE_INFINITY;
  }

  /** Counts one more first run of this batch, if there may be one. */
  mayRun(): boolean {
    return this.#mayRun-- > 0;
  }

  owes(core: Core, owing: boolean): void {
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

  nextUid(): number {
    return ++this.#uid;
  }

  nextHandler(): number {
    return ++this.#handlers;
  }

  nextIndexUid(): number {
    return ++this.#indexUid;
  }

  now(): number {
    if (this.clock === null) return 0;
    try {
      return this.clock.now();
    } catch {
      // A time that cannot be had is no reason to lose a batch.
      return 0;
    }
  }

  batch<R>(f: () => R): R {
    const result = this.write(f);
    if (!isThenable(result)) return result;
    quiet(result);
    throw asyncBatch();
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

  #record(): void {
    this.recorder = this.#spare;
    this.recorder.begin(this);
  }

  leave(outer: boolean): void {
    if (!outer) this.#settleAll();
  }

  #refuse(running: Running): never {
    throw new EngineError(
      'write-in-formula',
      `${running}: a formula must not write; return the value, or write from a handler`,
    );
  }

  /** Runs `f` so that what it writes becomes one batch after it; allowed inside a formula too. */
  hold(f: () => void): void {
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
      } while (this.#pending > 0);
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

  #settle(): void {
    this.#settling = true;
    this.#mayRun = this.#firstRuns;
    this.recorder?.settling();
    while (this.#pending > 0) {
      while ((this.#queue[this.#low] as Level).cores.count === 0) this.#low++;
      const level = this.#queue[this.#low] as Level;
      const core = level.cores.at(level.next++);
      this.#pending--;
      if (level.next === level.cores.count) {
        level.cores.clear();
        level.next = 0;
      }
      if (!core.queued) continue;
      core.queued = false;
      // Its level was raised while it waited.
      if (core.level !== this.#low) this.enqueue(core);
      else this.#turn(core);
    }
    this.#settling = false;
  }

  #turn(core: Core): void {
    if (core.stopped) return;
    const outer = this.running;
    core.busy = true;
    if (this.beforeTurn !== null) this.beforeTurn(core);
    // Equalities, indexes, filters: what they write in the middle of a batch would make inputs run twice in it.
    this.running = CALLBACK;
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

  enqueue(core: Core): void {
    if (core.queued) return;
    core.queued = true;
    const {level} = core;
    while (this.#queue.length <= level) this.#queue.push({cores: new Pile(), next: 0});
    // First come, first served: what was made earlier has mostly settled before somebody begins to fetch from it.
    (this.#queue[level] as Level).cores.add(core);
    if (this.#pending++ === 0 && this.recorder !== null && !this.#settling) this.recorder.received();
    if (level < this.#low) this.#low = level;
  }

  /**
   * Settles a collection, and what it needs, before its turn: a formula has just begun to read it. False if so many
   * formulas wait for each other already that the stack might not hold another: then the reader has to come again.
   */
  settleFirst(core: Core): boolean {
    if (this.#pending === 0 || core.busy) return true;
    if (this.#depth === DEEP) return false;
    this.#depth++;
    try {
      this.#settleUpTo(core);
    } finally {
      this.#depth--;
    }
    return true;
  }

  #settleUpTo(core: Core): void {
    const visit = ++this.#visit;
    const path: {core: Core; rest: Iterator<Core>}[] = [];
    const go = (next: Core) => {
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
      if (this.sampled.length > 0) checkRuns(this);
      // Listeners and handlers may write: that is the next batch, and it may have to be recorded.
      if (this.#listeners.any) this.#record();
      else this.recorder = null;
      this.held.tell();
      if (trace !== null) this.#tell(trace);
    }
    this.#delivery.deliver();
    this.held.tell();
  }

  #tell(trace: BatchTrace): void {
    this.#listeners.tell(() => trace);
  }

  #listenerFailed(what: string, error: unknown): void {
    const message = `a listener of ${what}s threw: ${errorText(error)}; the others were told`;
    this.held.report('listener-failed', NOBODY, what, [], message, this.sequence, what !== 'violation');
    if (!this.#open) this.held.tell();
  }

  announced(core: Core): void {
    this.#delivery.announced(core);
  }

  becameSynced(core: Core): void {
    this.#delivery.becameSynced(core);
    this.recorder?.synced(core);
  }

  /** A read that no run records; inside a run that is a missed update in waiting. */
  untracked(core: Core): void {
    if (this.running !== null) this.running.bypassed(core);
  }

  /** `id` tells entries of one code and collection apart; mostly the first key does. */
  report(code: ViolationCode, core: Core, keys: string[], message: string, id = keys[0] ?? ''): void {
    this.held.report(code, core, id, keys, message, this.#open ? this.nextSequence : this.sequence);
    // In a batch nobody is told before it has settled: he might read half of it, or write into it.
    if (!this.#open) this.held.tell();
  }

  /** Every collection that something still refers to, the stopped ones among them. */
  everMade(): Iterable<Core> {
    const seen = new Set<Core>(this.cores);
    for (const core of seen) for (const upstream of core.upstreams()) seen.add(upstream);
    for (const ref of this.#stopped) {
      const core = ref.deref();
      if (core !== undefined) seen.add(core);
      else this.#stopped.delete(ref);
    }
    return seen;
  }

  /** Throws if the engine was stopped: what is made now would never hear of anything. */
  refuseStopped(name: string): void {
    if (!this.stopped) return;
    throw new EngineError('stopped', `"${name}" cannot be made: its engine was stopped; make another engine`);
  }

  adopt(core: Core): void {
    this.refuseStopped(core.name);
    this.cores.add(core);
    this.running?.created(core);
  }

  forget(core: Core): void {
    this.cores.delete(core);
    this.#owing.delete(core);
    this.#stopped.add(new WeakRef(core));
    if (this.#stopped.size > this.#stoppedLimit) this.#pruneStopped();
    this.held.clearCollection(core);
  }

  #pruneStopped(): void {
    for (const ref of this.#stopped) if (ref.deref() === undefined) this.#stopped.delete(ref);
    this.#stoppedLimit = 2 * this.#stopped.size + 64;
  }

  onTrace(listener: (trace: BatchTrace) => void): () => void {
    const unsubscribe = this.#listeners.add(listener);
    if (this.#open && !this.#settling && this.recorder === null) this.#record();
    return unsubscribe;
  }

  onViolation(listener: (violation: Violation) => void): () => void {
    return this.held.on(listener, error => this.#listenerFailed('violation', error));
  }

  stop(): void {
    if (this.stopped) return;
    this.write(() => {
      this.stopped = true;
      // Those first that hang on others: nobody is told of the end of what he is built on.
      for (const core of [...this.cores].sort((a, b) => b.level - a.level)) core.end();
      for (const watch of this.watches) watch.stop();
    });
    this.#listeners.clear();
    this.held.forget();
  }

  violations(): Violation[] {
    return this.held.list();
  }

  collections(): CollectionInfo[] {
    return [...this.cores].filter(core => !core.hidden).map(infoOf);
  }

  abstract dump(): DumpEntry[];
}

/** Where a violation belongs that is no collection's. */
const NOBODY = {name: '', uid: 0};

function asyncBatch(): EngineError {
  return new EngineError(
    'async-batch',
    'batch takes a function that writes before it returns, and got one that returned a promise: what it wrote so far has settled, what it writes later would be batches of their own; await first, then call batch',
  );
}
