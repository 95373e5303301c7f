// The engine: opens and settles batches, in topological order, and tells everyone once they have settled.

import type {Clock} from '../api/clock.ts';
import type {DumpEntry} from '../api/dump.ts';
import {EngineError} from '../api/error.ts';
import {type CollectionInfo, infoOf} from '../api/info.ts';
import {checkRuns} from '../check/check.ts';
import {type Violation, type ViolationCode, Violations} from '../check/violation.ts';
import type {FileReader} from '../kinds/file.ts';
import type {Entry} from '../run/entry.ts';
import type {Running} from '../run/run.ts';
import {Recorder} from '../trace/recorder.ts';
import type {BatchTrace} from '../trace/trace.ts';
import type {Core} from './core.ts';
import {Delivery} from './delivery.ts';
import {callSafely} from './listener.ts';

export interface EngineOptions {
  /** Without one, every time and duration is 0. */
  clock?: Clock;
  reader?: FileReader;
  /** How much the costly checks look at: nothing, a sample (the default), every run. */
  checks?: 'off' | 'sample' | 'all';
  /** The first batch gets the number after this one. */
  firstSequence?: number;
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
  readonly cores = new Set<Core>();
  /** Non-null only while a batch is open and somebody listens. */
  recorder: Recorder | null = null;
  /** The run, map or merge that is under way; reads that bypass it are violations. */
  running: Running | null = null;
  /** The open batch has something to tell. */
  changed = false;
  /** Runs of this batch that the costly checks repeat. */
  sampled: Entry[] = [];
  links = 0;
  sequence: number;
  nextSequence: number;
  #uid = 1;
  #indexUid = 0;
  open = false;
  private settling = false;
  private listeners: ((trace: BatchTrace) => void)[] = [];
  readonly delivery = new Delivery();
  readonly #spare = new Recorder();
  #queue: Core[][] = [];
  #counts: number[] = [];
  #low = 0;
  pending = 0;
  #visit = 0;
  readonly #stopped = new Set<WeakRef<Core>>();
  #stoppedLimit = 64;

  constructor(options: EngineOptions) {
    this.clock = options.clock ?? null;
    this.reader = options.reader ?? null;
    this.checks = options.checks ?? 'sample';
    this.sequence = options.firstSequence ?? 0;
    this.nextSequence = this.sequence + 1;
  }

  nextUid(): number {
    return ++this.#uid;
  }

  nextIndexUid(): number {
    return ++this.#indexUid;
  }

  now(): number {
    return this.clock === null ? 0 : this.clock.now();
  }

  batch<R>(f: () => R): R {
    return this.write(f);
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
    if (this.open) return true;
    this.open = true;
    if (this.listeners.length > 0) this.#record();
    return false;
  }

  /** Opens a batch of one write that is settled as it is made. */
  openForOne(): Recorder | null {
    this.open = true;
    this.changed = true;
    if (this.listeners.length === 0) return null;
    this.#record();
    this.recorder?.received();
    this.recorder?.settling();
    return this.recorder;
  }

  #record(): void {
    this.recorder = this.#spare;
    this.recorder.begin(this);
  }

  leave(outer: boolean): void {
    if (!outer) this.settleAll();
  }

  #refuse(running: Running): never {
    throw new EngineError(
      'write-in-formula',
      `${running}: a formula must not write; return the value, or write from a handler`,
    );
  }

  /** Runs `f` so that what it writes becomes one batch after it; allowed inside a formula too. */
  hold(f: () => void): void {
    if (this.running !== null || this.open) {
      f();
      return;
    }
    this.write(f);
  }

  /** No batch and no run: a single write may take the short way. */
  get idle(): boolean {
    return !this.open && this.running === null;
  }

  get heard(): boolean {
    return this.listeners.length > 0;
  }

  /** Settles what the open batch wrote, tells of it, and so on as long as handlers write; then closes it. */
  settleAll(): void {
    try {
      do {
        if (this.pending > 0 || this.recorder !== null) this.#settle();
        if (this.changed) this.#conclude();
        else this.delivery.releaseSynced();
      } while (this.pending > 0);
    } finally {
      this.open = false;
      this.recorder = null;
    }
  }

  #settle(): void {
    this.settling = true;
    this.recorder?.settling();
    const queue = this.#queue;
    const counts = this.#counts;
    while (this.pending > 0) {
      let level = this.#low;
      while ((counts[level] as number) === 0) level++;
      this.#low = level;
      const at = (counts[level] as number) - 1;
      const core = (queue[level] as Core[])[at] as Core;
      counts[level] = at;
      this.pending--;
      if (!core.queued) continue;
      core.queued = false;
      // Its level was raised while it waited.
      if (core.level !== level) this.enqueue(core);
      else this.#turn(core);
    }
    this.settling = false;
  }

  #turn(core: Core): void {
    if (core.stopped) return;
    core.busy = true;
    core.turn();
    core.busy = false;
  }

  enqueue(core: Core): void {
    if (core.queued) return;
    core.queued = true;
    const level = core.level;
    while (this.#counts.length <= level) {
      this.#counts.push(0);
      this.#queue.push([]);
    }
    const at = this.#counts[level] as number;
    (this.#queue[level] as Core[])[at] = core;
    this.#counts[level] = at + 1;
    if (this.pending++ === 0 && this.recorder !== null && !this.settling) this.recorder.received();
    if (level < this.#low) this.#low = level;
  }

  /** Settles a collection, and what it needs, before its turn: a formula has just begun to read it. */
  settleFirst(core: Core): void {
    if (this.pending === 0) return;
    this.#visit++;
    this.#settleUp(core, this.#visit);
  }

  #settleUp(core: Core, visit: number): void {
    if (core.visit === visit || core.busy) return;
    core.visit = visit;
    for (const upstream of core.upstreams()) this.#settleUp(upstream, visit);
    while (core.queued) {
      core.queued = false;
      this.#turn(core);
      // A nested join learns its members in its first turn and asks for another: they come before that.
      if (core.queued) for (const upstream of core.upstreams()) this.#settleUp(upstream, visit);
    }
  }

  #conclude(): void {
    this.changed = false;
    this.sequence = this.nextSequence++;
    const recorder = this.recorder;
    const trace = recorder === null ? null : recorder.end(this.sequence);
    if (this.sampled.length > 0) checkRuns(this);
    if (trace !== null) this.#tell(trace);
    // Handlers may write: that is the next batch, and it may have to be recorded.
    if (this.listeners.length > 0) this.#record();
    else this.recorder = null;
    this.delivery.deliver();
  }

  #tell(trace: BatchTrace): void {
    const listeners = this.listeners;
    for (let i = 0; i < listeners.length; i++) callSafely(listeners[i] as (typeof listeners)[0], trace);
  }

  announced(core: Core): void {
    this.delivery.announced(core);
  }

  becameSynced(core: Core): void {
    this.delivery.becameSynced(core);
    this.recorder?.synced(core);
  }

  /** A read that no run records; inside a run that is a missed update in waiting. */
  untracked(core: Core): void {
    if (this.running !== null) this.running.bypassed(core);
  }

  report(code: ViolationCode, core: Core, keys: string[], message: string): void {
    this.held.report(code, core, keys, message, this.open ? this.nextSequence : this.sequence);
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

  adopt(core: Core): void {
    this.cores.add(core);
    this.running?.created(core);
  }

  forget(core: Core): void {
    this.cores.delete(core);
    this.#stopped.add(new WeakRef(core));
    if (this.#stopped.size > this.#stoppedLimit) this.#pruneStopped();
    this.held.clearCollection(core);
  }

  #pruneStopped(): void {
    for (const ref of this.#stopped) if (ref.deref() === undefined) this.#stopped.delete(ref);
    this.#stoppedLimit = 2 * this.#stopped.size + 64;
  }

  onTrace(listener: (trace: BatchTrace) => void): () => void {
    const own = (trace: BatchTrace) => listener(trace);
    this.listeners = [...this.listeners, own];
    if (this.open && !this.settling && this.recorder === null) this.#record();
    return () => {
      this.listeners = this.listeners.filter(other => other !== own);
    };
  }

  onViolation(listener: (violation: Violation) => void): () => void {
    return this.held.on(listener);
  }

  violations(): Violation[] {
    return this.held.list();
  }

  collections(): CollectionInfo[] {
    return [...this.cores].filter(core => !core.hidden).map(infoOf);
  }

  abstract dump(): DumpEntry[];
}
