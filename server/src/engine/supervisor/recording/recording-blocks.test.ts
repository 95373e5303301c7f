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

test('blocks of a full group are given back one by one, and the group goes with its last block', () => {
  const block = (sequence: number) => ({
    sequence,
    bytes: new TextEncoder().encode(`${sequence} ${JSON.stringify({sequence}).repeat(50)}`),
  });
  const all = Array.from({length: 500}, (_, at) => block(at + 1));
  const blocks = new RecordingBlocks();
  for (const one of all) blocks.store([one], []);
  const size = all.reduce((sum, {bytes}) => sum + bytes.byteLength, 0);
  expect(blocks.bytes).toBeLessThan(size / 2);
  // A batch that an engine process sends again replaces the first one.
  blocks.store([{sequence: 3, bytes: block(7).bytes}], [5]);
  const left = all.filter(({sequence}) => sequence !== 3 && sequence !== 5);
  expect(blocks.all()).toEqual([...left, {sequence: 3, bytes: block(7).bytes}]);
  expect([...blocks.chunks()].flat().map(({sequence}) => sequence)).toEqual(
    all
      .map(({sequence}) => sequence)
      .filter(one => one !== 5)
      .reverse(),
  );
  blocks.store(
    [],
    all.map(({sequence}) => sequence),
  );
  expect([blocks.bytes, blocks.size]).toEqual([0, 0]);
});
