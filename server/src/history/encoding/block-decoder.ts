// Decodes blocks, newest first: from the state after a batch it makes the batch with all values and the state before it.
// recording-rebuild.ts fills in what a run shares with the run before it.
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {BatchTrace, Cause, FetchRecord, Published, Run, RunOutput} from '../../krt/index.ts';
import type {BatchNotes} from '../batch.ts';
import {type MemoryBudget, weights} from '../file/memory-budget.ts';
import {type CauseMarks, markObserved} from '../observed-mark.ts';
import type {ReplayedRows} from '../replayed-rows.ts';
import {COUNT_FETCH, flags, KEY_FETCH, type RareParts, SAME_FETCH} from './block-encoder.ts';
import {
  BlockTableReader,
  causeWords,
  eventWords,
  matchWords,
  outcomeWords,
  outputWords,
} from './block-tables.ts';
import {ByteReader} from './bytes.ts';
import {applyDelta, type Delta} from './delta.ts';

/** Stands for a value that the recording knew only as a difference from one that is gone. */
export const LOST_VALUE = '(lost at a restart of the engine process)';

/** Values by collection and key. */
export type RecordedState = Map<string, Map<string, unknown>>;

/** A fetch of the previous run at the same place; `counts` if it found more or fewer. */
export interface SameFetch {
  place: number;
  counts?: {matched: number; scanned: number};
}

export interface DecodedBatch {
  trace: BatchTrace;
  roots: readonly number[];
  notes: BatchNotes;
  bytes: number;
  /** The fetches that are those of the run before (absent from `fetches` until filled in), or all of them. */
  sameFetches: Map<Run, readonly SameFetch[] | 'all'>;
  /** How many equal outputs come from the previous run. */
  equalOutputs: Map<Run, number>;
}

/**
 * `state` is the state after the batch and becomes the one before it. With `alone` the blocks in between are missing:
 * the state stays and old values are unknown. With a budget it throws UnreadableFile when that is used up.
 */
export function decodeBlock(
  bytes: Uint8Array,
  state: RecordedState,
  uidOf: (name: string) => number,
  alone = false,
  allowance?: MemoryBudget,
  replayed?: ReplayedRows,
): DecodedBatch {
  const block = new BlockReader(bytes, uidOf, allowance);
  const {trace, olds, news, roots} = block;
  const leavesRows = ({counts}: Run) => counts.equal > 0;
  const {published} = trace;
  if (alone) {
    for (const [place, change] of published.entries()) {
      replayed?.keep(change, trace.runs[change.run ?? -1], news[place]);
      change.new = state.get(change.collection)?.get(change.key);
    }
    for (const run of trace.runs) replayed?.note(run, leavesRows(run));
  } else {
    if (replayed !== undefined) {
      for (let place = published.length - 1; place >= 0; place--)
        replayed.correct(published[place] as Published, news[place]);
      for (const run of trace.runs) replayed.note(run, leavesRows(run));
    }
    restoreOldValues(published, olds, state, allowance);
  }
  for (const place of roots) {
    const {run: _, from: __, ...change} = published[place] as Published;
    trace.changes.push(change);
  }
  const {notes, sameFetches, equalOutputs} = block;
  return {trace, roots, notes, bytes: bytes.byteLength, sameFetches, equalOutputs};
}

function restoreOldValues(
  published: Published[],
  olds: readonly (string | undefined)[],
  state: RecordedState,
  allowance: MemoryBudget | undefined,
): void {
  const copied = allowance && ((fields: number) => allowance.take(fields * weights.field));
  for (let place = published.length - 1; place >= 0; place--) {
    const change = published[place] as Published;
    const text = olds[place];
    const delta = text === undefined ? undefined : (JSON.parse(text) as Delta);
    let items = state.get(change.collection);
    if (items === undefined) {
      items = new Map();
      state.set(change.collection, items);
    }
    if (change.event === 'delete') {
      change.old = delta?.[1];
      items.set(change.key, change.old);
      continue;
    }
    change.new = items.get(change.key);
    if (change.event === 'add') items.delete(change.key);
    else {
      change.old = delta === undefined ? change.new : oldValueOf(change.new, delta, copied);
      items.set(change.key, change.old);
    }
  }
}

/** A difference says nothing without the value that it starts from. One lost value must not cost the recording. */
function oldValueOf(value: unknown, delta: Delta, copied: ((fields: number) => void) | undefined): unknown {
  if (delta[0] !== 0 && (value === LOST_VALUE || value === undefined)) return LOST_VALUE;
  try {
    return applyDelta(value, delta, copied);
  } catch (error) {
    if (error instanceof TypeError) return LOST_VALUE;
    throw error;
  }
}

/** Reads everything, in the order in which block-encoder.ts writes it. */
class BlockReader {
  readonly trace: BatchTrace;
  readonly notes: BatchNotes = {};
  readonly roots: number[] = [];
  /** Deltas to the old values, by place. */
  readonly olds: (string | undefined)[] = [];
  /** New values that are written in full, as JSON, by place. */
  readonly news: (string | undefined)[] = [];
  readonly sameFetches: DecodedBatch['sameFetches'] = new Map();
  readonly equalOutputs = new Map<Run, number>();
  readonly #reader: ByteReader;
  readonly #tables: BlockTableReader;
  readonly #uidOf: (name: string) => number;
  readonly #allowance: MemoryBudget | undefined;

  constructor(bytes: Uint8Array, uidOf: (name: string) => number, allowance: MemoryBudget | undefined) {
    const reader = new ByteReader(bytes, allowance);
    this.#allowance = allowance;
    this.#reader = reader;
    this.#tables = new BlockTableReader(reader);
    this.#uidOf = uidOf;
    const [sequence, received, settled] = [reader.uint(), reader.float(), reader.float()];
    this.trace = {sequence, received, settled, changes: [], runs: [], published: [], synced: []};
    const noted = reader.uint();
    if (noted & flags.block.lag) this.notes.lag = reader.float();
    if (noted & flags.block.writers) {
      this.notes.writers = new Map(JSON.parse(reader.json()) as [number, WireWriter][]);
    }
    this.#times(() => this.trace.synced.push(this.#tables.name()));
    this.#times(() => this.trace.published.push(this.#change()), weights.change);
    this.#times(() => this.roots.push(reader.uint()));
    this.#times(() => this.trace.runs.push(this.#run()), weights.run);
  }

  #times(read: () => void, weight: number = weights.place): void {
    for (let count = this.#reader.uint(); count > 0; count--) {
      this.#allowance?.take(weight);
      read();
    }
  }

  #change(): Published {
    const place = this.#collection();
    const key = this.#reader.text();
    const kind = this.#reader.uint();
    const run = kind & flags.change.run ? this.#reader.uint() : null;
    const change: Published = {...place, key, event: eventWords[kind & 3] ?? 'update', run};
    this.olds.push(kind & flags.change.old ? this.#reader.json() : undefined);
    this.news.push(kind & flags.change.new ? this.#reader.json() : undefined);
    if (kind & flags.change.from) {
      const from: number[] = [];
      this.#times(() => from.push(this.#reader.uint()));
      change.from = from;
    }
    return kind & flags.change.observed ? markObserved(change) : change;
  }

  #run(): Run {
    const reader = this.#reader;
    const place = this.#collection();
    const kind = reader.uint();
    const causes: Cause[] = [];
    this.#times(() => causes.push(this.#cause()), weights.cause);
    const input = kind & flags.run.ownInput ? (causes[0]?.key ?? '') : reader.text();
    const run: Run = {
      ...place,
      input,
      outcome: outcomeWords[kind & 7] ?? 'equal',
      causes,
      fetches: [],
      gained: [],
      lost: [],
      start: reader.uint() / 1000,
      duration: reader.uint() / 1000,
      outputs: [],
      counts: {added: 0, changed: 0, deleted: 0, equal: 0},
    };
    if (kind & flags.run.sameFetches) this.sameFetches.set(run, 'all');
    else this.#fetches(run);
    this.#outputs(run);
    if (kind & flags.run.rare) this.#rare(run, JSON.parse(reader.json()) as RareParts);
    return kind & flags.run.observed ? markObserved(run) : run;
  }

  #outputs(run: Run): void {
    const reader = this.#reader;
    const equal = reader.uint() - 1;
    if (equal > 0) this.equalOutputs.set(run, equal);
    this.#times(() => {
      const kind = reader.uint();
      const change: RunOutput['change'] = outputWords[kind & 3] ?? 'equal';
      run.outputs.push({key: kind & flags.output.ownKey ? run.input : reader.text(), change});
      run.counts[change] += 1;
    }, weights.output);
    run.counts.equal = Math.max(run.counts.equal, equal);
  }

  #rare(run: Run, {gained, lost, error, waitingFor}: RareParts): void {
    const refs = (pairs: RareParts['gained']) =>
      (pairs ?? []).map(([collection, filter]) => ({collection, uid: this.#uidOf(collection), filter}));
    run.gained = refs(gained);
    run.lost = refs(lost);
    if (error !== undefined) run.error = error;
    if (waitingFor !== undefined) run.waitingFor = waitingFor;
  }

  #cause(): Cause {
    const reader = this.#reader;
    const bits = flags.cause;
    const number = reader.uint();
    const cause: Cause & CauseMarks = {kind: causeWords[number & 7] ?? 'input'};
    if (number & bits.published) {
      const published = reader.uint();
      const change = this.trace.published[published];
      if (change !== undefined) {
        const {collection, uid, key, event} = change;
        Object.assign(cause, {collection, uid, key, event, published});
      }
    }
    if (number & bits.run) cause.run = reader.uint();
    if (number & bits.fetch) cause.fetch = reader.uint();
    if (number & bits.filter) cause.filter = this.#tables.name();
    if (number & bits.matched) cause.matched = matchWords[reader.uint()];
    if (number & bits.via) cause.via = this.#tables.via();
    if (number & bits.collection) Object.assign(cause, this.#collection());
    if (number & bits.key) cause.key = reader.text();
    if (number & bits.event) cause.event = eventWords[reader.uint()];
    if (number & bits.inferred) cause.inferred = true;
    if (number & bits.possible) cause.possible = true;
    return cause;
  }

  #fetches(run: Run): void {
    const same: SameFetch[] = [];
    const count = this.#reader.uint();
    for (let place = 0; place < count; place++) {
      const kind = this.#reader.uint();
      this.#allowance?.take(kind === SAME_FETCH || kind === COUNT_FETCH ? weights.sameFetch : weights.fetch);
      if (kind === SAME_FETCH) same.push({place});
      else if (kind === COUNT_FETCH) {
        same.push({place, counts: {matched: this.#reader.uint(), scanned: this.#reader.uint()}});
      } else run.fetches.push(kind === KEY_FETCH ? this.#keyFetch() : this.#queryFetch());
    }
    if (same.length > 0) this.sameFetches.set(run, same);
  }

  #keyFetch(): FetchRecord {
    const place = this.#collection();
    const key = this.#reader.text();
    const filter = `key ${key}`;
    const matched = this.#reader.uint();
    return {
      ...place,
      filter,
      clauses: [{kind: 'keys', text: filter, keys: [key]}],
      matched,
      scanned: this.#reader.uint(),
      via: {kind: 'index', name: 'key'},
      keys: matched > 0 ? [key] : [],
    };
  }

  #queryFetch(): FetchRecord {
    const {collection, filter, clauses} = this.#tables.query();
    const uid = this.#uidOf(collection);
    const [matched, scanned] = [this.#reader.uint(), this.#reader.uint()];
    const via = this.#tables.via();
    return {collection, uid, filter, clauses, matched, scanned, via, keys: this.#tables.answer()};
  }

  #collection(): {collection: string; uid: number} {
    const collection = this.#tables.name();
    return {collection, uid: this.#uidOf(collection)};
  }
}
