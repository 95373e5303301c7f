import {expect, test} from 'vitest';
import {RecordingBlocks} from './recording-blocks.ts';

test('a block that came inside a large message does not keep the message in memory', () => {
  const message = new Uint8Array(1 << 20).fill(7);
  const blocks = new RecordingBlocks();
  blocks.store([{sequence: 1, bytes: message.subarray(100, 400)}], []);
  const [block] = blocks.all();
  expect(block?.bytes).toEqual(new Uint8Array(300).fill(7));
  expect(block?.bytes.buffer.byteLength).toBe(300);
  expect(blocks.bytes).toBe(300);
});

test('large blocks are kept compressed and given back as they came', () => {
  const text = JSON.stringify(
    Array.from({length: 400}, (_, at) => ({key: `shop/cart-${at}`, phase: 'Running'})),
  );
  const bytes = new TextEncoder().encode(text);
  const blocks = new RecordingBlocks();
  blocks.store(
    [
      {sequence: 1, bytes},
      {sequence: 2, bytes},
    ],
    [],
  );
  expect(blocks.bytes).toBeLessThan((2 * bytes.byteLength) / 5);
  expect(blocks.all()).toEqual([
    {sequence: 1, bytes},
    {sequence: 2, bytes},
  ]);
  expect([...blocks.chunks()].flat().map(({sequence}) => sequence)).toEqual([2, 1]);
  blocks.store([], [1, 2]);
  expect([blocks.bytes, blocks.size]).toEqual([0, 0]);
});
