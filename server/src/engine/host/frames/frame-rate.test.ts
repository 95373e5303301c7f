import {expect, test} from 'vitest';
import {BUSY_FRAME_MS, FRAME_MS, FrameRate} from './frame-rate.ts';

test('frames come every 50 ms, every 250 above 2,000 changes a second, and every 50 again when it is over', () => {
  const pace = new FrameRate();
  for (let i = 0; i < 2000; i++) pace.add(1, 10_000 + i / 4);
  expect(pace.interval(10_600)).toBe(FRAME_MS);
  pace.add(1, 10_700);
  expect(pace.interval(10_700)).toBe(BUSY_FRAME_MS);
  // The current second has no data yet.
  expect(pace.interval(11_001)).toBe(BUSY_FRAME_MS);
  expect(pace.interval(12_001)).toBe(FRAME_MS);
  expect(pace.interval(60_000)).toBe(FRAME_MS);
});

test('rates and counts slow down first, above 200 changes a second', () => {
  const pace = new FrameRate();
  for (let i = 0; i < 200; i++) pace.add(1, 10_000 + i);
  expect(pace.countsInterval(10_500)).toBe(FRAME_MS);
  pace.add(1, 10_600);
  expect(pace.countsInterval(10_600)).toBe(BUSY_FRAME_MS);
  expect(pace.interval(10_600)).toBe(FRAME_MS);
  expect(pace.countsInterval(12_600)).toBe(FRAME_MS);
});
