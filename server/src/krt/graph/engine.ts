// The engine's face and register: which collections there are, what has been made of them, which promises are broken.
// batch.ts settles what is written.

import type {Clock} from '../api/clock.ts';
import type {DumpEntry} from '../api/dump.ts';
import {EngineError} from '../api/error.ts';
import {type CollectionInfo, infoOf} from '../api/info.ts';
import {checkRuns} from '../check/check.ts';
import type {Violation, ViolationCode} from '../check/violation.ts';
import type {FileReader} from '../kinds/file.ts';
import type {BatchTrace} from '../trace/trace.ts';
import {Batches} from './batch.ts';
import type {Core} from './core.ts';

export interface EngineOptions {
  /** Without one, every time and duration is 0. */
  clock?: Clock;
  reader?: FileReader;
  /** How much the costly checks look at: nothing, a sample (the default), every run. */
  checks?: 'off' | 'sample' | 'all';
  /** The first batch gets the number after this one. */
  firstSequence?: number;
  /**
   * How many runs a batch makes for collections that are not synced yet, 1 or more; the rest is left to `proceed`. All
   * of them if absent.
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

export function engineCore(engine: Engine): EngineCore {
  if (engine instanceof EngineCore) return engine;
  throw new EngineError('wiring', 'expected an engine made by createEngine');
}

function firstSequenceOf(options: EngineOptions): number {
  const firstSequence = options.firstSequence ?? 0;
  if (Number.isSafeInteger(firstSequence) && firstSequence >= 0) return firstSequence;
  throw wrongOption('firstSequence', 'the number of a batch, 0 or more');
}

// With no run a batch it would never end.
function firstRunsOf(options: EngineOptions): number {
  const firstRuns = options.firstRuns ?? Number.POSITIVE_INFINITY;
  if (typeof firstRuns === 'number' && firstRuns >= 1) return firstRuns;
  throw wrongOption('firstRuns', 'a number of runs, 1 or more; leave it out for all at once');
}

function checksOf({checks = 'sample'}: EngineOptions): 'off' | 'sample' | 'all' {
  if (checks === 'off' || checks === 'sample' || checks === 'all') return checks;
  throw wrongOption('checks', "'off', 'sample' or 'all'");
}

function wrongOption(option: string, wanted: string): EngineError {
  return new EngineError('wiring', `createEngine: the option ${option} must be ${wanted}`);
}

export abstract class EngineCore extends Batches implements Engine {
  readonly reader: FileReader | null;
  readonly checks: 'off' | 'sample' | 'all';
  /** Nothing can be made any more. */
  stopped = false;
  /** What watches something outside, and has to let go of it when the engine stops. */
  readonly watches = new Set<{stop(): void}>();
  readonly cores = new Set<Core>();
  /** Collections that leave something out for a cycle, or have inputs that failed for one. */
  readonly circular = new Set<Core>();
  links = 0;
  #uid = 1;
  #indexUid = 0;
  #handlers = 0;
  readonly #stopped = new Set<WeakRef<Core>>();
  #stoppedLimit = 64;

  constructor(options: EngineOptions) {
    super(options.clock ?? null, firstSequenceOf(options), firstRunsOf(options));
    this.reader = options.reader ?? null;
    this.checks = checksOf(options);
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

  /** A read that no run records; inside a run that is a missed update in waiting. */
  untracked(core: Core): void {
    if (this.running !== null) this.running.bypassed(core);
  }

  /** `id` tells entries of one code and collection apart; mostly the first key does. */
  report(code: ViolationCode, core: Core, keys: string[], message: string, id = keys[0] ?? ''): void {
    this.held.report(code, core, id, keys, message, this.open ? this.nextSequence : this.sequence);
    // In a batch nobody is told before it has settled, nor while user code is under way: he might read half of it, or write
    // into it.
    if (!this.open && this.running === null) this.held.tell();
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
    this.owes(core, false);
    this.edgeGone();
    this.#stopped.add(new WeakRef(core));
    if (this.#stopped.size > this.#stoppedLimit) this.#pruneStopped();
    this.held.clearCollection(core);
  }

  /** Somebody reads a collection no longer, or is gone: what was a cycle may be none. */
  edgeGone(): void {
    for (const core of this.circular) this.enqueueNext(core);
  }

  #pruneStopped(): void {
    for (const ref of this.#stopped) if (ref.deref() === undefined) this.#stopped.delete(ref);
    this.#stoppedLimit = 2 * this.#stopped.size + 64;
  }

  onViolation(listener: (violation: Violation) => void): () => void {
    return this.held.on(
      listener,
      error => this.listenerFailed('violation', error),
      () => this.listenerHealed('violation'),
    );
  }

  stop(): void {
    if (this.stopped) return;
    try {
      this.write(() => {
        this.stopped = true;
        // Those first that hang on others: nobody is told of the end of what he is built on.
        for (const core of [...this.cores].sort((a, b) => b.level - a.level)) core.end();
        for (const watch of this.watches) watch.stop();
      });
    } finally {
      if (this.stopped) this.forgetListeners();
    }
  }

  violations(): Violation[] {
    return this.held.list();
  }

  collections(): CollectionInfo[] {
    return [...this.cores].filter(core => !core.hidden).map(infoOf);
  }

  protected checkRuns(): void {
    checkRuns(this);
  }

  abstract dump(): DumpEntry[];
}
