// Reads blocks back, newest first: from the state after a batch it gives the batch with all its values and leaves
// the state before it. What a run shares with the run before it is filled in by rebuild.ts.
import type {BatchTrace, Cause, FetchRecord, Published, Run, RunOutput, Via} from '../krt/index.ts';
import type {BatchNotes} from './batch.ts';
import type {EncodedBlock, EncodedCause, EncodedFetch, EncodedRun} from './block.ts';
import {applyDelta, type Delta} from './delta.ts';
import {causeWords, type EncodedQuery, eventWords, matchWords, outcomeWords, outputWords} from './words.ts';

/** Values by collection and key. */
export type State = Map<string, Map<string, unknown>>;

export interface DecodedBatch {
  trace: BatchTrace;
  roots: readonly number[];
  notes: BatchNotes;
  bytes: number;
  /** Runs that have the fetches of the run before, and how many equal outputs are to be had from it. */
  sameFetches: Set<Run>;
  equalOutputs: Map<Run, number>;
}

/**
 * `state` is the one after the batch and becomes the one before it. With `alone` the blocks in between are missing:
 * the state is left as it is and old values stay unknown.
 */
export function decodeBlock(
  bytes: Uint8Array,
  state: State,
  uidOf: (name: string) => number,
  alone = false,
): DecodedBatch {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const block = JSON.parse(text) as EncodedBlock;
  const reader = new Reader(block, uidOf);
  const {published} = reader;
  if (alone) for (const change of published) change.new = state.get(change.collection)?.get(change.key);
  else walkBack(published, block, state);
  const {roots, sequence, received, settled, synced} = block;
  const changes = roots.map(place => {
    const {run: _, from: __, ...change} = published[place] as Published;
    return change;
  });
  const runs = block.runs.map(run => reader.run(run));
  const notes: BatchNotes = {};
  if (block.lag !== undefined) notes.lag = block.lag;
  if (block.writers !== undefined) notes.writers = new Map(block.writers);
  const {sameFetches, equalOutputs} = reader;
  const trace = {sequence, received, settled, changes, runs, published, synced};
  return {trace, roots, notes, bytes: bytes.byteLength, sameFetches, equalOutputs};
}

function walkBack(published: Published[], block: EncodedBlock, state: State): void {
  for (let place = published.length - 1; place >= 0; place--) {
    const change = published[place] as Published;
    const delta = block.changes[place]?.[4] as Delta | 0 | undefined;
    let items = state.get(change.collection);
    if (items === undefined) {
      items = new Map();
      state.set(change.collection, items);
    }
    if (change.event === 'delete') {
      change.old = (delta as Delta)[1];
      items.set(change.key, change.old);
      continue;
    }
    change.new = items.get(change.key);
    if (change.event === 'add') items.delete(change.key);
    else {
      change.old = delta === 0 || delta === undefined ? change.new : applyDelta(change.new, delta);
      items.set(change.key, change.old);
    }
  }
}

class Reader {
  readonly published: Published[];
  readonly sameFetches = new Set<Run>();
  readonly equalOutputs = new Map<Run, number>();
  readonly #block: EncodedBlock;
  readonly #uidOf: (name: string) => number;
  readonly #vias = new Map<number, Via>();

  constructor(block: EncodedBlock, uidOf: (name: string) => number) {
    this.#block = block;
    this.#uidOf = uidOf;
    this.published = block.changes.map(([collection, key, event, run, , from]) => {
      const change: Published = {
        ...this.#collection(collection),
        key,
        event: eventWords[event] ?? 'update',
        run: run < 0 ? null : run,
      };
      if (from !== undefined) change.from = [...from];
      return change;
    });
  }

  run([collection, input, outcome, start, duration, causes, fetches, outputs, rare]: EncodedRun): Run {
    const run: Run = {
      ...this.#collection(collection),
      input,
      outcome: outcomeWords[outcome] ?? 'equal',
      causes: causes.map(cause => this.#cause(cause)),
      fetches: fetches === 0 ? [] : fetches.map(fetch => this.#fetch(fetch)),
      gained: this.#refs(rare?.gained),
      lost: this.#refs(rare?.lost),
      start: start / 1000,
      duration: duration / 1000,
      outputs: [],
      counts: {added: 0, changed: 0, deleted: 0, equal: 0},
    };
    if (fetches === 0) this.sameFetches.add(run);
    const equal = outputs[0] as number;
    if (equal > 0) this.equalOutputs.set(run, equal);
    for (let i = 1; i < outputs.length; i += 2) {
      const key = outputs[i] as string | 0;
      const change: RunOutput['change'] = outputWords[outputs[i + 1] as number] ?? 'equal';
      run.outputs.push({key: key === 0 ? input : key, change});
      run.counts[change] += 1;
    }
    run.counts.equal = Math.max(run.counts.equal, equal);
    if (rare?.error !== undefined) run.error = rare.error;
    if (rare?.waitingFor !== undefined) run.waitingFor = rare.waitingFor;
    return run;
  }

  #cause([kind, published, run, fetch, filter, matched, via, collection, key, event]: EncodedCause): Cause {
    const cause: Cause = {kind: causeWords[kind as number] ?? 'input'};
    const change = has(published) ? this.published[published] : undefined;
    if (change !== undefined) {
      cause.collection = change.collection;
      cause.uid = change.uid;
      cause.key = change.key;
      cause.event = change.event;
      cause.published = published as number;
    } else if (has(collection)) {
      Object.assign(cause, this.#collection(collection));
      if (typeof key === 'string') cause.key = key;
      if (has(event)) cause.event = eventWords[event];
    }
    if (has(run)) cause.run = run;
    if (has(fetch)) cause.fetch = fetch;
    if (has(filter)) cause.filter = this.#block.names[filter];
    if (has(matched)) cause.matched = matchWords[matched];
    if (has(via)) cause.via = this.#via(via);
    return cause;
  }

  #fetch(encoded: EncodedFetch): FetchRecord {
    if (encoded.length === 4) {
      const [collection, key, matched, scanned] = encoded;
      const filter = `key ${key}`;
      return {
        ...this.#collection(collection),
        filter,
        clauses: [{kind: 'keys', text: filter, keys: [key]}],
        matched,
        scanned,
        via: {kind: 'index', name: 'key'},
        keys: matched > 0 ? [key] : [],
      };
    }
    const [query, matched, scanned, via, keys] = encoded;
    const [collection, filter, clauses] = this.#block.queries[query] as EncodedQuery;
    const answered: Via = has(via) ? this.#via(via) : {kind: 'scan'};
    return {...this.#collection(collection), filter, clauses, matched, scanned, via: answered, keys};
  }

  #refs(encoded: [number, string][] | undefined): Run['gained'] {
    return (encoded ?? []).map(([collection, filter]) => ({...this.#collection(collection), filter}));
  }

  #via(place: number): Via {
    const held = this.#vias.get(place);
    if (held !== undefined) return held;
    const [kind, ...name] = (this.#block.names[place] ?? '').split(' ');
    const via: Via = {kind: kind === 'index' ? 'index' : 'scan'};
    if (name.length > 0) via.name = name.join(' ');
    this.#vias.set(place, via);
    return via;
  }

  #collection(place: number): {collection: string; uid: number} {
    const collection = this.#block.names[place] ?? '';
    return {collection, uid: this.#uidOf(collection)};
  }
}

function has(place: number | string | undefined): place is number {
  return typeof place === 'number' && place >= 0;
}
