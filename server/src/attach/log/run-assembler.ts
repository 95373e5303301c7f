// Untangles the lines of several owners into batches. One owner's lines are in order: an event or a changed input,
// the runs, the changed outputs, the publication.
import {keyOf} from '../krtz-key.ts';
import {type KrtLine, type OutputChange, timeOfLine} from './log-line.ts';

export type {OutputChange};

export interface LogFetch {
  collection: string;
  filter: string;
  matched: number;
}

export interface LogRun {
  input: string;
  fetches: LogFetch[];
  /** Line numbers of its first and last fetch. */
  first: number;
  last: number;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
}

/** The event line that made inputs run. */
export interface LogEvent {
  size: number;
  impacts: string[];
  line: number;
  /** The line of the owner's previous event; 0 if there is none. */
  since: number;
}

/** What one owner did for one change. */
export interface LogBatch {
  collection: string;
  /** Absent if the primary input changed. */
  event: LogEvent | undefined;
  runs: LogRun[];
  outputs: {key: string; change: OutputChange; line: number}[];
  first: number;
  last: number;
  /** The line of its publication. */
  published: number | undefined;
  /** The time of its first line, milliseconds since 1970. */
  time: number;
}

interface OwnerState {
  batch: LogBatch | undefined;
  event: LogEvent | undefined;
  /** Impacted inputs that have not run yet. */
  waiting: WaitingInputs;
  /** The time of the last fetch of the last run, as text: it is parsed once a run. */
  endTime: string | undefined;
}

/** Most events have one input. A set for each would take longer than the rest of the line. */
class WaitingInputs {
  #only: string | undefined;
  #several: Set<string> | undefined;

  reset(inputs: readonly string[]): void {
    this.#only = inputs.length === 1 ? inputs[0] : undefined;
    this.#several = inputs.length > 1 ? new Set(inputs) : undefined;
  }

  /** Whether the input was there. */
  delete(input: string): boolean {
    if (this.#several !== undefined) return this.#several.delete(input);
    if (this.#only !== input) return false;
    this.#only = undefined;
    return true;
  }

  clear(): void {
    this.#only = undefined;
    this.#several = undefined;
  }
}

/** A singleton runs without being listed. */
const SINGLETON_INPUTS = [''];

/** Batches that are kept for `take`. Older ones are dropped and counted. */
const MAX_BATCHES = 50_000;
/** Runs in one batch, and fetches in one run, that are kept. */
const MAX_RUNS = 20_000;
const MAX_FETCHES = 1000;
/** A pause that separates two runs of an input of unknown length. */
const RUN_PAUSE_MS = 20;

export interface RunAssemblerOptions {
  /** How many fetches the last known run of an input had. */
  fetchCount?: (collection: string, input: string) => number | undefined;
}

export class RunAssembler {
  readonly #options: RunAssemblerOptions;
  readonly #owners = new Map<string, OwnerState>();
  #closed: LogBatch[] = [];
  #line = 0;
  #lastOwner = '';
  #lastState: OwnerState | undefined;
  /** Batches that were dropped before they were taken. */
  dropped = 0;

  constructor(options: RunAssemblerOptions = {}) {
    this.#options = options;
  }

  get line(): number {
    return this.#line;
  }

  add(line: KrtLine): void {
    this.#line += 1;
    switch (line.kind) {
      case 'event':
        this.#event(line);
        return;
      case 'fetch':
        this.#fetch(line);
        return;
      case 'handled':
        this.#handled(line);
        return;
      case 'published':
        this.#published(line);
        return;
      case 'detail':
        return;
    }
  }

  /** The batches so far, oldest first. Open ones end here, except those with a line after `keepOpenAfter`. */
  take(keepOpenAfter = Number.POSITIVE_INFINITY): LogBatch[] {
    for (const state of this.#owners.values())
      if (state.batch !== undefined && state.batch.last <= keepOpenAfter) this.#close(state);
    const batches = this.#closed;
    this.#closed = [];
    return batches.sort((a, b) => a.first - b.first);
  }

  #state(owner: string): OwnerState {
    // Lines of one owner mostly stand together, and comparing is cheaper than hashing.
    if (owner === this.#lastOwner && this.#lastState !== undefined) return this.#lastState;
    let state = this.#owners.get(owner);
    if (state === undefined) {
      state = {batch: undefined, event: undefined, waiting: new WaitingInputs(), endTime: undefined};
      this.#owners.set(owner, state);
    }
    this.#lastOwner = owner;
    this.#lastState = state;
    return state;
  }

  #event({owner, size, impacts, time}: Extract<KrtLine, {kind: 'event'}>): void {
    const state = this.#state(owner);
    this.#close(state);
    const inputs = impacts === '' ? [] : impacts.includes(' ') ? impacts.split(' ') : [impacts];
    state.event = {size, impacts: inputs, line: this.#line, since: state.event?.line ?? 0};
    state.waiting.reset(inputs.length === 0 ? SINGLETON_INPUTS : inputs);
    if (inputs.length > 0) this.#open(owner, state, state.event, time);
  }

  #fetch({owner, input, collection, filter, matched, time}: Extract<KrtLine, {kind: 'fetch'}>): void {
    const state = this.#state(owner);
    const fetch = {collection, filter, matched};
    const {batch} = state;
    const current = batch !== undefined && batch.outputs.length === 0 ? batch.runs.at(-1) : undefined;
    if (current?.input === input && !this.#restarts(owner, current, fetch, time)) {
      if (current.fetches.length < MAX_FETCHES) current.fetches.push(fetch);
      current.last = this.#line;
      state.endTime = time;
      (batch as LogBatch).last = this.#line;
      return;
    }
    const event = state.waiting.delete(input) ? state.event : undefined;
    let own = batch;
    if (own === undefined || own.event !== event || own.outputs.length > 0) {
      if (own !== undefined && event === undefined) state.waiting.clear();
      this.#close(state);
      own = this.#open(owner, state, event, time);
    }
    own.last = this.#line;
    endRun(state);
    if (own.runs.length >= MAX_RUNS) return;
    const start = timeOfLine(time);
    own.runs.push({input, fetches: [fetch], first: this.#line, last: this.#line, start, end: start});
  }

  /** Whether a fetch of the same input begins another run. */
  #restarts(owner: string, run: LogRun, fetch: LogFetch, time: string): boolean {
    const [first] = run.fetches;
    if (first === undefined || first.collection !== fetch.collection || first.filter !== fetch.filter)
      return false;
    const expected = this.#options.fetchCount?.(owner, run.input);
    if (expected !== undefined && expected > 0 && run.fetches.length % expected === 0) return true;
    return timeOfLine(time) - run.start > RUN_PAUSE_MS;
  }

  #handled({owner, key, change, time}: Extract<KrtLine, {kind: 'handled'}>): void {
    const state = this.#state(owner);
    const batch = state.batch ?? this.#open(owner, state, undefined, time);
    batch.last = this.#line;
    if (batch.outputs.length < MAX_RUNS) batch.outputs.push({key: keyOf(key), change, line: this.#line});
  }

  #published({owner}: Extract<KrtLine, {kind: 'published'}>): void {
    const state = this.#state(owner);
    if (state.batch === undefined) return;
    state.batch.last = this.#line;
    state.batch.published = this.#line;
    state.waiting.clear();
    this.#close(state);
  }

  #open(collection: string, state: OwnerState, event: LogEvent | undefined, time: string): LogBatch {
    const line = this.#line;
    const batch: LogBatch = {
      collection,
      event,
      runs: [],
      outputs: [],
      first: event?.line ?? line,
      last: line,
      published: undefined,
      time: timeOfLine(time),
    };
    state.batch = batch;
    return batch;
  }

  #close(state: OwnerState): void {
    const {batch} = state;
    if (batch === undefined) return;
    endRun(state);
    state.batch = undefined;
    // An event whose runs fetched nothing leaves no run, but its impacts say which inputs ran.
    if (batch.runs.length === 0 && batch.outputs.length === 0 && batch.event === undefined) return;
    this.#closed.push(batch);
    if (this.#closed.length > MAX_BATCHES) {
      this.dropped += this.#closed.length - MAX_BATCHES / 2;
      this.#closed = this.#closed.slice(-MAX_BATCHES / 2);
    }
  }
}

function endRun(state: OwnerState): void {
  const run = state.endTime === undefined ? undefined : state.batch?.runs.at(-1);
  if (run !== undefined && state.endTime !== undefined) run.end = timeOfLine(state.endTime);
  state.endTime = undefined;
}
