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
    reset: () => backoff.reset(),
  };
}

test('waits double from 0.8 s to 5 s for a minute, and to 30 s after it', () => {
  const {wait} = rig(0);
  const waits = Array.from({length: 20}, wait);
  expect(waits.slice(0, 5)).toEqual([800, 1600, 3200, 5000, 5000]);
  const minute = waits.findIndex((_, at) => waits.slice(0, at).reduce((a, b) => a + b, 0) >= 60_000);
  expect(waits.slice(3, minute).every(ms => ms === 5000)).toBe(true);
  expect(waits.slice(minute, minute + 4)).toEqual([10_000, 20_000, 30_000, 30_000]);
});

test('chance stretches a wait to at most half as long again', () => {
  const {wait} = rig(0.999);
  expect(wait()).toBeCloseTo(1199.6);
  expect(wait()).toBeCloseTo(2399.2);
});

test('what succeeds makes the next wait short again', () => {
  const {wait, reset} = rig(0);
  for (let n = 0; n < 20; n++) wait();
  reset();
  expect(wait()).toBe(800);
  expect(wait()).toBe(1600);
});
