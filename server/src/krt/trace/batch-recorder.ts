// Records the trace of a batch while it runs. It exists only while there are listeners, and decides nothing.

import {outputChangeOf, type PlannedRow} from '../containers/planned-row.ts';
import type {Row} from '../containers/row.ts';
import {EqualOutputLists, equalOutputOf, TracePosition} from '../containers/trace-position.ts';
import {NEW, OLD, type QueryNode} from '../query/query-node.ts';
import type {ChangeEvent} from '../values/change.ts';
import {errorText} from '../values/error-text.ts';
import type {
  BatchTrace,
  Cause,
  DependencyRef,
  FetchRecord,
  Outcome,
  Published,
  Run,
  RunCounts,
  RunOutput,
} from '../values/trace.ts';
import {fetchRecord} from './fetch-record.ts';
import type {
  PublishingCollection,
  RecorderClock,
  TracedCollection,
  TracedInput,
} from './traced-collection.ts';

// Most batches have one write, one run and one output. Empty lists are shared and frozen. Short lists are
// created at their length, because push() reserves room for many elements.
const NONE = Object.freeze([]) as unknown as never[];
const NO_COUNTS: RunCounts = Object.freeze({added: 0, changed: 0, deleted: 0, equal: 0});

/** What a run's context knows at its end. */
interface RunEnd {
  readonly failed: boolean;
  readonly error: unknown;
  readonly suspendedOn: {readonly name: string} | null;
}

export class BatchRecorder {
  #engine: RecorderClock | null = null;
  #trace: BatchTrace = emptyTrace();
  #start = 0;
  /** The batch has begun to settle. */
  #settling = false;
  /** Counts batches, so that old positions on rows need no clearing. */
  #batch = 0;
  /** The trace is empty. */
  #fresh = false;
  /** Inputs with causes that have not run yet. */
  #caused: TracedInput[] = [];
  /** The shared cause of the inputs of a starting collection. */
  #started: Cause[] = NONE;
  readonly #from = new Map<TracedCollection, Map<string, number[]>>();
  /** The run under way. */
  current: Run | null = null;
  /** Fetches of the nested runs under way, and where those of each run begin. */
  readonly #fetches: FetchRecord[] = [];
  #fetched = 0;
  readonly #firsts: number[] = [];
  #depth = 0;
  readonly #equalLists = new EqualOutputLists();
  /** Runs that were rolled back and will be repeated. */
  readonly #postponed = new Map<TracedInput, Run>();

  begin(engine: RecorderClock): void {
    this.#engine = engine;
    this.#settling = false;
    if (!this.#fresh) this.#next();
    this.#fresh = false;
  }

  received(): void {
    this.#trace.received = (this.#engine as RecorderClock).now();
  }

  settling(): void {
    if (this.#settling) return;
    this.#settling = true;
    this.#start = (this.#engine as RecorderClock).now();
  }

  end(sequence: number): BatchTrace {
    const trace = this.#trace;
    trace.sequence = sequence;
    trace.settled = (this.#engine as RecorderClock).now();
    this.#next();
    return trace;
  }

  #next(): void {
    this.#trace = emptyTrace();
    this.#batch++;
    this.#fresh = true;
    if (this.#caused.length > 0) {
      for (const entry of this.#caused) entry.causes = null;
      this.#caused = [];
    }
    // Clearing an empty map allocates.
    if (this.#from.size > 0) this.#from.clear();
    if (this.#postponed.size > 0) this.#postponed.clear();
    this.current = null;
    this.#fetched = 0;
    this.#depth = 0;
  }

  synced(core: PublishingCollection): void {
    if (!core.hidden) this.#trace.synced = append(this.#trace.synced, core.name);
  }

  publish(core: PublishingCollection, row: Row, old: unknown, now: unknown): void {
    const event: ChangeEvent = old === undefined ? 'add' : now === undefined ? 'delete' : 'update';
    const {name, uid} = core;
    const trace = this.#trace;
    const position = this.#positionOf(row);
    const run = position.run < 0 ? null : position.run;
    const change: Published = {collection: name, uid, key: row.key, event, old, new: now, run};
    if (run === null && this.#from.size > 0) {
      const from = this.#from.get(core)?.get(row.key);
      if (from !== undefined) change.from = from;
    }
    trace.published = append(trace.published, change);
    position.published = trace.published.length - 1;
    if (!core.root) return;
    trace.changes = append(trace.changes, {collection: name, uid, key: row.key, event, old, new: now});
  }

  #positionOf(row: Row): TracePosition {
    row.tracePosition ??= new TracePosition();
    const {tracePosition: position} = row;
    if (position.batch !== this.#batch) {
      position.batch = this.#batch;
      position.published = -1;
      position.run = -1;
    }
    return position;
  }

  /** Index of the change of this row in this batch; -1 if there is none. */
  #placeOf({tracePosition: position}: Row): number {
    return position?.batch === this.#batch ? position.published : -1;
  }

  #cause(entry: TracedInput, cause: Cause): void {
    if (entry.causes !== null) entry.causes = append(entry.causes, cause);
    else {
      entry.causes = [cause];
      this.#caused.push(entry);
    }
  }

  inputCause(entry: TracedInput): void {
    const parent = entry.collection.parent;
    if (parent.hidden) this.#cause(entry, {kind: 'formula'});
    else this.#cause(entry, this.#causeOf('input', parent, entry.row, -1, null, 0));
  }

  fetchCause(entry: TracedInput, node: QueryNode, row: Row, matched: number): void {
    const kind = node.core.kind === 'trigger' ? 'trigger' : 'fetch';
    this.#cause(entry, this.#causeOf(kind, node.core, row, entry.nodes.indexOf(node), node, matched));
  }

  // Created in one expression: adding fields one by one takes twice the time and memory.
  #causeOf(
    kind: Cause['kind'],
    {name, uid}: TracedCollection,
    row: Row,
    fetch: number,
    node: QueryNode | null,
    matched: number,
  ): Cause {
    const at = this.#placeOf(row);
    const change = at < 0 ? undefined : this.#trace.published[at];
    return {
      kind,
      collection: name,
      uid,
      key: row.key,
      event: change?.event,
      fetch: node === null ? undefined : fetch,
      filter: node?.text,
      matched: node === null ? undefined : matched === (OLD | NEW) ? 'both' : matched === OLD ? 'old' : 'new',
      via: node?.via,
      run: change?.run ?? undefined,
      published: change === undefined ? undefined : at,
    };
  }

  syncCause(entry: TracedInput, core: TracedCollection): void {
    this.#cause(entry, {kind: 'synced', collection: core.name, uid: core.uid});
  }

  formulaCause(entry: TracedInput): void {
    this.#cause(entry, {kind: 'formula'});
  }

  /** Causes from outside this engine. Without any, the formula itself is the cause. */
  givenCauses(entry: TracedInput, causes: readonly Cause[]): void {
    if (causes.length === 0) this.formulaCause(entry);
    for (const cause of causes) this.#cause(entry, cause);
  }

  /** Records that the change of `row` leads to a change of `key` in a view, without a run. */
  leadsTo(view: TracedCollection, key: string, row: Row): void {
    const at = this.#placeOf(row);
    if (at < 0) return;
    let keys = this.#from.get(view);
    if (keys === undefined) {
      keys = new Map();
      this.#from.set(view, keys);
    }
    const from = keys.get(key);
    if (from === undefined) keys.set(key, [at]);
    else from.push(at);
  }

  /** The input is gone, so its row goes without a run. */
  removed(entry: TracedInput, row: Row): void {
    if (row.tracePosition !== null) row.tracePosition.batch = 0;
    this.leadsTo(entry.collection, row.key, entry.row);
  }

  /** The first run of an input: the collection is new, or the collection it waited for has synced. */
  startCause(entry: TracedInput, bySync: boolean): void {
    const {parent} = entry.collection;
    // A first list starts thousands of inputs with the same cause.
    const shared = this.#started[0];
    const kind = bySync ? 'synced' : 'formula';
    if (shared?.kind !== kind || shared.uid !== (bySync ? parent.uid : undefined)) {
      const cause: Cause = bySync ? {kind, collection: parent.name, uid: parent.uid} : {kind};
      this.#started = Object.freeze([Object.freeze(cause)]) as unknown as Cause[];
    }
    entry.causes = this.#started;
  }

  /** Gives the outer run that waits for this one. */
  startRun(entry: TracedInput): Run | null {
    const {name, uid} = entry.collection;
    const outer = this.current;
    const postponed = this.#postponed.get(entry);
    if (postponed !== undefined) {
      this.#postponed.delete(entry);
      this.#enter(postponed);
    } else this.#begin(newRun(name, uid, entry.row.key, entry.causes ?? []));
    entry.causes = null;
    return outer;
  }

  /** The run was rolled back. It continues when its input runs again. */
  postponeRun(entry: TracedInput, outer: Run | null): void {
    this.#postponed.set(entry, this.current as Run);
    this.#fetched = this.#firsts[--this.#depth] as number;
    this.current = outer;
  }

  /** Only for a merge or map that threw. Successful ones are not runs: their changes are `from` others. */
  startViewRun(view: TracedCollection, key: string, members: readonly TracedCollection[]): Run {
    const published = this.#trace.published;
    const causes: Cause[] = [];
    for (const at of this.#from.get(view)?.get(key) ?? []) causes.push(inputCauseOf(published, at));
    if (causes.length === 0) {
      const {synced} = this.#trace;
      for (const {name, uid} of members) {
        if (synced.includes(name)) causes.push({kind: 'synced', collection: name, uid});
      }
    }
    if (causes.length === 0) causes.push({kind: 'formula'});
    return this.#begin(newRun(view.name, view.uid, key, causes));
  }

  #begin(run: Run): Run {
    const engine = this.#engine as RecorderClock;
    if (engine.clock !== null) run.start = engine.now() - this.#start;
    this.#trace.runs = append(this.#trace.runs, run);
    this.#enter(run);
    return run;
  }

  #enter(run: Run): void {
    this.current = run;
    this.#firsts[this.#depth++] = this.#fetched;
  }

  fetched(node: QueryNode, wasReady: boolean): void {
    if (this.current === null) return;
    this.#fetches[this.#fetched++] = fetchRecord(node, wasReady);
  }

  output(row: Row, change: RunOutput['change']): void {
    const run = this.current as Run;
    if (run.counts === NO_COUNTS) run.counts = {...NO_COUNTS};
    run.counts[change]++;
    run.outputs = append(
      run.outputs,
      change === 'equal' ? equalOutputOf(row) : this.#outputOf(run, row, change),
    );
  }

  /** The input yields the same rows as before, in the same order. */
  outputsAgain(rows: Row | readonly Row[], plan: PlannedRow): void {
    if (!Array.isArray(rows)) {
      this.output(rows as Row, outputChangeOf(plan));
      return;
    }
    const run = this.current as Run;
    run.outputs = this.#equalLists.copyFor(rows);
    let changed = 0;
    let place = 0;
    for (let one: PlannedRow | null = plan; one !== null; one = one.next, place++) {
      if (outputChangeOf(one) === 'equal') continue;
      changed++;
      run.outputs[place] = this.#outputOf(run, rows[place] as Row, 'changed');
    }
    run.counts = {added: 0, changed, deleted: 0, equal: rows.length - changed};
  }

  #outputOf(run: Run, row: Row, change: RunOutput['change']): RunOutput {
    const {runs} = this.#trace;
    this.#positionOf(row).run = runs.at(-1) === run ? runs.length - 1 : runs.lastIndexOf(run);
    return {key: row.key, change};
  }

  dependencies(gained: readonly QueryNode[], lost: readonly QueryNode[]): void {
    const run = this.current as Run;
    if (gained.length > 0) run.gained = gained.map(refOf);
    if (lost.length > 0) run.lost = lost.map(refOf);
  }

  /** `outer` is the run that waited for this one. */
  endRun(outcome: Outcome, {failed, error, suspendedOn}: RunEnd, outer: Run | null): void {
    const run = this.current as Run;
    run.outcome = outcome;
    const first = this.#firsts[--this.#depth] as number;
    // Nested runs come between the fetches of the outer run, and end before it continues.
    if (first < this.#fetched) run.fetches = this.#fetches.slice(first, this.#fetched);
    this.#fetched = first;
    const engine = this.#engine as RecorderClock;
    if (engine.clock !== null) run.duration = engine.now() - this.#start - run.start;
    if (failed && error !== undefined) run.error = errorText(error);
    if (suspendedOn !== null) run.waitingFor = suspendedOn.name;
    this.current = outer;
  }
}

function emptyTrace(): BatchTrace {
  return {sequence: 0, received: 0, settled: 0, changes: NONE, runs: NONE, published: NONE, synced: NONE};
}

function newRun(collection: string, uid: number, input: string, causes: Cause[]): Run {
  return {
    collection,
    uid,
    input,
    outcome: 'empty',
    causes,
    fetches: NONE,
    gained: NONE,
    lost: NONE,
    start: 0,
    duration: 0,
    outputs: NONE,
    counts: NO_COUNTS,
  };
}

function inputCauseOf(published: readonly Published[], at: number): Cause {
  const {collection, uid, key, event, run} = published[at] as Published;
  return {kind: 'input', collection, uid, key, event, run: run ?? undefined, published: at};
}

function append<T>(list: T[], item: T): T[] {
  switch (list.length) {
    case 0:
      return [item];
    case 1:
      return [list[0] as T, item];
    case 2:
      return [list[0] as T, list[1] as T, item];
    default:
      list.push(item);
      return list;
  }
}

function refOf(node: QueryNode): DependencyRef {
  return node.ref;
}
