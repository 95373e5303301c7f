// The recording as main keeps it: encoded blocks by sequence, compressed. Main never reads them. The engine process says
// which to drop.
import {constants, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import type {Block, ReplayRows} from '../../link/host-messages.ts';
import type {EarlierRecording} from '../../link/recording-archive.ts';

/** The maximum size of one restore message in bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Blocks are compressed together when there are so many bytes of them. One by one takes five times as long. */
const GROUP_BYTES = 32 * 1024;
/** Blocks are texts that repeat themselves: the fastest level makes them about ten times smaller. */
const LEVEL = {params: {[constants.ZSTD_c_compressionLevel]: 1}};

/** Blocks that came one after the other. */
interface BlockGroup {
  /** The bytes of each block until the group is full. */
  open: Uint8Array[] | undefined;
  compressed: Uint8Array;
  size: number;
  /** The blocks that main still keeps. The memory is free when none is left. */
  kept: number;
}

interface StoredBlock {
  readonly group: BlockGroup;
  /** Its place among the bytes of the group. */
  readonly from: number;
  readonly to: number;
}

const emptyGroup = (): BlockGroup => ({open: [], compressed: new Uint8Array(0), size: 0, kept: 0});

export class RecordingBlocks {
  readonly #blocks = new Map<number, StoredBlock>();
  /** The newest rows by collection and input. */
  readonly #rows = new Map<string, ReplayRows>();
  #group = emptyGroup();
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
    this.#group = emptyGroup();
    this.#bytes = 0;
    this.store(blocks, []);
    this.storeRows(rows);
    this.collectionHistory = lives;
  }

  store(blocks: readonly Block[], drop: readonly number[]): void {
    for (const {sequence, bytes} of blocks) {
      this.#forget(sequence);
      this.#blocks.set(sequence, this.#add(bytes));
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
    const read = groupReader();
    return Array.from(this.#blocks, ([sequence, stored]) => ({sequence, bytes: read(stored)}));
  }

  /** Newest first, because the decoder walks back. */
  *chunks(): Iterable<Block[]> {
    let chunk: Block[] = [];
    let bytes = 0;
    const read = groupReader();
    const sequences = [...this.#blocks.keys()].sort((a, b) => b - a);
    for (const sequence of sequences) {
      const block = read(this.#blocks.get(sequence) as StoredBlock);
      chunk.push({sequence, bytes: block});
      bytes += block.byteLength;
      if (bytes < CHUNK_BYTES) continue;
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) yield chunk;
  }

  /** Copies the bytes: what came by IPC is a view of a larger buffer and would keep it in memory. */
  #add(bytes: Uint8Array): StoredBlock {
    const group = this.#group;
    const from = group.size;
    group.open?.push(new Uint8Array(bytes));
    group.size += bytes.byteLength;
    group.kept += 1;
    this.#bytes += bytes.byteLength;
    if (group.size >= GROUP_BYTES) this.#close(group);
    return {group, from, to: from + bytes.byteLength};
  }

  #close(group: BlockGroup): void {
    const packed = zstdCompressSync(bytesOf(group), LEVEL);
    // What comes from zlib is a view of a larger buffer, too.
    group.compressed = new Uint8Array(packed);
    group.open = undefined;
    this.#bytes += packed.byteLength - group.size;
    this.#group = emptyGroup();
  }

  #forget(sequence: number): void {
    const stored = this.#blocks.get(sequence);
    if (stored === undefined) return;
    this.#blocks.delete(sequence);
    const {group} = stored;
    group.kept -= 1;
    if (group.kept > 0) return;
    this.#bytes -= group.open === undefined ? group.compressed.byteLength : group.size;
    if (group === this.#group) this.#group = emptyGroup();
  }
}

function bytesOf({open, compressed}: BlockGroup): Uint8Array {
  return open === undefined ? zstdDecompressSync(compressed) : Buffer.concat(open);
}

/** Decompresses each group once if its blocks are read one after the other. */
function groupReader(): (block: StoredBlock) => Uint8Array {
  let last: {group: BlockGroup; bytes: Uint8Array} | undefined;
  return ({group, from, to}) => {
    if (last?.group !== group) last = {group, bytes: bytesOf(group)};
    return new Uint8Array(last.bytes.subarray(from, to));
  };
}
