// The engine's side of a formula that runs in a process of its own. Sends that process the rows that the formula reads,
// and makes its results the rows of the collection. Until a result is there, the collection keeps its earlier rows.
import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import {FormulaFailure} from '../../../formula/sandbox/formula-failure.ts';
import type {FormulaRowKeys} from '../../../formula/sandbox/row-keys.ts';
import {
  type Cause,
  fetch,
  type HandlerContext,
  keyOf,
  rerunInputs,
  runningInputKey,
} from '../../../krt/index.ts';
import type {InstallableFormula} from '../../link/commands.ts';
import type {ReplayRows} from '../../link/host-messages.ts';
import type {
  FormulaCostReport,
  SlowLaneEvent,
  SlowLaneRequest,
  SlowReport,
} from '../../link/slow-lane-messages.ts';
import {type SlowFetchEnvironment, slowFilterOf} from './slow-filters.ts';
import {SlowOutbox} from './slow-outbox.ts';
import type {SlowFetch, SlowRun} from './slow-run.ts';

/** Milliseconds of results in one turn of the event loop, and results in one batch. */
const SLICE_MS = 12;
const SLICE_RUNS = 50;
/** The input of a formula without one. */
const NO_INPUT = '';

export interface SlowLaneHost extends SlowFetchEnvironment {
  send(request: SlowLaneRequest): void;
  /** Runs work that the event loop calls. */
  guard(work: () => void): void;
  /** Main keeps these rows for the next engine process: a replay of objects does not restore them. */
  keepRows(rows: ReplayRows[]): void;
  /** The progress or the costs have changed. */
  onProgress(): void;
}

interface SlowResult {
  readonly run: SlowRun;
  readonly rows: readonly unknown[];
  /** The engine has not taken it yet. */
  isNew: boolean;
}

/** An input whose rows are out of date. */
interface PendingInput {
  /** The round of changes that woke it. */
  round: number;
  readonly since: number;
}

export interface SlowLaneProgress {
  readonly done: number;
  readonly total: number;
  /** When the oldest pending input was woken, milliseconds since 1970. */
  readonly since: number;
}

export class SlowLane {
  readonly id: number;
  readonly #order: InstallableFormula;
  readonly #host: SlowLaneHost;
  readonly #keys: () => FormulaRowKeys;
  readonly #outbox: SlowOutbox;
  readonly #results = new Map<string, SlowResult>();
  readonly #pending = new Map<string, PendingInput>();
  /** The most pending inputs since there were none, and the runs of the round under way. */
  #most = 0;
  #runs = 0;
  #reports: SlowReport[] = [];
  #applying = false;
  #stopped = false;
  cost: FormulaCostReport = {runs: 0, totalMs: 0, slowestMs: 0};

  constructor(id: number, order: InstallableFormula, keys: () => FormulaRowKeys, host: SlowLaneHost) {
    this.id = id;
    this.#order = order;
    this.#host = host;
    this.#keys = keys;
    this.#outbox = new SlowOutbox(order.reads, {
      collection: name => host.collection(name),
      send: message => host.send({type: 'slow-rows', lane: id, message}),
      guard: work => host.guard(work),
      onChanges: (name, changes) => this.#noteChanges(name, changes),
    });
  }

  /** Call it outside of batches: it reads all rows. */
  start(): void {
    if (this.#stopped) return;
    const {input} = this.#order;
    this.#host.send({type: 'slow-open', lane: this.id, formula: this.#order});
    this.#outbox.start();
    // The process computes every input once.
    for (const key of input === undefined ? [NO_INPUT] : this.#outbox.keys(input)) this.#markPending(key);
    this.#host.onProgress();
  }

  /** The run function of the collection: takes a new result, or keeps the rows and waits for one. */
  run(ctx: HandlerContext, item: unknown): unknown {
    const input = runningInputKey(ctx);
    const result = this.#results.get(input ?? this.#inputOf(item));
    if (input !== undefined && result?.isNew !== true) return this.#postpone(ctx, input);
    if (result === undefined) return ctx.discardResult();
    result.isNew = false;
    for (const one of result.run.fetches) this.#fetch(ctx, one);
    const {rows} = result;
    if (result.run.error !== undefined) throw new FormulaFailure(result.run.error);
    if (result.run.rows === undefined) return ctx.discardResult();
    return this.#order.kind === 'many' ? rows : rows[0];
  }

  /** Undefined if all rows are up to date. */
  get progress(): SlowLaneProgress | undefined {
    const left = this.#pending.size;
    if (left === 0) return undefined;
    const total = Math.max(this.#most, left);
    let since = Number.POSITIVE_INFINITY;
    for (const pending of this.#pending.values()) since = Math.min(since, pending.since);
    return {done: Math.min(total - 1, Math.max(total - left, this.#runs)), total, since};
  }

  take(event: SlowLaneEvent): void {
    if (this.#stopped) return;
    switch (event.type) {
      case 'slow-progress':
        this.#runs = event.runs;
        this.#host.onProgress();
        return;
      case 'slow-lost':
        this.#reports = [];
        this.#host.send({type: 'slow-open', lane: this.id, formula: this.#order});
        this.#outbox.restart();
        return;
      case 'slow-report':
        this.#reports.push(event);
        if (!this.#applying) this.#apply(event);
    }
  }

  /** A collection that it reads may have become synced. */
  noteSync(): void {
    this.#outbox.schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#outbox.stop();
    this.#host.send({type: 'slow-close', lane: this.id});
    const {name} = this.#order;
    this.#host.keepRows([...this.#results.keys()].map((input): ReplayRows => [name, input, null]));
  }

  #postpone(ctx: HandlerContext, input: string): undefined {
    this.#markPending(input);
    // A collection that is not synced suspends the run, as it does in the engine process.
    for (const name of this.#order.reads) {
      const read = this.#host.collection(name);
      if (read !== undefined && !read.hasSynced()) fetch(ctx, read);
    }
    ctx.discardResult();
  }

  #markPending(input: string): void {
    const round = this.#outbox.nextRound;
    const known = this.#pending.get(input);
    if (known !== undefined) known.round = round;
    else this.#pending.set(input, {round, since: performance.timeOrigin + performance.now()});
    this.#most = Math.max(this.#most, this.#pending.size);
    this.#outbox.schedule();
  }

  /** Repeats a fetch of the slow process, so that this collection depends on what the formula read. */
  #fetch(ctx: HandlerContext, {collection, clauses, keys}: SlowFetch): void {
    const read = this.#host.collection(collection);
    if (read === undefined) return;
    const filters = clauses.flatMap(clause => slowFilterOf(clause, read, keys, this.#host) ?? []);
    fetch(ctx, read, ...filters);
  }

  #inputOf(item: unknown): string {
    const input = this.#order.input === undefined ? undefined : this.#host.collection(this.#order.input);
    return input === undefined ? NO_INPUT : keyOf(item, input);
  }

  #noteChanges(name: string, changes: readonly {key: string; event: string}[]): void {
    if (name !== this.#order.input) return;
    const gone: ReplayRows[] = [];
    for (const {key, event} of changes) {
      if (event !== 'delete') continue;
      this.#pending.delete(key);
      if (this.#results.delete(key)) gone.push([this.#order.name, key, null]);
    }
    if (gone.length > 0) this.#host.keepRows(gone);
  }

  #apply(report: SlowReport): void {
    this.#applying = true;
    const runs = JSON.parse(report.runs) as SlowRun[];
    this.cost = report.cost;
    let next = 0;
    const slice = () =>
      this.#host.guard(() => {
        const end = performance.now() + SLICE_MS;
        while (!this.#stopped && next < runs.length && performance.now() < end) {
          this.#applyRuns(runs.slice(next, next + SLICE_RUNS), report.round);
          next += SLICE_RUNS;
        }
        if (this.#stopped) return;
        if (next < runs.length) setImmediate(slice);
        else this.#finish(report);
      });
    slice();
  }

  #applyRuns(runs: readonly SlowRun[], round: number): void {
    const collection = this.#host.collection(this.#order.name);
    if (collection === undefined) return;
    const causes = new Map<string, readonly Cause[]>();
    const kept: ReplayRows[] = [];
    for (const run of runs) {
      const rows = (run.rows ?? []).map(row => deepFreeze(row));
      for (const row of rows) this.#keys().adopt(row, run.input);
      this.#results.set(run.input, {run, rows, isNew: true});
      const pending = this.#pending.get(run.input);
      if (pending !== undefined && pending.round <= round) this.#pending.delete(run.input);
      causes.set(run.input, run.causes);
      if (run.rows !== undefined)
        kept.push([this.#order.name, run.input, rows.length === 0 ? null : JSON.stringify(rows)]);
    }
    rerunInputs(collection, causes);
    // Only now: the batch itself says that these inputs need no rows any more.
    this.#host.keepRows(kept);
  }

  #finish(report: SlowReport): void {
    this.#applying = false;
    this.#reports.shift();
    if (report.isSettled) {
      this.#runs = 0;
      for (const [input, {round}] of this.#pending) if (round <= report.round) this.#pending.delete(input);
      this.#outbox.settle(report.round);
    }
    if (this.#pending.size === 0) this.#most = 0;
    this.#host.onProgress();
    const [next] = this.#reports;
    if (next !== undefined) this.#apply(next);
  }
}
