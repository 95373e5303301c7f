// Writes the trace of one batch while it happens: each cause where it is decided, each run as it ends.
// Exists only while somebody listens; nothing here decides anything.

import type {ChangeEvent} from './change.ts';
import type {Core} from './core.ts';
import type {EngineCore} from './engine.ts';
import type {Entry} from './entry.ts';
import {NEW, OLD, type QueryNode} from './query-node.ts';
import type {Row} from './row.ts';
import {SmallMap} from './small-map.ts';
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
} from './trace.ts';

// Most batches are one write, one run and one output: what a trace has none of is shared, and what it has one
// of is a list of one, for a list that grows by a push makes room for many.
const NONE = Object.freeze([]) as unknown as never[];
const NO_COUNTS: RunCounts = Object.freeze({added: 0, changed: 0, deleted: 0, equal: 0});
const ONE_OUTPUT: Readonly<Record<RunOutput['change'], RunCounts>> = {
  added: Object.freeze({...NO_COUNTS, added: 1}),
  changed: Object.freeze({...NO_COUNTS, changed: 1}),
  deleted: Object.freeze({...NO_COUNTS, deleted: 1}),
  equal: Object.freeze({...NO_COUNTS, equal: 1}),
};

/** What a run's context knows at its end. */
interface RunEnd {
  readonly failed: boolean;
  readonly error: unknown;
  readonly suspendedOn: Core | null;
}

export class Recorder {
  #engine: EngineCore | null = null;
  #trace: BatchTrace = emptyTrace();
  #start = 0;
  /** What came before in this batch has begun to settle. */
  #settling = false;
  readonly #causes = new SmallMap<Entry, Cause[]>();
  /** What the inputs of a collection that starts have in common: shared and frozen. */
  #started: Cause[] = NONE;
  /** The run that last touched a row in this batch. */
  readonly #runs = new SmallMap<Row, number>();
  readonly #published = new SmallMap<Row, number>();
  readonly #from = new Map<Core, Map<string, number[]>>();
  /** The run under way. */
  current: Run | null = null;

  begin(engine: EngineCore): void {
    this.#engine = engine;
    this.#settling = false;
    if (isUsed(this.#trace)) this.#trace = emptyTrace();
  }

  received(): void {
    this.#trace.received = (this.#engine as EngineCore).now();
  }

  settling(): void {
    if (this.#settling) return;
    this.#settling = true;
    this.#start = (this.#engine as EngineCore).now();
  }

  end(sequence: number): BatchTrace {
    const trace = this.#trace;
    trace.sequence = sequence;
    trace.settled = (this.#engine as EngineCore).now();
    this.#trace = emptyTrace();
    this.#causes.clear();
    this.#runs.clear();
    this.#published.clear();
    if (this.#from.size > 0) this.#from.clear();
    this.current = null;
    return trace;
  }

  synced(core: Core): void {
    if (!core.hidden) this.#trace.synced = grown(this.#trace.synced, core.name);
  }

  publish(core: Core, row: Row, old: unknown, now: unknown): void {
    if (core.hidden) return;
    const event: ChangeEvent = old === undefined ? 'add' : now === undefined ? 'delete' : 'update';
    const {name, uid} = core;
    const trace = this.#trace;
    this.#published.set(row, trace.published.length);
    const run = this.#runs.get(row);
    const change: Published = {collection: name, uid, key: row.key, event, old, new: now, run: run ?? null};
    if (run === undefined && this.#from.size > 0) {
      const from = this.#from.get(core)?.get(row.key);
      if (from !== undefined) change.from = from;
    }
    trace.published = grown(trace.published, change);
    if (!core.root) return;
    trace.changes = grown(trace.changes, {collection: name, uid, key: row.key, event, old, new: now});
  }

  #cause(entry: Entry, cause: Cause): void {
    const causes = this.#causes.get(entry);
    if (causes === undefined) this.#causes.set(entry, [cause]);
    else if (Object.isFrozen(causes)) this.#causes.set(entry, [...causes, cause]);
    else causes.push(cause);
  }

  #changeOf(core: Core, row: Row, cause: Cause): Cause {
    const at = this.#published.get(row);
    cause.collection = core.name;
    cause.uid = core.uid;
    cause.key = row.key;
    if (at === undefined) return cause;
    const published = this.#trace.published[at];
    cause.event = published?.event;
    cause.published = at;
    if (published !== undefined && published.run !== null) cause.run = published.run;
    return cause;
  }

  inputCause(entry: Entry): void {
    const parent = entry.collection.parent;
    if (parent.hidden) this.#cause(entry, {kind: 'formula'});
    else this.#cause(entry, this.#changeOf(parent, entry.row, {kind: 'input'}));
  }

  fetchCause(entry: Entry, node: QueryNode, row: Row, matched: number): void {
    const cause: Cause = {
      kind: node.core.kind === 'trigger' ? 'trigger' : 'fetch',
      fetch: entry.nodes.indexOf(node),
      filter: node.text,
      matched: matched === (OLD | NEW) ? 'both' : matched === OLD ? 'old' : 'new',
      via: node.via,
    };
    this.#cause(entry, this.#changeOf(node.core, row, cause));
  }

  syncCause(entry: Entry, core: Core): void {
    // A first list starts thousands of inputs for one and the same reason.
    if (this.#started[0]?.uid !== core.uid) {
      this.#started = [{kind: 'synced', collection: core.name, uid: core.uid}];
      Object.freeze(this.#started);
    }
    if (this.#causes.get(entry) === undefined) this.#causes.set(entry, this.#started);
    else this.#cause(entry, {kind: 'synced', collection: core.name, uid: core.uid});
  }

  formulaCause(entry: Entry): void {
    this.#cause(entry, {kind: 'formula'});
  }

  /** The change of `row` leads to one of `key` in a view, where no run stands between them. */
  leadsTo(view: Core, key: string, row: Row): void {
    const at = this.#published.get(row);
    if (at === undefined) return;
    let keys = this.#from.get(view);
    if (keys === undefined) {
      keys = new Map();
      this.#from.set(view, keys);
    }
    const from = keys.get(key);
    if (from === undefined) keys.set(key, [at]);
    else from.push(at);
  }

  /** The entry's own change took a row away, without a run: its input is gone. */
  removed(entry: Entry, row: Row): void {
    this.#runs.delete(row);
    this.leadsTo(entry.collection, row.key, entry.row);
  }

  startRun(entry: Entry): Run {
    const {name, uid} = entry.collection;
    const run = newRun(name, uid, entry.row.key, this.#causes.get(entry) ?? []);
    return this.#begin(run);
  }

  /** Starts the run of an input that nothing but its own change has caused. */
  startInputRun(entry: Entry): Run {
    const {name, uid} = entry.collection;
    const {published} = this.#trace;
    const at = published.length - 1;
    // Nothing was published since.
    const {collection, uid: from, key, event, run} = published[at] as Published;
    const cause: Cause = {kind: 'input', collection, uid: from, key, event, published: at};
    if (run !== null) cause.run = run;
    return this.#begin(newRun(name, uid, key, [cause]));
  }

  /** A merge or map that threw. The others are no runs: what they make is `from` what they look at. */
  startViewRun(view: Core, key: string, members: readonly Core[]): Run {
    const published = this.#trace.published;
    const causes: Cause[] = [];
    for (const at of this.#from.get(view)?.get(key) ?? []) {
      const change = published[at];
      if (change === undefined) continue;
      const cause: Cause = {
        kind: 'input',
        collection: change.collection,
        uid: change.uid,
        key: change.key,
        event: change.event,
        published: at,
      };
      if (change.run !== null) cause.run = change.run;
      causes.push(cause);
    }
    if (causes.length === 0) {
      for (const {name, uid} of members) causes.push({kind: 'synced', collection: name, uid});
    }
    if (causes.length === 0) causes.push({kind: 'formula'});
    return this.#begin(newRun(view.name, view.uid, key, causes));
  }

  #begin(run: Run): Run {
    const engine = this.#engine as EngineCore;
    if (engine.clock !== null) run.start = engine.now() - this.#start;
    this.#trace.runs = grown(this.#trace.runs, run);
    this.current = run;
    return run;
  }

  fetched(node: QueryNode, wasReady: boolean): void {
    const run = this.current;
    if (run === null) return;
    const known = node.record();
    const record: FetchRecord = wasReady ? known : {...known, scanned: node.scanned};
    run.fetches = grown(run.fetches, record);
  }

  output(row: Row, change: RunOutput['change'], old: unknown, now: unknown): void {
    const run = this.current as Run;
    run.outputs = grown(run.outputs, {key: row.key, change, old, new: now});
    if (run.outputs.length === 1) run.counts = ONE_OUTPUT[change];
    else {
      if (run.outputs.length === 2) run.counts = {...run.counts};
      run.counts[change]++;
    }
    if (change === 'equal') return;
    const {runs} = this.#trace;
    const last = runs.length - 1;
    this.#runs.set(row, runs[last] === run ? last : runs.lastIndexOf(run));
  }

  dependencies(gained: readonly QueryNode[], lost: readonly QueryNode[]): void {
    const run = this.current as Run;
    if (gained.length > 0) run.gained = gained.map(refOf);
    if (lost.length > 0) run.lost = lost.map(refOf);
  }

  /** The run under way is over; `outer` is the one that had to wait for it. */
  endRun(outcome: Outcome, {failed, error, suspendedOn}: RunEnd, outer: Run | null): void {
    const run = this.current as Run;
    run.outcome = outcome;
    const engine = this.#engine as EngineCore;
    if (engine.clock !== null) run.duration = engine.now() - this.#start - run.start;
    if (failed && error !== undefined) run.error = error instanceof Error ? error.message : String(error);
    if (suspendedOn !== null) run.waitingFor = suspendedOn.name;
    this.current = outer;
  }
}

function emptyTrace(): BatchTrace {
  return {sequence: 0, received: 0, settled: 0, changes: NONE, runs: NONE, published: NONE, synced: NONE};
}

function isUsed({changes, runs, published, synced, received}: BatchTrace): boolean {
  return received !== 0 || changes.length + runs.length + published.length + synced.length > 0;
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

function grown<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}

function refOf(node: QueryNode): DependencyRef {
  return {collection: node.core.name, uid: node.core.uid, filter: node.text};
}
