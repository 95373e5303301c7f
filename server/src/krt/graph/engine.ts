// The engine's face and register: which collections there are, what has been made of them, which promises are broken.
// batch.ts settles what is written.

import type {Violation, ViolationCode} from '../trace/violation.ts';
import type {Clock} from '../values/clock.ts';
import type {DumpEntry} from '../values/dump-types.ts';
import {EngineError} from '../values/error.ts';
import type {FileReader} from '../values/file-reader.ts';
import type {CollectionInfo} from '../values/info-types.ts';
import type {BatchTrace} from '../values/trace.ts';
import {BatchProcessor, type ScheduledCollection} from './batch.ts';

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

export function engineCoreOf(engine: Engine): EngineCore {
  if (engine instanceof EngineCore) return engine;
  throw new EngineError('wiring', 'expected an engine made by createEngine');
}

function firstSequenceOf(options: EngineOptions): number {
  const firstSequence = options.firstSequence ?? 0;
  if (Number.isSafeInteger(firstSequence) && firstSequence >= 0) return firstSequence;
  throw wrongOptionError('firstSequence', 'the number of a batch, 0 or more');
}

// With no run a batch it would never end.
function firstRunsOf(options: EngineOptions): number {
  const firstRuns = options.firstRuns ?? Number.POSITIVE_INFINITY;
  if (typeof firstRuns === 'number' && firstRuns >= 1) return firstRuns;
  throw wrongOptionError('firstRuns', 'a number of runs, 1 or more; leave it out for all at once');
}

function checksOf({checks = 'sample'}: EngineOptions): 'off' | 'sample' | 'all' {
  if (checks === 'off' || checks === 'sample' || checks === 'all') return checks;
  throw wrongOptionError('checks', "'off', 'sample' or 'all'");
}

function wrongOptionError(option: string, wanted: string): EngineError {
  return new EngineError('wiring', `createEngine: the option ${option} must be ${wanted}`);
}

export abstract class EngineCore extends BatchProcessor implements Engine {
  readonly reader: FileReader | null;
  readonly checks: 'off' | 'sample' | 'all';
  /** Nothing can be made any more. */
  stopped = false;
  /** What watches something outside, and has to let go of it when the engine stops. */
  readonly watches = new Set<{stop(): void}>();
  readonly cores = new Set<ScheduledCollection>();
  /** Collections that leave something out for a cycle, or have inputs that failed for one. */
  readonly circular = new Set<ScheduledCollection>();
  links = 0;
  #uid = 1;
  #indexUid = 0;
  #handlers = 0;
  readonly #stopped = new Set<WeakRef<ScheduledCollection>>();
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
  noteUntrackedRead(core: {readonly name: string}): void {
    if (this.running !== null) this.running.bypassed(core);
  }

  /** `id` tells entries of one code and collection apart; mostly the first key does. */
  report(
    code: ViolationCode,
    core: {readonly name: string; readonly uid: number},
    keys: string[],
    message: string,
    id = keys[0] ?? '',
  ): void {
    this.violationStore.report(code, core, id, keys, message, this.open ? this.nextSequence : this.sequence);
    // In a batch nobody is told before it has settled, nor while user code is under way: he might read half of it, or write
    // into it.
    if (!this.open && this.running === null) this.violationStore.tell();
  }

  /** Every collection that something still refers to, the stopped ones among them. */
  allCollections(): Iterable<ScheduledCollection> {
    const seen = new Set<ScheduledCollection>(this.cores);
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

  addCollection(core: ScheduledCollection): void {
    this.refuseStopped(core.name);
    this.cores.add(core);
    this.running?.created(core);
  }

  removeCollection(core: ScheduledCollection): void {
    this.cores.delete(core);
    this.setOwesFirstRuns(core, false);
    this.recheckCycles();
    this.#stopped.add(new WeakRef(core));
    if (this.#stopped.size > this.#stoppedLimit) this.#pruneStopped();
    this.violationStore.clearCollection(core);
  }

  /** Somebody reads a collection no longer, or is gone: what was a cycle may be none. */
  recheckCycles(): void {
    for (const core of this.circular) this.enqueueNext(core);
  }

  #pruneStopped(): void {
    for (const ref of this.#stopped) if (ref.deref() === undefined) this.#stopped.delete(ref);
    this.#stoppedLimit = 2 * this.#stopped.size + 64;
  }

  onViolation(listener: (violation: Violation) => void): () => void {
    return this.violationStore.on(
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
    return this.violationStore.list();
  }

  abstract collections(): CollectionInfo[];
  abstract dump(): DumpEntry[];
}
