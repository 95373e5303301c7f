// The recording as main keeps it: encoded blocks by sequence. Main never reads them. The engine process says which to
// drop.
import type {Block, ReplayRows} from '../../link/host-messages.ts';
import type {EarlierRecording} from '../../link/recording-archive.ts';

/** The maximum size of one restore message in bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;

export class RecordingBlocks {
  readonly #blocks = new Map<number, Uint8Array>();
  /** The newest rows by collection and input. */
  readonly #rows = new Map<string, ReplayRows>();
  #bytes = 0;
  /** The engine process's collection history, as JSON. */
  collectionHistory = '{"collections":[],"modules":[]}';

  /** Rows that a replay of objects does not restore. */
  storeRows(rows: readonly ReplayRows[] = []): void {
    for (const row of rows) {
      const id = `${row[0]}\n${row[1]}`;
      if (row[2] === null) this.#rows.delete(id);
      else this.#rows.set(id, row);
    }
  }

  get rows(): ReplayRows[] {
    return [...this.#rows.values()];
  }

  /** Goes on with the recording of an earlier process of krtscope. */
  resume({blocks, rows, lives}: EarlierRecording): void {
    this.#blocks.clear();
    this.#rows.clear();
    this.#bytes = 0;
    this.store(blocks, []);
    this.storeRows(rows);
    this.collectionHistory = lives;
  }

  store(blocks: readonly Block[], drop: readonly number[]): void {
    for (const {sequence, bytes} of blocks) {
      this.#forget(sequence);
      // Bytes that came by IPC are a view of the whole message, which a small block would keep in memory.
      this.#blocks.set(sequence, bytes.byteLength < bytes.buffer.byteLength ? bytes.slice() : bytes);
      this.#bytes += bytes.byteLength;
    }
    for (const sequence of drop) this.#forget(sequence);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#blocks.size;
  }

  /** All blocks at this time. */
  all(): Block[] {
    return Array.from(this.#blocks, ([sequence, bytes]) => ({sequence, bytes}));
  }

  /** Newest first, because the decoder walks back. */
  *chunks(): Iterable<Block[]> {
    let chunk: Block[] = [];
    let bytes = 0;
    const sequences = [...this.#blocks.keys()].sort((a, b) => b - a);
    for (const sequence of sequences) {
      const block = this.#blocks.get(sequence) as Uint8Array;
      chunk.push({sequence, bytes: block});
      bytes += block.byteLength;
      if (bytes < CHUNK_BYTES) continue;
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) yield chunk;
  }

  #forget(sequence: number): void {
    const bytes = this.#blocks.get(sequence);
    if (bytes === undefined) return;
    this.#bytes -= bytes.byteLength;
    this.#blocks.delete(sequence);
  }
}
