// Reports a krt engine: its collections, their rows, and each batch with its runs and causes.

import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {
  type BatchTrace,
  type Collection,
  collectionsOf,
  dependenciesOf,
  type Engine,
  inputs,
  keyOf,
  type Run,
} from '../krt/index.ts';
import {JsonWriter} from '../runtime/report/json-writer.ts';
import type {ProgramPart, Send} from '../runtime/report/program.ts';
import {informerSource} from './informer-sources.ts';

/** Characters in one piece of a snapshot. */
const PIECE_CHARACTERS = 500_000;
/** Rows in one piece. The server accepts twice as many. */
const PIECE_ROWS = 10_000;

export class EngineReporter implements ProgramPart {
  readonly #engine: Engine;
  readonly #json = new JsonWriter();
  /** Unique collection names by uid. */
  readonly #names = new Map<number, string>();
  #send: Send | undefined;
  #lose: () => void = () => {};
  #stop: () => void = () => {};
  #lastOutline = '';
  #syncState = '';
  #outlineCheckedAt = 0;
  /** Collections whose sync is awaited, by uid. */
  readonly #unsynced = new Set<number>();
  #sequence = 0;
  /** Rows that changed while a snapshot is sent in pieces. Its last piece repeats them. */
  #touched: Map<string, Set<string>> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  begin(send: Send, lose: () => void, redactionKey?: string): void {
    this.#json.setRedactionKey(redactionKey);
    this.#send = send;
    this.#lose = lose;
    this.#stop = this.#engine.onTrace(trace => this.#sendBatch(trace));
  }

  end(): void {
    this.#stop();
    this.#send = undefined;
    this.#touched = undefined;
  }

  *state(): Iterable<string> {
    this.#lastOutline = this.#outline();
    yield this.#lastOutline;
    const touched = new Map<string, Set<string>>();
    this.#touched = touched;
    let rows: string[] = [];
    let characters = 0;
    for (const collection of collectionsOf(this.#engine)) {
      for (const item of collection.list()) {
        const text = this.#row(collection, item);
        rows.push(text);
        characters += text.length;
        if (characters < PIECE_CHARACTERS && rows.length < PIECE_ROWS) continue;
        yield this.#snapshot(rows, false);
        rows = [];
        characters = 0;
      }
    }
    this.#touched = undefined;
    const inputs = yield* this.#inputs();
    // Without this, a row that was added after its collection was sent would count as removed.
    for (const collection of collectionsOf(this.#engine))
      for (const key of touched.get(this.#nameOf(collection.uid, collection.name)) ?? []) {
        const item = collection.getKey(key);
        if (item !== undefined) rows.push(this.#row(collection, item));
      }
    yield this.#snapshot(rows, true, inputs);
  }

  /** The inputs of computed collections, with the rows they yield and their fetches. Returns the last piece. */
  *#inputs(): Generator<string, string[]> {
    let pieces: string[] = [];
    let characters = 0;
    for (const collection of collectionsOf(this.#engine)) {
      const name = this.#nameOf(collection.uid, collection.name);
      for (const {input, outputs} of inputs(collection)) {
        const fetches = dependenciesOf(collection, input).map(one => ({
          collection: this.#nameOf(one.uid, one.collection),
          filter: one.filter,
          clauses: one.clauses,
          matched: one.matched,
          via: one.via,
          keys: one.keys.slice(0, 100),
        }));
        const text = JSON.stringify({
          collection: name,
          input,
          outputs: outputs.slice(0, 1000),
          fetches: fetches.slice(0, 200),
        });
        pieces.push(text);
        characters += text.length;
        if (characters < PIECE_CHARACTERS && pieces.length < PIECE_ROWS) continue;
        yield this.#snapshot([], false, pieces);
        pieces = [];
        characters = 0;
      }
    }
    return pieces;
  }

  /** Sends the graph's outline if it changed. Checks its many edges at most once a second. */
  #sendOutline(send: Send): void {
    const syncState = collectionsOf(this.#engine)
      .map(collection => `${collection.uid}${collection.hasSynced() ? '' : '-'}`)
      .join();
    const now = Date.now();
    if (syncState === this.#syncState && now - this.#outlineCheckedAt < 1000) return;
    this.#syncState = syncState;
    this.#outlineCheckedAt = now;
    const outline = this.#outline();
    if (outline === this.#lastOutline) return;
    this.#lastOutline = outline;
    send(outline);
  }

  #sendBatch(trace: BatchTrace): void {
    const send = this.#send;
    if (!send) return;
    this.#sequence = trace.sequence;
    this.#sendOutline(send);
    const most = programLimits.changes;
    // The server would take half a batch for the whole one.
    if (trace.published.length > most || trace.runs.length > most) {
      this.#lose();
      return;
    }
    const changes = trace.published.map(({collection, uid, key, event, new: value, run, from}) => {
      const name = this.#nameOf(uid, collection);
      this.#touch(name, key);
      const writer = informerSource(this.#engine, uid)?.writerOf(key);
      const head = JSON.stringify({collection: name, key, event, run, from: from?.slice(0, 1000), writer});
      if (event === 'delete') return head;
      return `${head.slice(0, -1)},"new":${this.#json.value(value, this.#kindOf(uid, name))}}`;
    });
    const runs = JSON.stringify(trace.runs.map(run => this.#run(run)));
    const now = Date.now();
    const took = Math.max(0, trace.settled - trace.received);
    const head = JSON.stringify({
      type: 'batch',
      sequence: trace.sequence,
      received: now - took,
      settled: now,
      synced: trace.synced,
    });
    send(`${head.slice(0, -1)},"changes":[${changes.join(',')}],"runs":${runs}}`);
  }

  #run(run: Run): object {
    const {collection, uid, input, outcome, causes, fetches, gained, lost, outputs, start, duration} = run;
    const name = (of: {uid?: number | undefined; collection?: string | undefined}) =>
      of.uid === undefined ? of.collection : this.#nameOf(of.uid, of.collection ?? '');
    const reference = (of: {uid: number; collection: string; filter: string}) => ({
      collection: name(of),
      filter: of.filter,
    });
    return {
      collection: this.#nameOf(uid, collection),
      input,
      outcome,
      causes: causes
        .slice(0, 1000)
        .map(({uid: _, ...cause}) => ({...cause, collection: name({...cause, uid: _})})),
      fetches: fetches.slice(0, 1000).map(({uid: _, keys, ...one}) => ({
        ...one,
        collection: name({...one, uid: _}),
        keys: keys.slice(0, 100),
      })),
      gained: gained.slice(0, 1000).map(reference),
      lost: lost.slice(0, 1000).map(reference),
      outputs,
      start,
      duration,
      error: run.error,
      waitingFor: run.waitingFor,
    };
  }

  /** A batch that syncs a collection and changes no row has no trace, so await the sync itself. */
  #awaitSync(): void {
    for (const collection of collectionsOf(this.#engine)) {
      const {uid} = collection;
      if (collection.hasSynced() || this.#unsynced.has(uid)) continue;
      this.#unsynced.add(uid);
      void collection.waitUntilSynced().then(() => {
        this.#unsynced.delete(uid);
        if (this.#send) this.#sendOutline(this.#send);
      });
    }
  }

  #outline(): string {
    this.#awaitSync();
    const collections = this.#engine.collections().map(({name, uid, kind, synced, inputs}) => {
      const resource = informerSource(this.#engine, uid)?.resource;
      return {
        name: this.#nameOf(uid, name),
        kind: resource === undefined ? kind : 'source',
        synced,
        from: inputs.slice(0, 200).map(edge => ({
          collection: this.#nameOf(edge.uid, edge.collection),
          kind: edge.kind,
        })),
        resource,
      };
    });
    return JSON.stringify({
      type: 'collections',
      collections: collections.slice(0, programLimits.collections),
    });
  }

  #snapshot(rows: readonly string[], last: boolean, inputs: readonly string[] = []): string {
    const head = JSON.stringify({type: 'snapshot', sequence: this.#sequence, at: Date.now(), last});
    return `${head.slice(0, -1)},"items":[${rows.join(',')}],"inputs":[${inputs.join(',')}]}`;
  }

  #row(collection: Collection<unknown>, item: unknown): string {
    const name = this.#nameOf(collection.uid, collection.name);
    const value = this.#json.value(item, this.#kindOf(collection.uid, name));
    return `[${JSON.stringify(name)},${JSON.stringify(keyOf(item, collection))},${value}]`;
  }

  /** The kind of rows that do not carry one. Items of a list do not. */
  #kindOf(uid: number, name: string): string | undefined {
    return informerSource(this.#engine, uid)?.resource.kind ?? kindOfName(name);
  }

  #touch(name: string, key: string): void {
    if (!this.#touched) return;
    const keys = this.#touched.get(name) ?? new Set();
    keys.add(key);
    this.#touched.set(name, keys);
  }

  /** The second collection of a name becomes `name#2`, and keeps that name. */
  #nameOf(uid: number, name: string): string {
    const existing = this.#names.get(uid);
    if (existing !== undefined) return existing;
    const taken = new Set(this.#names.values());
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}#${n}`;
    this.#names.set(uid, free);
    return free;
  }
}

/** Rows of a collection that is named for Secrets, if they do not carry a kind. */
function kindOfName(collection: string): string | undefined {
  return /secrets?(#\d+)?$/i.test(collection) ? 'Secret' : undefined;
}
