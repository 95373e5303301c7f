// The rows of a program. Turns its batches and snapshots into changes, limited in number and size.
import {isDeepStrictEqual} from 'node:util';
import type {FromProgram, ProgramRun} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import type {
  ProgramBatchReport,
  ProgramChangeReport,
  ProgramInputReport,
} from '../../engine/link/program-batch.ts';

type ProgramMessageOf<T extends FromProgram['type']> = Extract<FromProgram, {type: T}>;

interface ProgramRow {
  value: unknown;
  bytes: number;
}

type ProgramRowsByCollection = Map<string, Map<string, ProgramRow>>;

/** Changes and inputs in one piece of a snapshot. */
const PIECE_SIZE = 2000;

export interface ProgramRowsBatch {
  changes: ProgramChangeReport[];
  told: ProgramBatchReport;
}

export class ProgramRows {
  readonly #rows: ProgramRowsByCollection = new Map();
  #count = 0;
  #bytes = 0;
  #snapshot:
    | {rows: ProgramRowsByCollection; inputs: ProgramInputReport[]; bytes: number; count: number}
    | undefined;

  /** Which limit is exceeded, if any. */
  get excess(): string | undefined {
    const {rows, heldBytes} = programLimits;
    const count = Math.max(this.#count, this.#snapshot?.count ?? 0);
    if (count > rows) return `the program has more than ${rows} rows`;
    if (this.#bytes + (this.#snapshot?.bytes ?? 0) > heldBytes)
      return `the program's rows weigh more than ${heldBytes / 1024 / 1024} MB`;
    return undefined;
  }

  /** One batch; `bytes` is the size of its message. */
  batch(
    {changes, runs, received, settled, synced}: ProgramMessageOf<'batch'>,
    bytes: number,
  ): ProgramRowsBatch {
    const each = bytes / Math.max(1, changes.length);
    const places: (number | undefined)[] = [];
    const reports: ProgramChangeReport[] = [];
    for (const {collection, key, event, new: value, run, from, writer} of changes) {
      const exists = this.#rows.get(collection)?.has(key) === true;
      // Ignore deletes of unknown keys, but keep the positions that later records refer to.
      if (event === 'delete' && !exists) {
        places.push(undefined);
        continue;
      }
      const causes = from?.flatMap(place => places[place] ?? []);
      places.push(reports.length);
      const change: ProgramChangeReport = {
        collection,
        key,
        event: event === 'delete' ? 'delete' : exists ? 'update' : 'add',
        received,
      };
      if (event !== 'delete') change.new = value;
      if (run === null || (run !== undefined && run < runs.length)) change.run = run;
      if (causes !== undefined && causes.length > 0) change.from = causes;
      if (writer !== undefined) change.writer = writer;
      reports.push(change);
      this.#put(this.#rows, change, each);
      if (this.#snapshot !== undefined) this.#put(this.#snapshot.rows, change, each, false);
    }
    return {
      changes: reports,
      told: {received, settled, synced, runs: runs.map(run => remapPlaces(run, places, runs.length))},
    };
  }

  /** A part of a snapshot. The last part yields the differences, as batches without a cause. */
  *snapshot(
    {items, inputs, last, at}: ProgramMessageOf<'snapshot'>,
    bytes: number,
  ): Iterable<ProgramRowsBatch> {
    this.#snapshot ??= {rows: new Map(), inputs: [], bytes: 0, count: 0};
    const {rows} = this.#snapshot;
    const each = bytes / Math.max(1, items.length);
    for (const [collection, key, value] of items) {
      const stored = rowsOfCollection(rows, collection);
      stored.set(key, {value, bytes: each});
    }
    for (const input of inputs) this.#snapshot.inputs.push(input);
    this.#snapshot.bytes += bytes;
    this.#snapshot.count += items.length + inputs.length;
    if (!last) return;
    const inputReports = this.#snapshot.inputs;
    this.#snapshot = undefined;
    for (const changes of splitIntoPieces(this.#differences(rows, at)))
      yield {changes, told: {received: at, settled: at, synced: [], runs: []}};
    for (const some of splitIntoPieces(inputReports))
      yield {changes: [], told: {received: at, settled: at, synced: [], runs: [], inputs: some}};
  }

  /** Removes the rows of collections that no longer exist. */
  *drop(names: readonly string[], at: number): Iterable<ProgramChangeReport[]> {
    const deletes: ProgramChangeReport[] = [];
    for (const collection of names)
      for (const key of this.#rows.get(collection)?.keys() ?? [])
        deletes.push({collection, key, event: 'delete', received: at});
    for (const change of deletes) this.#put(this.#rows, change, 0);
    for (const name of names) this.#snapshot?.rows.delete(name);
    yield* splitIntoPieces(deletes);
  }

  /** Forgets a started snapshot, which a new connection does not finish. */
  forgetSnapshot(): void {
    this.#snapshot = undefined;
  }

  *#differences(now: ProgramRowsByCollection, received: number): Iterable<ProgramChangeReport> {
    for (const [collection, rows] of this.#rows)
      for (const key of [...rows.keys()]) {
        if (now.get(collection)?.has(key)) continue;
        const change: ProgramChangeReport = {collection, key, event: 'delete', received};
        this.#put(this.#rows, change, 0);
        yield change;
      }
    for (const [collection, rows] of now)
      for (const [key, {value, bytes}] of rows) {
        const old = this.#rows.get(collection)?.get(key);
        if (old !== undefined && isDeepStrictEqual(old.value, value)) continue;
        const event = old === undefined ? 'add' : 'update';
        const change: ProgramChangeReport = {collection, key, event, new: value, received};
        this.#put(this.#rows, change, bytes);
        yield change;
      }
  }

  #put(
    rows: ProgramRowsByCollection,
    {collection, key, event, new: value}: ProgramChangeReport,
    bytes: number,
    counts = true,
  ): void {
    const stored = rowsOfCollection(rows, collection);
    const old = stored.get(key);
    if (event === 'delete') stored.delete(key);
    else stored.set(key, {value, bytes});
    if (!counts) return;
    this.#count += (event === 'delete' ? 0 : 1) - (old === undefined ? 0 : 1);
    this.#bytes += (event === 'delete' ? 0 : bytes) - (old?.bytes ?? 0);
  }
}

function rowsOfCollection(rows: ProgramRowsByCollection, name: string): Map<string, ProgramRow> {
  let stored = rows.get(name);
  if (stored === undefined) {
    stored = new Map();
    rows.set(name, stored);
  }
  return stored;
}

/** Causes refer to runs and changes by position. Drops references to missing ones. */
function remapPlaces(run: ProgramRun, places: readonly (number | undefined)[], runs: number): ProgramRun {
  const causes = run.causes.map(({run: by, published, ...cause}) => {
    const place = published === undefined ? undefined : places[published];
    return {
      ...cause,
      ...(by !== undefined && by < runs ? {run: by} : {}),
      ...(place === undefined ? {} : {published: place}),
    };
  });
  return {...run, causes};
}

function* splitIntoPieces<T>(all: Iterable<T>): Iterable<T[]> {
  let piece: T[] = [];
  for (const one of all) {
    piece.push(one);
    if (piece.length < PIECE_SIZE) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
