import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Takeover} from './takeover.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig(work: () => number | undefined) {
  const told: string[] = [];
  const waking = new Takeover({cpuTime: work, onMute: reason => told.push(reason)});
  return {told, waking};
}

test('one that neither answers nor works is told of after a second, once', () => {
  const {told} = rig(() => 70);
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(['the process that waited to take over did not answer for 1 s']);
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(1);
});

test('one that works has ten seconds, and so has one of which nobody knows', () => {
  let worked = 0;
  const some = [rig(() => (worked += 10)), rig(() => undefined)];
  vi.advanceTimersByTime(9_900);
  expect(some.map(({told}) => told.length)).toEqual([0, 0]);
  vi.advanceTimersByTime(100);
  expect(some.map(({told}) => told.length)).toEqual([1, 1]);
});

test('one that has answered is not looked at any more', () => {
  const {told, waking} = rig(() => 0);
  vi.advanceTimersByTime(900);
  waking.stop();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([]);
});
