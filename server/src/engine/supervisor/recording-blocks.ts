// The recording as main keeps it: encoded blocks by sequence. It never reads one; the engine process says which to drop.
import type {Block, ReplayRows} from '../link/host-messages.ts';

/** Blocks of one restore message at most, in bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;

export class RecordingBlocks {
  readonly #blocks = new Map<number, Uint8Array>();
  /** By collection and input, the newest word on them. */
  readonly #rows = new Map<string, ReplayRows>();
  #bytes = 0;
  /** Which collections there were when, in the words of the engine process. */
  lives = '{"collections":[],"modules":[]}';

  /** Rows that stay although no object gives them again. */
  storeRows(rows: readonly ReplayRows[] = []): void {
    for (const kept of rows) {
      const id = `${kept[0]}\n${kept[1]}`;
      if (kept[2] === null) this.#rows.delete(id);
      else this.#rows.set(id, kept);
    }
  }

  get rows(): ReplayRows[] {
    return [...this.#rows.values()];
  }

  store(blocks: readonly Block[], drop: readonly number[]): void {
    for (const {sequence, bytes} of blocks) {
      this.#forget(sequence);
      this.#blocks.set(sequence, bytes);
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

  /** Newest first, as a decoder that walks back needs them. */
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
    const held = this.#blocks.get(sequence);
    if (held === undefined) return;
    this.#bytes -= held.byteLength;
    this.#blocks.delete(sequence);
  }
}
