// Collections computed by a formula: their inputs, their runs and how a run ends. dependencies.ts keeps
// what the runs read, outputs.ts what they yield.

import {nextSample} from './check.ts';
import type {CollectionKind, Options, RowState} from './collection.ts';
import type {HandlerContext} from './context.ts';
import {Core} from './core.ts';
import {keepNodes, refuseCycle} from './dependencies.ts';
import type {EngineCore} from './engine.ts';
import {
  ACCEPTED,
  CHANGED,
  DIRTY,
  Entry,
  EQUAL,
  FAILED,
  NEW,
  OUTCOMES,
  outputsOf,
  REMOVED,
  STALE,
  SUSPENDED,
} from './entry.ts';
import {DIFFERENT_MAYBE_NOT_IN_JSON, EQUAL as SAME} from './equality.ts';
import {FullScans} from './full-scan.ts';
import {GrowingRows} from './growing-rows.ts';
import {Outputs} from './outputs.ts';
import type {Recorder} from './recorder.ts';
import {outcomeOf, planResult} from './result.ts';
import {attach, detach, type Row} from './row.ts';
import {RunContext} from './run.ts';
import {endUnusual, endWait, letGo, removeInput} from './run-end.ts';
import type {StatusRows} from './status.ts';
import type {Outcome} from './trace.ts';

export type Formula = (ctx: HandlerContext, item: unknown) => unknown;

/** Neither equal nor different: the result has to be planned. */
const UNKNOWN = -1;

export class Derived extends Core {
  readonly kind: CollectionKind;
  readonly parent: Core;
  formula: Formula;
  override readonly rows = new GrowingRows();
  readonly outputs = new Outputs(this);
  readonly scans = new FullScans(this);
  /** Collections that some input fetches from, and by how many fetches. */
  readonly edges = new Map<Core, {fetches: number}>();
  runs = 0;
  failed = 0;
  /** Inputs whose run is suspended. */
  readonly suspended = new Set<Entry>();
  #status: StatusRows | null = null;
  /** In its first turn; runs that are suspended now hold its sync. */
  starting = false;
  holding = 0;
  /** It runs one input outside a turn: a row that changes in place is left in `moved`, for the caller to announce. */
  alone = false;
  moved: Row | null = null;
  movedFrom: unknown = undefined;
  #started = false;
  #startedBySync = false;
  #dirty: Entry[] = [];
  #dirtyCount = 0;
  readonly many: boolean;
  /** One item or none and no status: the result is its own plan. */
  #simple: boolean;
  #nextCheck: number;
  readonly #context = new RunContext(this);

  constructor(
    engine: EngineCore,
    parent: Core,
    formula: Formula,
    kind: CollectionKind,
    many: boolean,
    name: string,
    options: Options<unknown>,
  ) {
    super(engine, name, options);
    this.kind = kind;
    this.parent = parent;
    this.formula = formula;
    this.many = many;
    this.#simple = !many;
    this.#nextCheck = nextSample(engine.checks, 0);
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
    this.#simple = status === null && !this.many;
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

  inputAdded(row: Row): void {
    if (!this.#started) return;
    const entry = new Entry(this, row);
    attach(row, entry);
    if (this.engine.recorder !== null) this.engine.recorder.inputCause(entry);
    this.enqueueEntry(entry);
  }

  inputChanged(entry: Entry, now: unknown): void {
    if (now === undefined) entry.flags |= REMOVED;
    else if (this.engine.recorder !== null) this.engine.recorder.inputCause(entry);
    if ((entry.flags & DIRTY) === 0) this.enqueueEntry(entry);
  }

  enqueueEntry(entry: Entry): void {
    entry.flags |= DIRTY;
    this.#dirty[this.#dirtyCount++] = entry;
    if (!this.queued) this.engine.enqueue(this);
  }

  turn(): void {
    if (!this.#started) {
      if (!this.parent.synced) return;
      this.#start();
    }
    const dirty = this.#dirty;
    for (let i = 0; i < this.#dirtyCount; i++) {
      const entry = dirty[i] as Entry;
      dirty[i] = undefined as unknown as Entry;
      entry.flags &= ~DIRTY;
      if ((entry.flags & REMOVED) !== 0) removeInput(this, entry);
      else this.#run(entry);
    }
    if (this.#dirtyCount > 1024) this.#dirty = [];
    this.#dirtyCount = 0;
    this.starting = false;
    this.flush();
    if (!this.synced && this.holding === 0) this.becomeSynced();
  }

  #start(): void {
    this.#started = true;
    this.starting = true;
    // It is having its turn: what it queues here is for now.
    this.queued = true;
    const recorder = this.engine.recorder;
    for (const row of this.parent.rows.values()) {
      if (row.value === undefined) continue;
      const entry = new Entry(this, row);
      attach(row, entry);
      if (recorder !== null) {
        if (this.#startedBySync) recorder.syncCause(entry, this.parent);
        else recorder.formulaCause(entry);
      }
      this.enqueueEntry(entry);
    }
    this.queued = false;
  }

  #run(entry: Entry): void {
    const {recorder} = this.engine;
    if (recorder === null) this.execute(entry);
    else this.#runRecorded(entry, recorder);
  }

  #runRecorded(entry: Entry, recorder: Recorder): void {
    const outer = recorder.current;
    recorder.startRun(entry);
    const outcome = this.execute(entry);
    const ctx = this.#context;
    const error = ctx.failed ? ctx.error : undefined;
    recorder.endRun(OUTCOMES[outcome] as Outcome, error, ctx.suspendedOn);
    recorder.current = outer;
  }

  /** Runs the formula for one input and commits what comes out; gives the outcome's place in OUTCOMES. */
  execute(entry: Entry): number {
    const {engine} = this;
    if ((entry.flags & SUSPENDED) !== 0) endWait(this, entry);
    const ctx = this.#context;
    ctx.begin(entry);
    const outer = engine.running;
    engine.running = ctx;
    let status: unknown;
    let value: unknown;
    let difference = UNKNOWN;
    try {
      value = this.formula(ctx, entry.row.value);
      if (this.#simple && entry.rare === null && !ctx.unusual)
        difference = this.#compareInPlace(entry, value);
      if (difference === UNKNOWN) status = planResult(this, entry, value, ctx);
    } catch (error) {
      ctx.caught(error);
    }
    engine.running = outer;
    engine.changed = true;
    ctx.entry = null;
    if (++this.runs === this.#nextCheck) this.#sample(entry);
    return difference === UNKNOWN || ctx.unusual
      ? this.#end(entry, status)
      : this.#endInPlace(entry, difference, value);
  }

  // Mostly a result takes the place of the last one. Then there is nothing to plan, claim or count.
  #compareInPlace(entry: Entry, value: unknown): number {
    const row = entry.outputs;
    if (row === null || value === undefined || value === null || Array.isArray(row)) return UNKNOWN;
    if (row.owner !== entry || this.engine.recorder !== null || this.outputs.watchful) return UNKNOWN;
    const difference = this.compare(row.value, value);
    if (difference === DIFFERENT_MAYBE_NOT_IN_JSON) return UNKNOWN;
    // Equal by structure is equal in what the key is made from.
    if (difference === SAME && this.plainEquality && (value as {equals?: unknown}).equals === undefined)
      return SAME;
    return row.key === this.keyOf(value) ? difference : UNKNOWN;
  }

  #endInPlace(entry: Entry, difference: number, value: unknown): number {
    const nodes = this.#context.nodes();
    if (nodes !== entry.nodes) keepNodes(entry, nodes);
    if (difference === SAME) {
      entry.accept(EQUAL);
      return EQUAL;
    }
    entry.accept(CHANGED);
    const row = entry.outputs as Row;
    if (this.alone) {
      this.moved = row;
      this.movedFrom = row.value;
    } else this.touch(row);
    row.value = value;
    return CHANGED;
  }

  #end(entry: Entry, status: unknown): number {
    const ctx = this.#context;
    const before = entry.outcomePlace;
    const outcome =
      ctx.unusual || entry.rare !== null ? endUnusual(this, entry, ctx, status) : this.accept(entry, status);
    entry.setOutcome(outcome);
    if (before === FAILED) this.failed--;
    if (outcome === FAILED) this.failed++;
    return outcome;
  }

  #sample(entry: Entry): void {
    this.#nextCheck = nextSample(this.engine.checks, this.runs);
    this.engine.sampled.push(entry);
  }

  /** Makes the planned result the rows of this input, and its fetches the dependencies. */
  accept(entry: Entry, status: unknown): number {
    const {outputs} = this;
    const nodes = this.#context.nodes();
    if (nodes !== entry.nodes) keepNodes(entry, nodes);
    const had = entry.outputs !== null;
    const single = outputs.commit(entry, this.engine.recorder);
    entry.flags = (entry.flags & ~(STALE | NEW)) | ACCEPTED;
    if (this.#status !== null) this.#status.put(entry.row, status);
    return single >= 0 ? single : outcomeOf(outputs, had);
  }

  /** Counts one more fetch from `core`; the first one may settle it, or throw because it closes a cycle. */
  hold(core: Core): void {
    const edge = this.edges.get(core);
    if (edge !== undefined) {
      edge.fetches++;
      return;
    }
    refuseCycle(this, core);
    this.edges.set(core, {fetches: 1});
    core.readers.add(this);
    this.raise(core.level + 1);
    this.engine.settleFirst(core);
  }

  release(core: Core): void {
    const edge = this.edges.get(core);
    if (edge === undefined || --edge.fetches > 0) return;
    this.edges.delete(core);
    core.readers.delete(this);
  }

  detach(entry: Entry): void {
    detach(entry.row, entry);
  }

  *upstreams(): Iterable<Core> {
    yield this.parent;
    yield* this.edges.keys();
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

  *entries(): Iterable<Entry> {
    for (const row of this.parent.rows.values()) {
      const entry = this.#entryOn(row);
      if (entry !== undefined) yield entry;
    }
  }

  entry(key: string): Entry | undefined {
    const row = this.parent.rows.get(key);
    return row === undefined ? undefined : this.#entryOn(row);
  }

  #entryOn(row: Row): Entry | undefined {
    const attached = row.attached;
    if (Array.isArray(attached)) return attached.find(entry => entry.collection === this);
    return attached !== null && attached.collection === this ? attached : undefined;
  }

  outputKeys(entry: Entry): string[] {
    return outputsOf(entry).map(row => row.key);
  }

  contested(entry: Entry): boolean {
    return outputsOf(entry).some(row => this.outputs.claimants(row.key).length > 0);
  }

  /** What it waits for, if it is not synced or an input is suspended. */
  get waitingFor(): string | undefined {
    if (!this.#started) return this.synced ? undefined : this.parent.name;
    for (const entry of this.suspended) return entry.rare?.waitingFor?.name;
    return undefined;
  }

  rowState(key: string): RowState | undefined {
    const entry = this.rows.get(key)?.owner ?? this.entry(key);
    return entry === undefined ? undefined : {...this.stateOf(entry), key};
  }

  stateOf(entry: Entry): RowState {
    const state: RowState = {
      key: entry.row.key,
      input: entry.row.key,
      stale: (entry.flags & STALE) !== 0,
      outcome: entry.outcome,
    };
    const {rare} = entry;
    if (rare?.waitingFor) state.waitingFor = rare.waitingFor.name;
    if (rare?.error !== undefined)
      state.error = rare.error instanceof Error ? rare.error.message : String(rare.error);
    return state;
  }

  protected withdraw(): void {
    for (const entry of [...this.entries()]) letGo(this, entry);
    for (let i = 0; i < this.#dirtyCount; i++) letGo(this, this.#dirty[i] as Entry);
    this.#dirty = [];
    this.#dirtyCount = 0;
    this.parent.children = this.parent.children.filter(child => child !== this);
    this.#status?.end();
  }
}
