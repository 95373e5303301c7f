import {expect, test} from 'vitest';
import {Backoff} from './backoff.ts';

function rig(random: number) {
  let now = 0;
  const backoff = new Backoff({now: () => now, random: () => random, after: () => () => {}});
  return {
    wait: () => {
      const ms = backoff.next();
      now += ms;
      return ms;
    },
    rest: (ms: number) => {
      now += ms;
    },
    reset: () => backoff.reset(),
  };
}

test('waits double from 0.8 s to 30 s', () => {
  const {wait} = rig(0);
  expect(Array.from({length: 8}, wait)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

test('chance stretches a wait to at most twice its length', () => {
  const {wait} = rig(0.999);
  expect(wait()).toBeCloseTo(1599.2);
  expect(wait()).toBeCloseTo(3198.4);
});

test('two quiet minutes, or a reset, make the next wait short again', () => {
  const {wait, rest, reset} = rig(0);
  wait();
  wait();
  rest(119_000);
  expect(wait()).toBe(3200);
  rest(121_000);
  expect(wait()).toBe(800);
  wait();
  reset();
  expect(wait()).toBe(800);
});
