import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {EngineProcess} from './engine-process.ts';
import {StandbyProcess} from './standby-process.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig() {
  const made: EngineProcess[] = [];
  const spare = new StandbyProcess({
    afterMs: 10,
    fork: () => {
      const life = {
        pid: made.length + 1,
        sendInTurns: () => {},
        stop: async () => {},
      } as never as EngineProcess;
      made.push(life);
      return life;
    },
    warmUpObjects: () => [],
  });
  return {made, spare};
}

test('one that was lost is made again, later each time: what ends it may end the next, too', () => {
  const {made, spare} = rig();
  spare.prepare();
  vi.advanceTimersByTime(10);
  expect(spare.pid).toBe(1);
  expect(spare.handleEnd(made[0] as EngineProcess)).toBe(true);
  expect(spare.pid).toBeUndefined();
  vi.advanceTimersByTime(20);
  expect(spare.pid).toBe(2);
  expect(spare.handleEnd(made[1] as EngineProcess)).toBe(true);
  vi.advanceTimersByTime(39);
  expect(spare.pid).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(spare.pid).toBe(3);
});

test('the end of another life, or of one that was taken, makes none', () => {
  const {made, spare} = rig();
  spare.prepare();
  vi.advanceTimersByTime(10);
  const life = spare.take() as EngineProcess;
  expect(spare.handleEnd(life)).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(made).toHaveLength(1);
});

test('one that takes over shows that they live: the wait is the first one again', () => {
  const {made, spare} = rig();
  spare.prepare();
  vi.advanceTimersByTime(10);
  spare.handleEnd(made[0] as EngineProcess);
  vi.advanceTimersByTime(20);
  spare.take();
  spare.prepare();
  vi.advanceTimersByTime(10);
  expect(made).toHaveLength(3);
});
