// Records every trace, encodes it, and sends main the blocks to keep. Main gets a batch's block before anything that
// shows the batch.
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import type {Batch, BatchNotes, RetainedRows} from '../../../history/batch.ts';
import {isJournal} from '../../../history/journal.ts';
import {rootPlaces} from '../../../history/recording.ts';
import {encodeBatch} from '../../../history/recording-rebuild.ts';
import type {BatchTrace, Published} from '../../../krt/index.ts';
import {packBlocks} from '../../link/block-packing.ts';
import {isHiddenCollection} from '../../link/hidden-collections.ts';
import type {Block, FromHost, ObeyedCommand, ReplayRows} from '../../link/host-messages.ts';
import type {SecondTally} from '../../link/recording-archive.ts';
import type {BatchWriteOrigin} from '../live-graph/live-graph.ts';
import {talliesOf} from './batch-counts.ts';
import {FormulaShares} from './formula-shares.ts';
import type {HostHistory} from './host-history.ts';

interface UnsentTrace {
  readonly trace: BatchTrace;
  readonly roots: number[];
  readonly batch: Batch;
}

/** The decay of the recording's share, for each batch. */
const FORGET = 0.999;
/** The recording's cost is an average over so many milliseconds. */
const COST_OVER = 10_000;

export class TraceRecorder {
  readonly #history: HostHistory;
  readonly #send: (message: FromHost) => void;
  readonly #retained: () => RetainedHistory;
  readonly #shares: FormulaShares;
  readonly #isUserMade = (name: string): boolean => this.#history.collections.isUserMade(name);
  #waiting: UnsentTrace[] = [];
  #rows: ReplayRows[] = [];
  #obeyed: ObeyedCommand[] = [];
  #through = 0;
  #sentThrough = 0;
  #sentVersion = 0;
  #holding = false;
  #isCopy = false;
  /** The last sequence of the replay, after its end. */
  #replay: number | undefined;
  #engineTime = 0;
  #recordTime = 0;
  /** Milliseconds of recording in one second, as of `#costAt`. */
  #cost = 0;
  #costAt = 0;

  constructor(history: HostHistory, send: (message: FromHost) => void, retained: () => RetainedHistory) {
    this.#history = history;
    this.#send = send;
    this.#retained = retained;
    this.#shares = new FormulaShares(this.#isUserMade);
  }

  /** The oldest retained batch; 0 until the old records are back. */
  get oldest(): number {
    return this.#holding ? 0 : this.#history.recording.oldest;
  }

  /** A new process applies the objects of the previous one. */
  get isReplaying(): boolean {
    return this.#holding && this.#replay === undefined;
  }

  /** The share of engine time that recording takes. */
  get share(): number {
    const all = this.#engineTime + this.#recordTime;
    return all === 0 ? 0 : this.#recordTime / all;
  }

  /** Milliseconds of recording in one second, averaged over about ten seconds. */
  get cost(): number {
    return this.#cost * Math.exp((this.#costAt - performance.now()) / COST_OVER);
  }

  #spend(milliseconds: number): void {
    this.#cost = this.cost + (milliseconds * 1000) / COST_OVER;
    this.#costAt = performance.now();
    this.#recordTime += milliseconds;
  }

  record(trace: BatchTrace, origin: BatchWriteOrigin): Batch {
    const start = performance.now();
    const roots = rootPlaces(trace);
    const notes = notesOf(trace, roots, origin);
    const batch = this.#history.recording.record(trace, notes, roots);
    for (const name of trace.synced) this.#history.collections.noteSynced(name, trace.sequence);
    this.#waiting.push({trace, roots, batch});
    for (const stay of batch.stays ?? []) this.#rows.push(replayRowsOf(stay));
    // A replay of objects does not restore journal rows, except those that main writes itself.
    for (const place of roots) {
      const {collection, key, new: row} = trace.published[place] as Published;
      if (isJournal(collection) && !isHiddenCollection(collection))
        this.#rows.push([collection, key, row ? JSON.stringify([row]) : null]);
    }
    this.#recordTime *= FORGET;
    this.#spend(performance.now() - start);
    this.#engineTime = this.#engineTime * FORGET + trace.settled - trace.received;
    return batch;
  }

  /** Sends the answer to a command with the batches that it made. */
  noteObeyed(command: ObeyedCommand): void {
    this.#obeyed.push(command);
  }

  /** Rows that a replay of objects does not restore: another process computes them. */
  keepRows(rows: readonly ReplayRows[]): void {
    this.#rows.push(...rows);
  }

  /** Main's batches up to this one are applied. */
  markApplied(through: number): void {
    this.#through = through;
  }

  /** Sends nothing of a replay to main: main's blocks already end with that state. */
  hold(): void {
    this.#holding = true;
  }

  /** Main keeps nothing of a copy, so its batches are not encoded. */
  keepToItself(): void {
    this.#isCopy = true;
  }

  /** Sends later batches even before the old records are back: a second death must not lose what was shown. */
  markReplayed(sequence: number): void {
    this.#replay = sequence;
  }

  /** The records are complete again. `blocks` replace everything that waited. */
  release(blocks: Block[]): void {
    this.#holding = false;
    this.#replay = undefined;
    this.#waiting = [];
    this.#tell(blocks);
  }

  flush(): void {
    if (this.#isCopy) {
      this.#flushCopy();
      return;
    }
    const replay = this.#holding ? this.#replay : 0;
    if (replay === undefined) return;
    const {recording, collections} = this.#history;
    const isHistoryNew = this.#sentVersion !== this.#history.collections.version;
    const hasNews = this.#sentThrough !== this.#through || this.#obeyed.length > 0 || isHistoryNew;
    if (this.#waiting.length === 0 && !hasNews) return;
    const start = performance.now();
    const blocks: Block[] = [];
    const batches: Batch[] = [];
    for (const {trace, roots, batch} of this.#waiting) {
      if (trace.sequence <= replay) continue;
      batches.push(batch);
      const limited = this.#shares.limit(trace, batch, recording);
      const bytes = encodeBatch(batch, {trace: limited, roots}, this.#isUserMade);
      this.#shares.count(trace, bytes.byteLength);
      blocks.push({sequence: trace.sequence, bytes});
      // Batches that hold the replayed state must stay until the old records are below them.
      if (!this.#holding) recording.setEncodedSize(batch, bytes.byteLength);
    }
    this.#waiting = [];
    const tallies = talliesOf(batches, (name, sequence) => sequence <= (collections.syncedAt(name) ?? 0));
    this.#spend(performance.now() - start);
    this.#tell(blocks, tallies);
  }

  /** Main only learns how far the copy is. */
  #flushCopy(): void {
    const {recording} = this.#history;
    this.#waiting = [];
    this.#rows = [];
    this.#obeyed = [];
    recording.trim();
    recording.takeDropped();
    if (this.#sentThrough === this.#through) return;
    this.#sentThrough = this.#through;
    this.#send({
      type: 'settled',
      sequence: recording.newest,
      through: this.#through,
      blocks: packBlocks([]),
      drop: [],
      at: Date.now(),
      tallies: [],
    });
  }

  #tell(blocks: Block[], tallies: SecondTally[] = []): void {
    const {recording, collections} = this.#history;
    const newest = blocks.at(-1);
    this.#sentThrough = this.#through;
    const isHistoryNew = this.#sentVersion !== collections.version;
    if (isHistoryNew) this.#sentVersion = collections.version;
    const rows = this.#rows;
    this.#rows = [];
    const obeyed = this.#obeyed;
    this.#obeyed = [];
    this.#send({
      type: 'settled',
      sequence: recording.newest,
      through: this.#through,
      at: (newest && recording.batch(newest.sequence)?.at) ?? Date.now(),
      tallies,
      blocks: packBlocks(blocks),
      drop: this.#holding ? [] : recording.takeDropped(),
      ...(this.#holding ? {} : {kept: this.#retained()}),
      ...(rows.length > 0 ? {rows} : {}),
      ...(obeyed.length > 0 ? {obeyed} : {}),
      ...(isHistoryNew
        ? {lives: JSON.stringify({collections: collections.write(), modules: collections.writeModules()})}
        : {}),
    });
  }
}

function replayRowsOf({collection, input, rows}: RetainedRows): ReplayRows {
  try {
    return [collection, input, rows === undefined ? null : JSON.stringify(rows)];
  } catch {
    // A row that JSON cannot express is lost at a restart.
    return [collection, input, null];
  }
}

function notesOf(trace: BatchTrace, roots: readonly number[], origin: BatchWriteOrigin): BatchNotes {
  const notes: BatchNotes = {};
  if (origin.received !== undefined)
    notes.lag = Math.max(0, Math.round((trace.settled - origin.received) * 10) / 10);
  if (origin.writers.size > 0) {
    const writers: NonNullable<BatchNotes['writers']> = new Map();
    for (const place of roots) {
      const change = trace.published[place];
      const writer = change && origin.writers.get(`${change.collection} ${change.key}`);
      if (writer !== undefined) writers.set(place, writer);
    }
    if (writers.size > 0) notes.writers = writers;
  }
  return notes;
}
