// Writes a recording even if the disk fails for a while: entries wait in memory, within a limit, and are tried again.
import type {RecordingSnapshot} from '../engine/link/recording-archive.ts';
import type {WriterStatus} from './archive-calls.ts';
import type {ArchiveEntry} from './archive-entries.ts';
import type {OpenWriter} from './open-recordings.ts';

const RETRY_MS = 1000;
/** Bytes that wait while the disk fails. */
const MAX_WAITING_BYTES = 64 << 20;

export class RetryingWriter {
  readonly #open: OpenWriter;
  readonly #tell: (status: WriterStatus) => void;
  #waiting: ArchiveEntry[] = [];
  #waitingBytes = 0;
  #snapshot: {snapshot: RecordingSnapshot; at: number} | undefined;
  #retry: NodeJS.Timeout | undefined;
  #problem: string | undefined;
  /** Batches that could not wait any longer. */
  #lost: {from: number; to: number; began: number} | undefined;
  #written = 0;

  constructor(open: OpenWriter, tell: (status: WriterStatus) => void) {
    this.#open = open;
    this.#tell = tell;
  }

  append(entries: readonly ArchiveEntry[]): void {
    for (const entry of entries) {
      this.#waiting.push(entry);
      this.#waitingBytes += sizeOf(entry);
    }
    if (this.#problem === undefined) this.#write();
    else this.#limitWaiting();
  }

  snapshot(snapshot: RecordingSnapshot, at: number): void {
    this.#snapshot = {snapshot, at};
    if (this.#problem === undefined) this.#write();
  }

  /** The last try. */
  end(): void {
    clearTimeout(this.#retry);
    this.#write();
    clearTimeout(this.#retry);
  }

  #write(): void {
    try {
      this.#noteLoss();
      if (this.#waiting.length > 0) this.#open.writer.append(this.#waiting);
      this.#noteWritten();
      if (this.#snapshot !== undefined)
        this.#open.writer.snapshot(this.#snapshot.snapshot, this.#snapshot.at);
      this.#snapshot = undefined;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = problemOf(error as Error);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#write(), RETRY_MS);
      this.#retry.unref();
    }
    this.#report();
  }

  #noteWritten(): void {
    for (const entry of this.#waiting)
      if (entry.type === 'settled') this.#written = Math.max(this.#written, entry.batches.sequence);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #limitWaiting(): void {
    if (this.#waitingBytes <= MAX_WAITING_BYTES) return;
    // Blocks hold differences, so a part of them is of no use.
    for (const entry of this.#waiting) {
      if (entry.type !== 'settled') continue;
      const {sequence, at} = entry.batches;
      this.#lost ??= {from: this.#written + 1, to: sequence, began: at};
      this.#lost.to = sequence;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #noteLoss(): void {
    if (this.#lost === undefined) return;
    const {from, to, began} = this.#lost;
    const text = `History from #${from} to #${to} was not written: ${this.#problem ?? 'the disk failed'}.`;
    const gap = {kind: 'engine' as const, from: began, to: Date.now(), sequence: to, text};
    this.#open.writer.noteLoss(from, to, gap);
    this.#lost = undefined;
  }

  #report(): void {
    const {recording, reader} = this.#open;
    try {
      this.#tell({recording, range: reader.range(), bytes: reader.bytes(), problem: this.#problem});
    } catch (error) {
      this.#tell({
        recording,
        range: undefined,
        bytes: 0,
        problem: this.#problem ?? problemOf(error as Error),
      });
    }
  }
}

function sizeOf(entry: ArchiveEntry): number {
  if (entry.type === 'sent') return entry.arrivals.length;
  return entry.type === 'settled' ? entry.batches.blocks.bytes.byteLength + 200 : 200;
}

function problemOf({message}: Error): string {
  if (/full/i.test(message)) return 'the disk is full';
  if (/readonly|read-only/i.test(message)) return 'the folder cannot be written';
  return `the disk fails (${message})`;
}
