// Packs several blocks into one buffer: sending eight small ones takes longer than writing them.
import type {Block, PackedBlocks} from './host-messages.ts';

export function packBlocks(blocks: readonly Block[]): PackedBlocks {
  return {
    sequences: blocks.map(({sequence}) => sequence),
    sizes: blocks.map(({bytes}) => bytes.byteLength),
    bytes: concatenateBlocks(blocks),
  };
}

export function unpackBlocks({sequences, sizes, bytes}: PackedBlocks): Block[] {
  let at = 0;
  return sequences.map((sequence, i) => {
    const start = at;
    at += sizes[i] ?? 0;
    return {sequence, bytes: bytes.subarray(start, at)};
  });
}

function concatenateBlocks(blocks: readonly Block[]): Uint8Array {
  const first = blocks[0]?.bytes;
  if (first === undefined) return new Uint8Array(0);
  let size = 0;
  let inOneRow = true;
  for (const {bytes} of blocks) {
    if (bytes.buffer !== first.buffer || bytes.byteOffset !== first.byteOffset + size) inOneRow = false;
    size += bytes.byteLength;
  }
  // Blocks usually lie one after the other in memory.
  if (inOneRow) return new Uint8Array(first.buffer, first.byteOffset, size);
  const all = new Uint8Array(size);
  let at = 0;
  for (const {bytes} of blocks) {
    all.set(bytes, at);
    at += bytes.byteLength;
  }
  return all;
}
