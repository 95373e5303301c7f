import {describe, expect, test} from 'vitest';
import {replayPositionAt} from './replay-position.ts';

const bucket = (at: number, sequence: number) => ({
  at,
  sequence,
  changed: 0,
  equal: 0,
  failed: 0,
  writes: 0,
  people: 0,
});
/** One bucket a second from 0, with its last sequence. */
const stretch = (...sequences: number[]) => ({
  from: 0,
  to: sequences.length * 1000,
  buckets: sequences.map((sequence, i) => bucket(i * 1000, sequence)),
});

describe('playing', () => {
  test('shows only batches that had settled by then', () => {
    const line = stretch(5, 6, 8, 9);
    expect(replayPositionAt(line, 1000, 1)).toMatchObject({sequence: 5, at: 1000});
    expect(replayPositionAt(line, 2999, 1)).toMatchObject({sequence: 6, over: false});
    expect(replayPositionAt(line, 3000, 1)).toMatchObject({sequence: 8, over: false});
  });

  test('skips silence that would take longer than one waits, less at a higher speed', () => {
    const line = stretch(5, 5, 5, 5, 5, 5, 5, 5, 9, 10);
    const slow = replayPositionAt(line, 1000, 1);
    expect(slow.sequence).toBe(5);
    expect(slow.at).toBe(8000 - 750);
    expect(replayPositionAt(line, 1000, 16).at).toBe(1000);
  });

  test('says when a stretch is over', () => {
    expect(replayPositionAt(stretch(5, 6, 6), 2500, 1)).toMatchObject({sequence: 6, over: true});
  });
});
