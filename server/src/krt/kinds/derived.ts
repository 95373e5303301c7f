// Collections computed by a formula: their inputs, their runs and how a run ends. dependencies.ts keeps
// what the runs read, outputs.ts what they yield.

import type {CollectionKind, Options, RowState} from '../api/collection.ts';
import type {HandlerContext} from '../api/context.ts';
import {EQUAL as SAME} from '../api/equality.ts';
import {nextSample} from '../check/check.ts';
import type {Core} from '../graph/core.ts';
import {keepNodes} from '../graph/dependencies.ts';
import {Edges} from '../graph/edges.ts';
import type {EngineCore} from '../graph/engine.ts';
import {attach, detach, Row} from '../graph/row.ts';
import {FullScans} from '../query/full-scan.ts';
import {
  ACCEPTED,
  ADDED,
  CHANGED,
  DIRTY,
  Entry,
  EQUAL,
  FAILED,
  IN_PLACE,
  NEW,
  REMOVED,
  STALE,
  SUSPENDED,
  stateOf,
} from '../run/entry.ts';
import {InPlace, UNKNOWN} from '../run/in-place.ts';
import {Inputs} from '../run/inputs.ts';
import {Outputs} from '../run/outputs.ts';
import {OwnRows} from '../run/own-rows.ts';
import {outcomeOf, planResult} from '../run/result.ts';
import {RunContext, type Running} from '../run/run.ts';
import {endUnusual, endWait, letGo, removeInput} from '../run/run-end.ts';
import type {Recorder} from '../trace/recorder.ts';
import type {StatusRows} from './status.ts';

export type Formula = (ctx: HandlerContext, item: unknown) => unknown;

export class Derived extends Inputs {
  readonly kind: CollectionKind;
  formula: Formula;
  override readonly rows: OwnRows;
  readonly outputs = new Outputs(this);
  readonly scans = new FullScans(this);
  readonly edges = new Edges(this);
  runs = 0;
  failed = 0;
  /** Inputs whose run is suspended. */
  readonly suspended = new Set<Entry>();
  #status: StatusRows | null = null;
  /** In its first turn; runs that are suspended now hold its sync. */
  starting = false;
  holding = 0;
  /** What was in the row that again() gave last. */
  movedFrom: unknown = undefined;
  private readonly inPlace = new InPlace(this);
  #started = false;
  #startedBySync = false;
  readonly many: boolean;
  /** One item or none and no status: the result is its own plan. */
  private simple: boolean;
  private nextCheck: number;
  private readonly context = new RunContext(this);

  constructor(
    engine: EngineCore,
    parent: Core,
    formula: Formula,
    kind: CollectionKind,
    many: boolean,
    name: string,
    options: Options<unknown>,
  ) {
    super(engine, parent, name, options);
    this.kind = kind;
    this.formula = formula;
    this.many = many;
    this.rows = new OwnRows(this, many);
    this.simple = !many;
    this.nextCheck = nextSample(engine.checks, 0);
  }

  /** Joins the graph; its inputs run in this batch, or in the one in which the parent syncs. */
  begin(): this {
    this.engine.hold(() => {
      this.engine.adopt(this);
      if (!this.parent.stopped) this.parent.children.push(this);
      this.raise(this.parent.level + 1);
      this.engine.enqueue(this);
    });
    return this;
  }

  get status(): StatusRows | null {
    return this.#status;
  }

  set status(status: StatusRows | null) {
    this.#status = status;
    this.simple = status === null && !this.many;
  }

  /** In its first turn, and nobody wants to know what comes. */
  get unseen(): boolean {
    return this.starting && this.engine.recorder === null && this.handlers.length + this.indexes.length === 0;
  }

  parentSynced(): void {
    this.#startedBySync = true;
    this.engine.enqueue(this);
  }

  parentStopped(): void {}

  /** A new input, which has yet to run. */
  enter(row: Row): Entry {
    const entry = new Entry(this, row);
    attach(row, entry);
    return entry;
  }

  inputAdded(row: Row): void {
    if (!this.#started) return;
    const entry = this.enter(row);
    if (this.engine.recorder !== null) this.engine.recorder.inputCause(entry);
    this.enqueueEntry(entry);
  }

  inputChanged(entry: Entry, now: unknown): void {
    if (now === undefined) entry.flags |= REMOVED;
    else if (this.engine.recorder !== null) this.engine.recorder.inputCause(entry);
    if ((entry.flags & DIRTY) === 0) this.enqueueEntry(entry);
  }

  turn(): void {
    if (!this.#started) {
      if (!this.parent.synced) return;
      this.#start();
    }
    const {recorder} = this.engine;
    const {waiting} = this;
    for (let i = 0; i < this.waitingCount; i++) {
      const entry = waiting[i] as Entry;
      waiting[i] = undefined as unknown as Entry;
      entry.flags &= ~DIRTY;
      if ((entry.flags & REMOVED) !== 0) removeInput(this, entry);
      else if (recorder !== null) this.#runRecorded(entry, recorder);
      // The machine's compiler takes what it sees first for what is usual: first runs go their own way.
      else if ((entry.flags & NEW) !== 0) this.execute(entry);
      else this.#runAgain(entry);
    }
    if (this.waitingCount > 1024) this.waiting = [];
    this.waitingCount = 0;
    this.starting = false;
    this.flush();
    if (!this.synced && this.holding === 0) this.becomeSynced();
  }

  #start(): void {
    this.#started = true;
    this.starting = true;
    // It is having its turn: what it queues here is for now.
    this.queued = true;
    const {recorder} = this.engine;
    this.parent.rows.forEach(row => {
      if (row.value === undefined) return;
      const entry = this.enter(row);
      if (recorder === null) this.execute(entry);
      else this.#runFirst(entry, recorder);
    });
    this.queued = false;
  }

  #runFirst(entry: Entry, recorder: Recorder): void {
    const outer = recorder.current;
    recorder.startFirstRun(entry, this.#startedBySync);
    this.execute(entry);
    recorder.endRun(entry.outcome, this.context, outer);
  }

  #runAgain(entry: Entry): void {
    const row = this.again(entry);
    if (row === null || row.dirty) return;
    row.dirty = true;
    row.before = this.movedFrom;
    this.dirtyRows[this.dirtyCount++] = row;
  }

  #runRecorded(entry: Entry, recorder: Recorder): void {
    const outer = recorder.current;
    recorder.startRun(entry);
    if ((entry.flags & NEW) !== 0) this.execute(entry);
    else this.#runAgain(entry);
    recorder.endRun(entry.outcome, this.context, outer);
  }

  /** As again, for an input whose own change is all that makes it run. */
  againRecorded(entry: Entry, recorder: Recorder): Row | null {
    const outer = recorder.current;
    recorder.startInputRun(entry);
    const row = this.again(entry);
    recorder.endRun(entry.outcome, this.context, outer);
    return row;
  }

  /** Runs the formula for one input and commits what comes out; gives the outcome's place in OUTCOMES. */
  execute(entry: Entry): number {
    if ((entry.flags & SUSPENDED) !== 0) endWait(this, entry);
    const {engine} = this;
    const ctx = this.context;
    ctx.begin(entry);
    const outer = engine.running;
    engine.running = ctx;
    let value: unknown;
    let first = false;
    try {
      value = this.formula(ctx, entry.row.value);
      first = this.#isFirst(entry, value);
    } catch (error) {
      ctx.caught(error);
    }
    return first && !ctx.unusual ? this.#acceptFirst(entry, value, outer) : this.#plan(entry, value, outer);
  }

  /** Whether a result is an input's only row, and new, under the input's own key: nobody else can have that. */
  #isFirst(entry: Entry, value: unknown): boolean {
    if (entry.outputs !== null || entry.rare !== null || value === undefined || value === null) return false;
    if (!this.simple || !this.rows.own) return false;
    return this.keyOf(value) === entry.row.key;
  }

  #acceptFirst(entry: Entry, value: unknown, outer: Running | null): number {
    const {engine, context} = this;
    engine.running = outer;
    engine.changed = true;
    if (!context.end()) keepNodes(entry, context.nodes());
    if (++this.runs === this.nextCheck) this.sample(entry);
    entry.owner = entry;
    entry.value = value;
    entry.outputs = entry;
    this.rows.added();
    entry.accept(ADDED);
    entry.flags |= IN_PLACE;
    if (engine.recorder !== null) engine.recorder.output(entry, 'added');
    // The first rows of a collection that nobody listens to need not be told as changes.
    if (!this.unseen) {
      entry.dirty = true;
      this.dirtyRows[this.dirtyCount++] = entry;
    }
    return ADDED;
  }

  /**
   * As execute: mostly a result takes the place of the last one, and then there is
   * nothing to plan, claim or count. Gives the row that the result changed, with what was there in
   * `movedFrom`, for the caller to announce; null if there is none, or if it is among the dirty rows.
   */
  again(entry: Entry): Row | null {
    if ((entry.flags & IN_PLACE) === 0 || this.outputs.watchful) {
      this.execute(entry);
      return null;
    }
    const row = entry.outputs as Row;
    const old = row.value;
    const {engine} = this;
    const ctx = this.context;
    ctx.begin(entry);
    const outer = engine.running;
    engine.running = ctx;
    let value: unknown;
    let difference = UNKNOWN;
    try {
      value = this.formula(ctx, entry.row.value);
      if (value !== undefined && value !== null) difference = this.inPlace.compare(row, old, value);
    } catch (error) {
      ctx.caught(error);
    }
    if (difference === UNKNOWN || ctx.unusual) {
      this.#plan(entry, value, outer);
      return null;
    }
    engine.running = outer;
    engine.changed = true;
    if (!ctx.end()) keepNodes(entry, ctx.nodes());
    if (++this.runs === this.nextCheck) this.sample(entry);
    const {recorder} = engine;
    if (difference === SAME) {
      entry.accept(EQUAL);
      if (recorder !== null) recorder.equalOutput(row);
      return null;
    }
    entry.accept(CHANGED);
    if (recorder !== null) recorder.output(row, 'changed');
    row.value = value;
    this.movedFrom = old;
    return row;
  }

  // What it calls may still be the user's: keys and equality.
  #plan(entry: Entry, value: unknown, outer: Running | null): number {
    const {engine} = this;
    const ctx = this.context;
    let status: unknown;
    try {
      if (!ctx.failed && ctx.suspendedOn === null) status = planResult(this, entry, value, ctx);
    } catch (error) {
      ctx.caught(error);
    }
    engine.running = outer;
    engine.changed = true;
    ctx.entry = null;
    if (++this.runs === this.nextCheck) this.sample(entry);
    return this.#end(entry, status);
  }

  #end(entry: Entry, status: unknown): number {
    const ctx = this.context;
    const before = entry.outcomePlace;
    const outcome =
      ctx.unusual || entry.rare !== null ? endUnusual(this, entry, ctx, status) : this.accept(entry, status);
    entry.setOutcome(outcome);
    if (before === FAILED) this.failed--;
    if (outcome === FAILED) this.failed++;
    if (this.simple && entry.rare === null && entry.outputs instanceof Row) entry.flags |= IN_PLACE;
    else entry.flags &= ~IN_PLACE;
    return outcome;
  }

  private sample(entry: Entry): void {
    this.nextCheck = nextSample(this.engine.checks, this.runs);
    this.engine.sampled.push(entry);
  }

  /** Makes the planned result the rows of this input, and its fetches the dependencies. */
  accept(entry: Entry, status: unknown): number {
    const {outputs} = this;
    const nodes = this.context.nodes();
    if (nodes !== entry.nodes) keepNodes(entry, nodes);
    const had = entry.outputs !== null;
    const single = outputs.commit(entry, this.engine.recorder);
    entry.flags = (entry.flags & ~(STALE | NEW)) | ACCEPTED;
    if (this.#status !== null) this.#status.put(entry.row, status);
    return single >= 0 ? single : outcomeOf(outputs, had);
  }

  detach(entry: Entry): void {
    detach(entry.row, entry);
  }

  *upstreams(): Iterable<Core> {
    yield this.parent;
    yield* this.edges.collections();
  }

  replaceFormula(formula: Formula): void {
    if (this.stopped) return;
    this.engine.write(() => {
      this.formula = formula;
      for (const entry of this.entries()) {
        if (this.engine.recorder !== null) this.engine.recorder.formulaCause(entry);
        entry.mark();
      }
      this.engine.enqueue(this);
    });
  }

  /** What it waits for, if it is not synced or an input is suspended. */
  get waitingFor(): string | undefined {
    if (!this.#started) return this.synced ? undefined : this.parent.name;
    for (const entry of this.suspended) return entry.rare?.waitingFor?.name;
    return undefined;
  }

  rowState(key: string): RowState | undefined {
    const entry = this.rows.get(key)?.owner ?? this.entry(key);
    return entry === undefined ? undefined : {...stateOf(entry), key};
  }

  protected withdraw(): void {
    // Its rows stay readable, its inputs go.
    this.rows.file();
    for (const entry of [...this.entries()]) letGo(this, entry);
    for (let i = 0; i < this.waitingCount; i++) letGo(this, this.waiting[i] as Entry);
    this.waiting = [];
    this.waitingCount = 0;
    this.parent.children = this.parent.children.filter(child => child !== this);
    this.#status?.end();
  }
}
