import {expect, test} from 'vitest';
import {BUSY_FRAME, FRAME, Pace} from './pace.ts';

test('frames come every 50 ms, every 250 above 2,000 changes a second, and every 50 again when it is over', () => {
  const pace = new Pace();
  for (let i = 0; i < 2000; i++) pace.add(1, 10_000 + i / 4);
  expect(pace.frame(10_600)).toBe(FRAME);
  pace.add(1, 10_700);
  expect(pace.frame(10_700)).toBe(BUSY_FRAME);
  // The second that has just begun knows nothing yet.
  expect(pace.frame(11_001)).toBe(BUSY_FRAME);
  expect(pace.frame(12_001)).toBe(FRAME);
  expect(pace.frame(60_000)).toBe(FRAME);
});
