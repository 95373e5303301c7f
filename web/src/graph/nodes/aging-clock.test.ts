import {expect, test} from 'vitest';
import {agingNow} from './aging-clock.ts';

test('the clock moves with the words: by seconds, then minutes, then hours', () => {
  expect(agingNow(0, 4_700)).toBe(4_000);
  expect(agingNow(0, 185_000)).toBe(180_000);
  expect(agingNow(0, 7_900_000)).toBe(7_200_000);
  expect(agingNow(10, 0)).toBe(10);
});
