// Derived collections: when their inputs run, and the run itself (begin, call, plan, end). See
// dependencies.ts for reads, formula-outputs.ts for rows and run-end.ts for outcomes.

import type {PlannedRow} from '../containers/planned-row.ts';
import {attachInput, type Row, removeFromList} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {CollectionKind, Options, RowState} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {EQUAL} from '../values/equality.ts';
import {silenceRejections} from '../values/thenable.ts';
import type {Cause, Run} from '../values/trace.ts';
import {Backlog} from './backlog.ts';
import {dependsOn} from './cycles.ts';
import {replaceDependencies} from './dependencies.ts';
import {FormulaInputs} from './formula-inputs.ts';
import {planResult, refuseAsync} from './formula-result.ts';
import {InputEntry, stateOf} from './input-entry.ts';
import {FormulaRunContext} from './run-context.ts';
import {
  abandon,
  accept,
  clearCheckViolations,
  endPostponement,
  endUnusualRun,
  endWait,
  postpone,
  removeInput,
  withdrawInput,
} from './run-end.ts';
import {nextSample} from './sampling.ts';

export type FormulaFunction = (ctx: HandlerContext, item: unknown) => unknown;

export class DerivedCore extends FormulaInputs {
  readonly kind: CollectionKind;
  formula: FormulaFunction;
  runs = 0;
  #started = false;
  #startedBySync = false;
  readonly #backlog = new Backlog();
  /** Runs yield lists or statuses, so that a plan is needed. */
  get #isPlanned(): boolean {
    return this.many || this.status !== null;
  }
  #nextCheck: number;
  /** Inputs whose run was rolled back until another collection has settled. */
  readonly #postponed: InputEntry[] = [];
  readonly #context = new FormulaRunContext(this);

  constructor(
    engine: EngineCore,
    parent: CollectionCore,
    formula: FormulaFunction,
    kind: CollectionKind,
    many: boolean,
    name: string,
    options: Options<unknown>,
  ) {
    super(engine, parent, many, name, options);
    this.kind = kind;
    this.formula = formula;
    this.#nextCheck = nextSample(engine.checks, 0);
  }

  /** Joins the graph. The inputs run in this batch, or when the parent syncs. */
  begin(): this {
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      if (!this.parent.stopped) this.parent.children.push(this);
      this.raiseLevel(this.parent.level + 1);
      this.engine.enqueue(this);
    });
    return this;
  }

  parentSynced(): void {
    this.#startedBySync = true;
    this.engine.enqueue(this);
  }

  #enter(row: Row): InputEntry {
    const entry = new InputEntry(this, row);
    attachInput(row, entry);
    return entry;
  }

  inputAdded(row: Row): void {
    if (!this.#started) return;
    const entry = this.#enter(row);
    if (this.engine.recorder !== null) this.engine.recorder.inputCause(entry);
    this.enqueueEntry(entry);
  }

  inputChanged(entry: InputEntry, now: unknown): void {
    if (now === undefined) {
      entry.remove();
      // Removed now, not at its first run: its key may be back before.
      if (entry.owed) this.enqueueEntry(entry);
    } else if (this.engine.recorder !== null) this.engine.recorder.inputCause(entry);
    entry.mark();
  }

  turn(only: InputEntry | null): void {
    // Traces name the run before its changes, so with a recorder they wait for the end of the turn.
    if (only !== null) this.#visit(only, this.engine.recorder === null);
    else if (!this.#runWaiting()) return;
    // A run may have stopped this collection.
    if (this.stopped) return;
    if (this.#postponed.length > 0) {
      // No rows are announced until these inputs have run: half a turn must not be visible.
      for (const entry of this.#postponed.splice(0)) this.enqueueEntry(entry);
      return;
    }
    if (this.outputs.claims.changed) this.outputs.claims.reportDuplicates();
    this.flush();
    if (!this.synced) this.#checkSync();
  }

  /** False if its parent is not synced. */
  #runWaiting(): boolean {
    if (!this.#started) {
      if (!this.parent.synced) return false;
      this.#start();
    }
    this.#runBacklog();
    if (this.circular.size > 0) this.#retry();
    // Runs may enqueue more inputs of this collection during the loop.
    for (let i = 0; i < this.waiting.count; i++) this.#visit(this.waiting.at(i), false);
    this.waiting.clear();
    return true;
  }

  #visit(entry: InputEntry, alone: boolean): void {
    entry.dirty = false;
    if (entry.removed) removeInput(this, entry);
    else this.#run(entry, alone);
  }

  #checkSync(): void {
    if (this.holding === 0 && this.owed === 0) this.becomeSynced();
  }

  #start(): void {
    this.#started = true;
    this.parent.rows.forEach(row => {
      if (row.value === undefined) return;
      const entry = this.#enter(row);
      entry.initial = true;
      this.#backlog.add(entry);
    });
  }

  #runBacklog(): void {
    if (this.owed === 0) return;
    const {engine} = this;
    while (this.owed > 0 && engine.takeFirstRun(this)) {
      const entry = this.#backlog.take() as InputEntry;
      if (!entry.removed) this.#runFirst(entry);
    }
    engine.setOwesFirstRuns(this, this.owed > 0);
  }

  // A blocked fetch has no dependency that could wake its input.
  #retry(): void {
    for (const entry of this.circular) {
      const core = entry.rare?.cycleOn ?? null;
      if (entry.dirty || core === null || dependsOn(core, this)) continue;
      if (this.engine.recorder !== null) this.engine.recorder.formulaCause(entry);
      entry.mark();
    }
  }

  // A first run has no cause of its own, so it records the start, or the sync it waited for.
  #runFirst(entry: InputEntry): void {
    const {recorder} = this.engine;
    if (recorder !== null && this.synced) recorder.formulaCause(entry);
    else if (recorder !== null) {
      const awaited = entry.rare?.waitingFor ?? null;
      if (awaited === null) recorder.startCause(entry, this.#startedBySync);
      else recorder.syncCause(entry, awaited);
    }
    this.#run(entry, false);
  }

  /** First runs left before it can be synced, or runs left with a new formula. */
  get owed(): number {
    return this.#backlog.count;
  }

  /** The collection that the input waited for has synced. */
  resume(entry: InputEntry, awaited: CollectionCore): void {
    if (this.synced) {
      if (this.engine.recorder !== null) this.engine.recorder.syncCause(entry, awaited);
      entry.mark();
    } else if (!entry.dirty) {
      this.#backlog.add(entry);
      this.engine.enqueue(this);
    }
  }

  /**
   * The one way to run: begins, calls the formula, compares its result and commits it. `alone`: the turn has no other run, so
   * a changed row is announced at once.
   */
  #run(entry: InputEntry, alone: boolean): void {
    const {engine, outputs} = this;
    const ctx = this.#context;
    const {recorder, running: outer} = engine;
    const outerRun = recorder === null ? null : recorder.startRun(entry);
    if (entry.rare !== null) endWait(this, entry);
    ctx.begin(entry);
    engine.running = ctx;
    let result: unknown;
    let plan: PlannedRow | null = null;
    let key = '';
    /** The result is one item, and the input has no row yet. */
    let isFirst = false;
    /** The row of the last result, if the result is one item for that row. Then the item itself is the plan. */
    let row: Row | null = null;
    let difference = EQUAL;
    // The formula, keys and equalities are user code and may throw.
    try {
      result = this.formula(ctx, entry.row.value);
      if (ctx.unusual && ctx.stopped) silenceRejections(result);
      else if (this.#isPlanned) plan = planResult(this, entry, result, ctx);
      else if (result !== undefined && result !== null) {
        refuseAsync(this, result);
        key = this.keyOf(result);
        isFirst = entry.outputs === null;
        row = outputs.soleRow(entry, key);
        if (row !== null) difference = this.compare(row.value, result);
        else if (!isFirst) plan = outputs.planOne(entry, key, result);
      }
    } catch (error) {
      // A suspended async formula rejects, and that rejection needs a handler.
      silenceRejections(result);
      ctx.caught(error);
    }
    engine.running = outer;
    ctx.end();
    if (ctx.unusual || entry.rare !== null || this.stopped) {
      if (row !== null || isFirst) plan = outputs.one.set(key, result, row, difference);
      this.#endUnusual(entry, plan, outerRun);
      return;
    }
    this.#countRun(entry);
    if (row === null && !isFirst) entry.outcome = accept(this, entry, ctx, plan);
    else {
      if (!ctx.repeated) replaceDependencies(entry, ctx.nodes());
      const change = row === null ? 'added' : difference === EQUAL ? 'equal' : 'changed';
      entry.accept();
      entry.outcome = change;
      if (row === null) entry.outputs = row = outputs.claim(entry, key, result);
      else outputs.update(entry, row, result, difference, alone);
      if (recorder !== null) recorder.output(row, change);
    }
    if (recorder !== null) recorder.endRun(entry.outcome, ctx, outerRun);
  }

  /** Ends a run that was interrupted, failed or broke a rule, or whose input has a history of that. */
  #endUnusual(entry: InputEntry, plan: PlannedRow | null, outerRun: Run | null): void {
    const {recorder} = this.engine;
    const ctx = this.#context;
    if (this.stopped) {
      abandon(entry, ctx);
      recorder?.endRun('discarded', ctx, outerRun);
      return;
    }
    if (ctx.postponedOn !== null) {
      postpone(entry, ctx, ctx.postponedOn);
      this.#postponed.push(entry);
      recorder?.postponeRun(entry, outerRun);
      return;
    }
    endPostponement(entry);
    this.#countRun(entry);
    if (entry.outcome === 'failed') this.failed--;
    entry.outcome = endUnusualRun(this, entry, ctx, plan);
    if (entry.outcome === 'failed') this.failed++;
    recorder?.endRun(entry.outcome, ctx, outerRun);
  }

  #countRun(entry: InputEntry): void {
    this.engine.changed = true;
    if (++this.runs !== this.#nextCheck) return;
    this.#nextCheck = nextSample(this.engine.checks, this.runs);
    this.engine.sampled.push(entry);
  }

  *upstreams(): Iterable<CollectionCore> {
    yield this.parent;
    yield* this.edges.collections();
  }

  /** `only`: the keys of the affected inputs; default: all. */
  replaceFormula(formula: FormulaFunction, only?: {has(key: string): boolean}): void {
    if (this.stopped) return;
    this.engine.write(() => {
      this.formula = formula;
      if (this.synced) this.#endSlices();
      for (const entry of this.entries()) {
        if (only?.has(entry.row.key) === false) continue;
        if (this.engine.recorder !== null) this.engine.recorder.formulaCause(entry);
        clearCheckViolations(this, entry);
        entry.mark();
      }
      this.engine.enqueue(this);
    });
  }

  /** All inputs that wait for their slice run now. */
  #endSlices(): void {
    for (let owed = this.#backlog.take(); owed; owed = this.#backlog.take()) owed.mark();
    this.engine.setOwesFirstRuns(this, false);
  }

  /** Like replaceFormula for all inputs, but they run like first runs, in slices, and keep their rows until then. */
  replaceInSlices(formula: FormulaFunction): void {
    if (this.stopped) return;
    this.engine.write(() => {
      this.formula = formula;
      for (const entry of this.entries()) {
        clearCheckViolations(this, entry);
        if (!entry.dirty) this.#backlog.add(entry);
      }
      this.engine.enqueue(this);
    });
  }

  /** Runs these inputs again, each for the given causes. Keys that are no input any more are ignored. */
  rerun(causes: ReadonlyMap<string, readonly Cause[]>): void {
    if (this.stopped) return;
    this.engine.write(() => {
      for (const [key, own] of causes) {
        const entry = this.entry(key);
        if (entry === undefined) continue;
        if (this.engine.recorder !== null) this.engine.recorder.givenCauses(entry, own);
        entry.mark();
      }
      this.engine.enqueue(this);
    });
  }

  /** The name of the collection that it or one of its inputs waits for. */
  get waitingFor(): string | undefined {
    if (!this.#started) return this.synced ? undefined : this.parent.name;
    for (const {rare} of this.suspended) if (rare?.waitingFor?.synced === false) return rare.waitingFor.name;
    return undefined;
  }

  rowState(key: string): RowState | undefined {
    const entry = (this.rows.get(key)?.owner ?? this.entry(key)) as InputEntry | undefined;
    return entry === undefined ? undefined : {...stateOf(entry), key};
  }

  protected withdraw(): void {
    // Rows stay readable; inputs are released.
    for (const entry of [...this.entries()]) withdrawInput(this, entry);
    for (let i = 0; i < this.waiting.count; i++) withdrawInput(this, this.waiting.at(i));
    this.waiting.clear();
    for (const entry of this.#backlog.waiting()) withdrawInput(this, entry);
    this.#backlog.clear();
    this.engine.circular.delete(this);
    removeFromList(this.parent.children, this);
    this.status?.end();
  }
}
