import {expect, test} from 'vitest';
import {TurnQueue} from './turn-queue.ts';

const waiting = (level: number) => ({level, queued: false});

test('[B1] the lowest level comes first, and a collection that waits alone comes at once', () => {
  const queue = new TurnQueue<ReturnType<typeof waiting>>();
  const [low, high] = [waiting(0), waiting(2)];
  queue.add(high);
  queue.add(low);
  expect([queue.take(), queue.take(), queue.take()]).toEqual([low, high, null]);
  queue.add(high);
  expect([queue.any, queue.take(), queue.any, queue.take()]).toEqual([true, high, false, null]);
});

test('[B1] the last one that waits comes even if its level was raised meanwhile', () => {
  const queue = new TurnQueue<ReturnType<typeof waiting>>();
  const [first, last] = [waiting(0), waiting(1)];
  queue.add(first);
  queue.add(last);
  expect(queue.take()).toBe(first);
  last.level = 5;
  expect([queue.take(), queue.take()]).toEqual([last, null]);
});

test('[B9] one that had its turn early is left out, and comes again if it was added again', () => {
  const queue = new TurnQueue<ReturnType<typeof waiting>>();
  const core = waiting(1);
  queue.add(core);
  core.queued = false;
  expect([queue.take(), queue.any]).toEqual([null, false]);
  queue.add(core);
  core.queued = false;
  queue.add(core);
  expect([queue.take(), queue.take()]).toEqual([core, null]);
});
