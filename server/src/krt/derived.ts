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
  ADDED,
  CHANGED,
  DIRTY,
  Entry,
  EQUAL,
  FAILED,
  IN_PLACE,
  NEW,
  outputsOf,
  REMOVED,
  STALE,
  SUSPENDED,
} from './entry.ts';
import {DIFFERENT, DIFFERENT_MAYBE_NOT_IN_JSON, differed, EQUAL as SAME} from './equality.ts';
import {FullScans} from './full-scan.ts';
import {requiredKey} from './key.ts';
import {Outputs} from './outputs.ts';
import {OwnRows} from './own-rows.ts';
import type {Recorder} from './recorder.ts';
import {outcomeOf, planResult} from './result.ts';
import {attach, detach, Row} from './row.ts';
import {RunContext, type Running} from './run.ts';
import {endUnusual, endWait, letGo, removeInput} from './run-end.ts';
import type {StatusRows} from './status.ts';
import type {Run} from './trace.ts';

export type Formula = (ctx: HandlerContext, item: unknown) => unknown;

/** Neither equal nor different: the result has to be planned. */
const UNKNOWN = -1;

export class Derived extends Core {
  readonly kind: CollectionKind;
  readonly parent: Core;
  formula: Formula;
  override readonly rows: OwnRows;
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
  /** What was in the row that again() gave last. */
  movedFrom: unknown = undefined;
  /** The field by which the last result differed from the one before: the next one likely does too. */
  private differed = '';
  #started = false;
  #startedBySync = false;
  #dirty: Entry[] = [];
  #dirtyCount = 0;
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
    super(engine, name, options);
    this.kind = kind;
    this.parent = parent;
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
    const {recorder} = this.engine;
    const dirty = this.#dirty;
    for (let i = 0; i < this.#dirtyCount; i++) {
      const entry = dirty[i] as Entry;
      dirty[i] = undefined as unknown as Entry;
      entry.flags &= ~DIRTY;
      if ((entry.flags & REMOVED) !== 0) removeInput(this, entry);
      else if (recorder !== null) this.#runRecorded(entry, recorder);
      // The machine's compiler takes what it sees first for what is usual: first runs go their own way.
      else if ((entry.flags & NEW) !== 0) this.execute(entry);
      else this.#runAgain(entry);
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
    const {recorder} = this.engine;
    this.parent.rows.forEach(row => {
      if (row.value === undefined) return;
      const entry = this.enter(row);
      if (recorder === null) this.execute(entry);
      else this.#enqueueFirst(entry, recorder);
    });
    this.queued = false;
  }

  #enqueueFirst(entry: Entry, recorder: Recorder): void {
    if (this.#startedBySync) recorder.syncCause(entry, this.parent);
    else recorder.formulaCause(entry);
    this.enqueueEntry(entry);
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
    this.#endRecorded(entry, recorder, outer);
  }

  /** As again, for an input whose own change is all that makes it run. */
  againRecorded(entry: Entry, recorder: Recorder): Row | null {
    const outer = recorder.current;
    recorder.startInputRun(entry);
    const row = this.again(entry);
    this.#endRecorded(entry, recorder, outer);
    return row;
  }

  #endRecorded(entry: Entry, recorder: Recorder, outer: Run | null): void {
    const {failed, error, suspendedOn} = this.context;
    recorder.endRun(entry.outcome, failed ? error : undefined, suspendedOn);
    recorder.current = outer;
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
    if (engine.recorder !== null) engine.recorder.output(entry, 'added', undefined, value);
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
      if (value !== undefined && value !== null) difference = this.compareInPlace(row, old, value);
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
      if (recorder !== null) recorder.output(row, 'equal', old, value);
      return null;
    }
    entry.accept(CHANGED);
    if (recorder !== null) recorder.output(row, 'changed', old, value);
    row.value = value;
    this.movedFrom = old;
    return row;
  }

  private compareInPlace(row: Row, old: unknown, value: unknown): number {
    const difference = this.differsAgain(old, value) ? DIFFERENT : this.compareAll(old, value);
    if (difference === DIFFERENT_MAYBE_NOT_IN_JSON) return UNKNOWN;
    // Equal by structure is equal in what the key is made from.
    if (difference === SAME && this.plainEquality && (value as {equals?: unknown}).equals === undefined)
      return SAME;
    const key = this.keyOption === null ? requiredKey(value, this.name) : this.keyOption(value);
    return row.key === key ? difference : UNKNOWN;
  }

  // Plain objects only: in others a field that structure does not count may have the same name.
  private differsAgain(old: unknown, value: unknown): boolean {
    const field = this.differed;
    if (field === '' || (value as object).constructor !== Object) return false;
    const now = (value as Record<string, unknown>)[field];
    const before = (old as Record<string, unknown>)[field];
    if (typeof now !== 'string' || typeof before !== 'string' || now === before) return false;
    return (old as {equals?: unknown}).equals === undefined;
  }

  private compareAll(old: unknown, value: unknown): number {
    const difference = this.compare(old, value);
    if (difference === DIFFERENT && this.plainEquality) this.differed = differed;
    return difference;
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

  /** Every row there is, those among them that go in this batch. */
  *heldRows(): Iterable<Row> {
    for (let i = 0; i < this.dirtyCount; i++) yield this.dirtyRows[i] as Row;
    // The inputs that go in this turn are no longer among the parent's.
    for (let i = 0; i < this.#dirtyCount; i++) {
      const entry = this.#dirty[i];
      if (entry !== undefined) yield* outputsOf(entry);
    }
    for (const entry of this.entries()) yield* outputsOf(entry);
  }

  forEachEntry(f: (entry: Entry) => void): void {
    this.parent.rows.forEach(row => {
      const entry = this.#entryOn(row);
      if (entry !== undefined) f(entry);
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
    // Its rows stay readable, its inputs go.
    this.rows.file();
    for (const entry of [...this.entries()]) letGo(this, entry);
    for (let i = 0; i < this.#dirtyCount; i++) letGo(this, this.#dirty[i] as Entry);
    this.#dirty = [];
    this.#dirtyCount = 0;
    this.parent.children = this.parent.children.filter(child => child !== this);
    this.#status?.end();
  }
}
