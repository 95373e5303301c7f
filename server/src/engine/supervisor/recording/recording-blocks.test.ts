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
