// Reads blocks back, newest first: from the state after a batch it gives the batch with all its values and leaves
// the state before it.
import type {BatchTrace, Cause, Clause, FetchRecord, Published, Run, RunOutput, Via} from '../krt/index.ts';
import type {BatchNotes} from './batch.ts';
import {
  causeWords,
  type EncodedBlock,
  type EncodedCause,
  type EncodedFetch,
  type EncodedRun,
  eventWords,
  matchWords,
  outcomeWords,
  outputWords,
} from './block.ts';
import {applyDelta, type Delta} from './delta.ts';
import type {EncodedQuery} from './strings.ts';

/** Values by collection and key. */
export type State = Map<string, Map<string, unknown>>;

export interface DecodedBatch {
  trace: BatchTrace;
  roots: number[];
  notes: BatchNotes;
  bytes: number;
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
  const published = reader.changes();
  if (alone) for (const change of published) change.new = state.get(change.collection)?.get(change.key);
  else walkBack(published, block, state);
  const roots = block.roots;
  const trace: BatchTrace = {
    sequence: block.sequence,
    received: block.received,
    settled: block.settled,
    changes: roots.map(place => {
      const {run: _, from: __, ...change} = published[place] as Published;
      return change;
    }),
    runs: block.runs.map(run => reader.run(run)),
    published,
    synced: block.synced,
  };
  const notes: BatchNotes = {};
  if (block.lag !== undefined) notes.lag = block.lag;
  if (block.writers !== undefined) notes.writers = new Map(block.writers);
  return {trace, roots, notes, bytes: bytes.byteLength};
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
  readonly #block: EncodedBlock;
  readonly #uidOf: (name: string) => number;
  readonly #vias = new Map<number, Via>();

  constructor(block: EncodedBlock, uidOf: (name: string) => number) {
    this.#block = block;
    this.#uidOf = uidOf;
  }

  changes(): Published[] {
    return this.#block.changes.map(([collection, key, event, run, , from]) => {
      const name = this.#word(collection);
      const change: Published = {
        collection: name,
        uid: this.#uidOf(name),
        key: this.#word(key),
        event: eventWords[event] ?? 'update',
        run: run < 0 ? null : run,
      };
      if (from !== undefined) change.from = [...from];
      return change;
    });
  }

  run(encoded: EncodedRun): Run {
    const [collection, input, outcome, start, duration, causes, fetches, outputs, gained, lost] = encoded;
    const name = this.#word(collection);
    const run: Run = {
      collection: name,
      uid: this.#uidOf(name),
      input: this.#word(input),
      outcome: outcomeWords[outcome] ?? 'equal',
      causes: causes.map(cause => this.#cause(cause)),
      fetches: fetches.map(fetch => this.#fetch(fetch)),
      gained: this.#refs(gained),
      lost: this.#refs(lost),
      start: start / 1000,
      duration: duration / 1000,
      outputs: [],
      counts: {added: 0, changed: 0, deleted: 0, equal: 0},
    };
    for (let i = 0; i < outputs.length; i += 2) {
      const change: RunOutput['change'] = outputWords[outputs[i + 1] as number] ?? 'equal';
      run.outputs.push({key: this.#word(outputs[i] as number), change});
      run.counts[change] += 1;
    }
    if (encoded[10] >= 0) run.error = this.#word(encoded[10]);
    if (encoded[11] >= 0) run.waitingFor = this.#word(encoded[11]);
    return run;
  }

  #cause([kind, collection, key, event, fetch, filter, matched, via, run, published]: EncodedCause): Cause {
    const cause: Cause = {kind: causeWords[kind as number] ?? 'input'};
    if (has(collection)) {
      cause.collection = this.#word(collection);
      cause.uid = this.#uidOf(cause.collection);
    }
    if (has(key)) cause.key = this.#word(key);
    if (has(event)) cause.event = eventWords[event];
    if (has(fetch)) cause.fetch = fetch;
    if (has(filter)) cause.filter = this.#word(filter);
    if (has(matched)) cause.matched = matchWords[matched];
    if (has(via)) cause.via = this.#via(via);
    if (has(run)) cause.run = run;
    if (has(published)) cause.published = published;
    return cause;
  }

  #fetch([query, matched, scanned, via, keys]: EncodedFetch): FetchRecord {
    const [collection, filter, clauses] = this.#block.queries[query] as EncodedQuery;
    const name = this.#word(collection);
    return {
      collection: name,
      uid: this.#uidOf(name),
      filter: this.#word(filter),
      clauses: clauses as readonly Clause[],
      matched,
      scanned,
      via: has(via) ? this.#via(via) : {kind: 'scan'},
      keys: keys.map(key => this.#word(key)),
    };
  }

  #refs(encoded: number[]): Run['gained'] {
    const refs: {collection: string; uid: number; filter: string}[] = [];
    for (let i = 0; i < encoded.length; i += 2) {
      const collection = this.#word(encoded[i] as number);
      refs.push({collection, uid: this.#uidOf(collection), filter: this.#word(encoded[i + 1] as number)});
    }
    return refs;
  }

  #via(place: number): Via {
    const held = this.#vias.get(place);
    if (held !== undefined) return held;
    const [kind, ...name] = this.#word(place).split(' ');
    const via: Via = {kind: kind === 'index' ? 'index' : 'scan'};
    if (name.length > 0) via.name = name.join(' ');
    this.#vias.set(place, via);
    return via;
  }

  #word(place: number): string {
    return this.#block.words[place] ?? '';
  }
}

function has(place: number | undefined): place is number {
  return place !== undefined && place >= 0;
}
