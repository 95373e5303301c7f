import {expect, test} from 'vitest';
import {packBlocks, unpackBlocks} from './block-packing.ts';

test('blocks come out as they went in, from one piece of memory or from several', () => {
  const memory = new Uint8Array(100).map((_, i) => i);
  const cases = [
    [],
    [memory.subarray(10, 10)],
    [memory.subarray(3, 9), memory.subarray(9, 9), memory.subarray(9, 40)],
    [memory.subarray(9, 40), memory.subarray(3, 9)],
    [memory.subarray(3, 9), memory.subarray(10, 40)],
    [memory.subarray(0, 5), new Uint8Array([7, 8]), memory.subarray(5, 6)],
  ];
  for (const pieces of cases) {
    const blocks = pieces.map((bytes, i) => ({sequence: 100 + i, bytes}));
    const packed = structuredClone(packBlocks(blocks));
    expect(packed.bytes.byteLength).toBe(pieces.reduce((sum, {byteLength}) => sum + byteLength, 0));
    expect(unpackBlocks(packed)).toEqual(
      blocks.map(({sequence, bytes}) => ({sequence, bytes: bytes.slice()})),
    );
  }
});
