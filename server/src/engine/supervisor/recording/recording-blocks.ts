// The recording as main keeps it: encoded blocks by sequence, compressed. Main never reads them. The engine process says
// which to drop.
import {constants, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import type {Block, ReplayRows} from '../../link/host-messages.ts';
import type {EarlierRecording} from '../../link/recording-archive.ts';

/** The maximum size of one restore message in bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Smaller blocks gain nothing. */
const MIN_COMPRESSED = 512;
/** Blocks are texts that repeat themselves: the fastest level makes them about ten times smaller. */
const LEVEL = {params: {[constants.ZSTD_c_compressionLevel]: 1}};

interface StoredBlock {
  readonly bytes: Uint8Array;
  readonly isCompressed: boolean;
}

export class RecordingBlocks {
  readonly #blocks = new Map<number, StoredBlock>();
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
      const stored = compress(bytes);
      this.#blocks.set(sequence, stored);
      this.#bytes += stored.bytes.byteLength;
    }
    for (const sequence of drop) this.#forget(sequence);
  }

  /** The memory that the blocks take. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#blocks.size;
  }

  /** All blocks at this time. */
  all(): Block[] {
    return Array.from(this.#blocks, ([sequence, stored]) => ({sequence, bytes: decompress(stored)}));
  }

  /** Newest first, because the decoder walks back. */
  *chunks(): Iterable<Block[]> {
    let chunk: Block[] = [];
    let bytes = 0;
    const sequences = [...this.#blocks.keys()].sort((a, b) => b - a);
    for (const sequence of sequences) {
      const block = decompress(this.#blocks.get(sequence) as StoredBlock);
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
    const stored = this.#blocks.get(sequence);
    if (stored === undefined) return;
    this.#bytes -= stored.bytes.byteLength;
    this.#blocks.delete(sequence);
  }
}

/** Both ways copy the bytes: what came by IPC, or from zlib, is a view of a larger buffer and would keep it in memory. */
function compress(bytes: Uint8Array): StoredBlock {
  if (bytes.byteLength < MIN_COMPRESSED) return {bytes: new Uint8Array(bytes), isCompressed: false};
  return {bytes: new Uint8Array(zstdCompressSync(bytes, LEVEL)), isCompressed: true};
}

function decompress({bytes, isCompressed}: StoredBlock): Uint8Array {
  return isCompressed ? new Uint8Array(zstdDecompressSync(bytes)) : bytes;
}
