import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Life} from './life.ts';
import {Spare} from './spare.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig() {
  const made: Life[] = [];
  const spare = new Spare({
    afterMs: 10,
    fork: () => {
      const life = {pid: made.length + 1, sendInTurns: () => {}, stop: async () => {}} as never as Life;
      made.push(life);
      return life;
    },
    lessons: () => [],
  });
  return {made, spare};
}

test('one that was lost is made again, later each time: what ends it may end the next, too', () => {
  const {made, spare} = rig();
  spare.prepare();
  vi.advanceTimersByTime(10);
  expect(spare.pid).toBe(1);
  expect(spare.lost(made[0] as Life)).toBe(true);
  expect(spare.pid).toBeUndefined();
  vi.advanceTimersByTime(20);
  expect(spare.pid).toBe(2);
  expect(spare.lost(made[1] as Life)).toBe(true);
  vi.advanceTimersByTime(39);
  expect(spare.pid).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(spare.pid).toBe(3);
});

test('the end of another life, or of one that was taken, makes none', () => {
  const {made, spare} = rig();
  spare.prepare();
  vi.advanceTimersByTime(10);
  const life = spare.take() as Life;
  expect(spare.lost(life)).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(made).toHaveLength(1);
});

test('one that takes over shows that they live: the wait is the first one again', () => {
  const {made, spare} = rig();
  spare.prepare();
  vi.advanceTimersByTime(10);
  spare.lost(made[0] as Life);
  vi.advanceTimersByTime(20);
  spare.take();
  spare.prepare();
  vi.advanceTimersByTime(10);
  expect(made).toHaveLength(3);
});
