// Collections computed by a formula: their inputs, their runs and how a run ends. dependencies.ts keeps
// what the runs read, outputs.ts what they yield.

import {nextSample} from './check.ts';
import type {CollectionKind, Options, RowState} from './collection.ts';
import type {HandlerContext} from './context.ts';
import {Core} from './core.ts';
import {joinNodes, keepNodes, refuseCycle, releaseNodes} from './dependencies.ts';
import type {EngineCore} from './engine.ts';
import {
  ACCEPTED,
  DIRTY,
  Entry,
  HOLDS_SYNC,
  NEW,
  NO_NODES,
  OUTCOMES,
  outputsOf,
  REMOVED,
  rareOf,
  STALE,
  SUSPENDED,
} from './entry.ts';
import {EngineError} from './error.ts';
import {Outputs} from './outputs.ts';
import {attach, detach, type Row} from './row.ts';
import {RunContext} from './run.ts';
import type {StatusRows} from './status.ts';

export type Formula = (ctx: HandlerContext, item: unknown) => unknown;

const EMPTY = 0;
const ADDED = 1;
const CHANGED = 2;
const DELETED = 3;
const EQUAL = 4;
const DISCARDED = 5;
const FAILED = 6;
const SUSPENDED_RUN = 7;

export class Derived extends Core {
  readonly kind: CollectionKind;
  readonly parent: Core;
  formula: Formula;
  readonly outputs = new Outputs(this);
  /** Collections that some input fetches from, and by how many fetches. */
  readonly edges = new Map<Core, number>();
  runs = 0;
  failed = 0;
  /** Inputs whose run is suspended. */
  readonly suspended = new Set<Entry>();
  status: StatusRows | null = null;
  #started = false;
  #starting = false;
  #startedBySync = false;
  #holding = 0;
  #dirty: Entry[] = [];
  #dirtyCount = 0;
  readonly #many: boolean;
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
    this.#many = many;
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
      if ((entry.flags & REMOVED) !== 0) this.#remove(entry);
      else this.#run(entry);
    }
    if (this.#dirtyCount > 1024) this.#dirty = [];
    this.#dirtyCount = 0;
    this.#starting = false;
    this.flush();
    if (!this.synced && this.#holding === 0) this.becomeSynced();
  }

  #start(): void {
    this.#started = true;
    this.#starting = true;
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
    const {engine, outputs} = this;
    const recorder = engine.recorder;
    const outerRun = recorder === null ? null : recorder.current;
    if (recorder !== null) recorder.startRun(entry);
    if ((entry.flags & SUSPENDED) !== 0) this.#endWait(entry);
    const ctx = this.#context;
    ctx.begin(entry);
    outputs.begin();
    const outer = engine.running;
    engine.running = ctx;
    let status: unknown;
    try {
      let result = this.formula(ctx, entry.row.value);
      if (this.status !== null) {
        const pair = this.#pair(result);
        status = pair[0];
        result = pair[1];
      }
      if (this.#many) this.#planAll(entry, result);
      else if (result !== undefined && result !== null) outputs.planOne(entry, result);
    } catch (error) {
      ctx.caught(error);
    }
    engine.running = outer;
    engine.changed = true;
    ctx.entry = null;
    this.runs++;
    const before = entry.flags;
    const outcome =
      ctx.unusual || entry.rare !== null ? this.#endUnusual(entry, status) : this.#accept(entry, status);
    entry.setOutcome(outcome);
    if (before >> 8 === FAILED) this.failed--;
    if (outcome === FAILED) this.failed++;
    if (this.runs === this.#nextCheck) this.#sample(entry, outcome);
    if (recorder !== null) {
      recorder.endRun(
        OUTCOMES[outcome] as (typeof OUTCOMES)[0],
        ctx.failed ? ctx.error : undefined,
        ctx.suspendedOn,
      );
      recorder.current = outerRun;
    }
  }

  #sample(entry: Entry, outcome: number): void {
    this.#nextCheck = nextSample(this.engine.checks, this.runs);
    if (outcome < DISCARDED) this.engine.sampled.push(entry);
  }

  #pair(result: unknown): readonly [unknown, unknown] {
    if (result === undefined || result === null) return [undefined, undefined];
    if (Array.isArray(result) && result.length <= 2) return [result[0], result[1]];
    throw new EngineError(
      'wiring',
      `the formula of "${this.name}" must return [status, output]; use undefined where there is none`,
    );
  }

  #planAll(entry: Entry, result: unknown): void {
    if (result === undefined || result === null) return;
    if (typeof result !== 'object' || !(Symbol.iterator in result)) {
      throw new EngineError('wiring', `the formula of "${this.name}" must return a list of items`);
    }
    const {outputs} = this;
    for (const item of result as Iterable<unknown>) {
      if (item !== undefined && item !== null) outputs.plan(entry, item);
    }
    if (outputs.duplicates === null) return;
    for (const key of outputs.duplicates) {
      this.#context.note({
        code: 'duplicate-in-result',
        key,
        keys: [key, entry.row.key],
        message: `${this.#context} yields the key "${key}" twice in one result; the last one counts`,
      });
    }
  }

  #accept(entry: Entry, status: unknown): number {
    const {outputs} = this;
    const nodes = this.#context.nodes();
    if (nodes !== entry.nodes) keepNodes(entry, nodes);
    const had = entry.outputs !== null;
    outputs.commit(entry, this.engine.recorder);
    entry.flags = (entry.flags & ~(STALE | NEW)) | ACCEPTED;
    if (this.status !== null) this.status.put(entry.row, status);
    const {added, changed, deleted, equal} = outputs;
    if (changed === 0) {
      if (!had && added === 0) return EMPTY;
      if (deleted === 0 && added === 0) return EQUAL;
      if (added === 0 && equal === 0) return DELETED;
      if (deleted === 0 && equal === 0) return ADDED;
    }
    return CHANGED;
  }

  #endUnusual(entry: Entry, status: unknown): number {
    const ctx = this.#context;
    const rare = rareOf(entry);
    rare.error = undefined;
    let outcome: number;
    if (ctx.suspendedOn !== null) outcome = this.#suspend(entry, ctx.suspendedOn);
    else if (ctx.failed) {
      rare.error = ctx.error;
      outcome = this.#keepRows(entry, FAILED);
    } else if (ctx.discarded && ((entry.flags & ACCEPTED) !== 0 || this.outputs.planned === 0)) {
      outcome = this.#discard(entry, status);
    } else {
      rare.accepted = null;
      outcome = this.#accept(entry, status);
    }
    this.#settleCreated(entry, outcome);
    this.#settleNotes(entry);
    if (outcome !== SUSPENDED_RUN && (entry.flags & HOLDS_SYNC) !== 0) this.#unhold(entry);
    return outcome;
  }

  #acceptedNodes(entry: Entry): readonly import('./query.ts').QueryNode[] {
    const rare = rareOf(entry);
    rare.accepted ??= (entry.flags & ACCEPTED) !== 0 ? entry.nodes : NO_NODES;
    return rare.accepted;
  }

  #keepRows(entry: Entry, outcome: number): number {
    this.#acceptedNodes(entry);
    keepNodes(entry, this.#context.nodes());
    entry.flags = (entry.flags & ~NEW) | STALE;
    return outcome;
  }

  #suspend(entry: Entry, core: Core): number {
    this.#keepRows(entry, SUSPENDED_RUN);
    entry.flags |= SUSPENDED;
    rareOf(entry).waitingFor = core;
    core.waiters ??= new Set();
    core.waiters.add(entry);
    this.suspended.add(entry);
    if (this.#starting && (entry.flags & HOLDS_SYNC) === 0) {
      entry.flags |= HOLDS_SYNC;
      this.#holding++;
    }
    return SUSPENDED_RUN;
  }

  #discard(entry: Entry, status: unknown): number {
    const accepted = this.#acceptedNodes(entry);
    keepNodes(entry, joinNodes(entry, this.#context.nodes(), accepted));
    entry.flags &= ~(STALE | NEW);
    if (this.status !== null) this.status.put(entry.row, status);
    return DISCARDED;
  }

  #endWait(entry: Entry): void {
    entry.flags &= ~SUSPENDED;
    this.suspended.delete(entry);
    const rare = rareOf(entry);
    const core = rare.waitingFor;
    rare.waitingFor = null;
    if (core === null) return;
    core.waiters?.delete(entry);
    this.release(core);
  }

  #unhold(entry: Entry): void {
    entry.flags &= ~HOLDS_SYNC;
    this.#holding--;
  }

  // What a run created lives as long as the row that the run made.
  #settleCreated(entry: Entry, outcome: number): void {
    const rare = rareOf(entry);
    const made = this.#context.made;
    if (outcome >= DISCARDED || (outcome === EQUAL && rare.created !== null)) {
      for (const core of made ?? []) core.end();
      return;
    }
    for (const core of rare.created ?? []) core.end();
    rare.created = made;
  }

  #settleNotes(entry: Entry): void {
    const {engine} = this;
    const rare = rareOf(entry);
    const notes = this.#context.notes;
    for (const {code, key} of rare.held ?? []) {
      if (!notes?.some(note => note.code === code && note.key === key)) engine.held.clear(code, this, key);
    }
    rare.held = notes;
    for (const note of notes ?? []) engine.report(note.code, this, note.keys, note.message);
  }

  #remove(entry: Entry): void {
    this.outputs.remove(entry, this.engine.recorder);
    this.#letGo(entry);
    if (this.status !== null) this.status.drop(entry.row.key);
    if ((entry.flags & HOLDS_SYNC) !== 0) this.#unhold(entry);
    if (entry.flags >> 8 === FAILED) this.failed--;
  }

  /** Withdraws everything that this input registered elsewhere. */
  #letGo(entry: Entry): void {
    if ((entry.flags & SUSPENDED) !== 0) this.#endWait(entry);
    releaseNodes(entry);
    detach(entry.row, entry);
    if (this.engine.held.size > 0) this.#forgetChecks(entry.row.key);
    const rare = entry.rare;
    if (rare === null) return;
    for (const core of rare.created ?? []) core.end();
    for (const {code, key} of rare.held ?? []) this.engine.held.clear(code, this, key);
    rare.created = null;
    rare.held = null;
  }

  #forgetChecks(key: string): void {
    for (const code of ['mutated-input', 'mutated-fetch', 'non-deterministic'] as const) {
      this.engine.held.clear(code, this, key);
    }
  }

  /** Counts one more fetch from `core`; the first one may settle it, or throw because it closes a cycle. */
  hold(core: Core): void {
    const count = this.edges.get(core);
    if (count !== undefined) {
      this.edges.set(core, count + 1);
      return;
    }
    refuseCycle(this, core);
    this.edges.set(core, 1);
    core.readers.add(this);
    this.raise(core.level + 1);
    this.engine.settleFirst(core);
  }

  release(core: Core): void {
    const count = this.edges.get(core);
    if (count === undefined) return;
    if (count > 1) this.edges.set(core, count - 1);
    else {
      this.edges.delete(core);
      core.readers.delete(this);
    }
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

  /** The items in what a formula returned. */
  itemsOf(result: unknown): unknown[] {
    const items = this.status === null ? result : this.#pair(result)[1];
    if (items === undefined || items === null) return [];
    return this.#many
      ? [...(items as Iterable<unknown>)].filter(i => i !== undefined && i !== null)
      : [items];
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
    for (const entry of [...this.entries()]) this.#letGo(entry);
    for (let i = 0; i < this.#dirtyCount; i++) this.#letGo(this.#dirty[i] as Entry);
    this.#dirty = [];
    this.#dirtyCount = 0;
    this.parent.children = this.parent.children.filter(child => child !== this);
    this.status?.end();
  }
}
