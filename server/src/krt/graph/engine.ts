// The engine: its collections, its violations, its public methods. batch.ts settles the writes.

import type {Violation, ViolationCode} from '../trace/violation.ts';
import type {Clock} from '../values/clock.ts';
import type {DumpEntry} from '../values/dump-types.ts';
import {EngineError} from '../values/error.ts';
import type {FileReader} from '../values/file-reader.ts';
import type {CollectionInfo} from '../values/info-types.ts';
import type {BatchTrace} from '../values/trace.ts';
import {BatchProcessor, type FirstRunsBudget} from './batch.ts';
import type {ScheduledCollection} from './scheduled-collection.ts';

export interface EngineOptions {
  /** Without one, every time and duration is 0. */
  clock?: Clock;
  reader?: FileReader;
  /** How many runs the costly checks repeat: none, a sample (the default), or all. */
  checks?: 'off' | 'sample' | 'all';
  /** The first batch gets the number after this one. */
  firstSequence?: number;
  /**
   * How many first runs a batch makes for collections that are not synced, 1 or more. `proceed` makes the
   * rest. Default: all.
   */
  firstRuns?: number;
  /** With `firstRuns`: how long a batch makes first runs, by the clock. It ends after the run that takes it there. */
  firstRunsMilliseconds?: number;
}

export interface Engine {
  /** Runs `f` and settles its writes as one batch, then throws what `f` threw. */
  batch<R>(f: () => R): R;
  onTrace(listener: (trace: BatchTrace) => void): () => void;
  onViolation(listener: (violation: Violation) => void): () => void;
  violations(): Violation[];
  collections(): CollectionInfo[];
  /** The debug document of upstream's own handler. */
  dump(): DumpEntry[];
  /** Stops every collection and removes every listener. Rows stay readable. A second call does nothing. */
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

// Without any run per batch it would never end.
function firstRunsOf(options: EngineOptions): FirstRunsBudget {
  const runs = options.firstRuns ?? Number.POSITIVE_INFINITY;
  const milliseconds = options.firstRunsMilliseconds;
  if (typeof runs !== 'number' || !(runs >= 1))
    throw wrongOptionError('firstRuns', 'a number of runs, 1 or more; leave it out for all at once');
  if (milliseconds !== undefined && (typeof milliseconds !== 'number' || !(milliseconds > 0)))
    throw wrongOptionError('firstRunsMilliseconds', 'a number above 0; leave it out for no limit');
  return {runs, milliseconds};
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
  /** No collections can be made any more. */
  stopped = false;
  /** Watches of files, which end with the engine. */
  readonly watches = new Set<{stop(): void}>();
  readonly cores = new Set<ScheduledCollection>();
  /** Collections with a member or an input that a cycle blocks. */
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

  /** A read without a fetch. Inside a run it means missed updates. */
  noteUntrackedRead(core: {readonly name: string}): void {
    if (this.running !== null) this.running.bypassed(core);
  }

  /** `id` separates entries of one code and collection; by default the first key. */
  report(
    code: ViolationCode,
    core: {readonly name: string; readonly uid: number},
    keys: string[],
    message: string,
    id = keys[0] ?? '',
  ): void {
    this.violationStore.report(code, core, id, keys, message, this.open ? this.nextSequence : this.sequence);
    // Listeners are called after the batch and outside user code, where they may read and write.
    if (!this.open && this.running === null) this.violationStore.tell();
  }

  /** All collections that are still referenced, including stopped ones. */
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

  /** Throws if the engine was stopped, because a new collection would get no updates. */
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

  /** An edge is gone, so a cycle may be resolved. */
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
        // Downstream collections first, so that they do not hear of the end of their upstreams.
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
