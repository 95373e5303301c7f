import {expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {ReflectorRateLimit} from './request-rate.ts';

const settled = () => new Promise(resolve => setImmediate(resolve));

test('three leave at once, the fourth a second after the first; none is dropped', async () => {
  const clock = new ManualClock();
  const pace = new ReflectorRateLimit(clock);
  const left: number[] = [];
  for (let n = 0; n < 8; n++) void pace.waitForTurn().then(() => left.push(clock.now()));
  for (let ms = 0; ms < 4000; ms += 10) {
    await settled();
    clock.advance(10);
  }
  expect(left).toEqual([0, 0, 0, 1050, 1050, 1050, 2100, 2100]);
});

test('no second has more than three, however they come', async () => {
  const clock = new ManualClock(7);
  const pace = new ReflectorRateLimit(clock);
  const left: number[] = [];
  for (let n = 0; n < 300; n++) {
    if (clock.random() < 0.6) void pace.waitForTurn().then(() => left.push(clock.now()));
    clock.advance(Math.floor(clock.random() * 300));
    await settled();
  }
  const closest = Math.min(...left.slice(3).map((at, index) => at - left[index]!));
  expect(left.length).toBeGreaterThan(50);
  expect(closest).toBeGreaterThan(1000);
});

test('one that is given up while it waits takes no place', async () => {
  const clock = new ManualClock();
  const pace = new ReflectorRateLimit(clock);
  const stop = new AbortController();
  for (let n = 0; n < 3; n++) await pace.waitForTurn();
  const given = pace.waitForTurn(stop.signal);
  stop.abort();
  await given;
  clock.advance(1050);
  for (let n = 0; n < 3; n++) await pace.waitForTurn();
  expect(clock.now()).toBe(1050);
});

test('a timer that fires late moves those after it', async () => {
  const clock = new ManualClock();
  const pace = new ReflectorRateLimit(clock);
  for (let n = 0; n < 3; n++) await pace.waitForTurn();
  const left: number[] = [];
  for (let n = 0; n < 4; n++) void pace.waitForTurn().then(() => left.push(clock.now()));
  await settled();
  clock.advance(3000);
  for (let ms = 0; ms < 2000; ms += 10) {
    await settled();
    clock.advance(10);
  }
  expect(left[3]! - left[0]!).toBeGreaterThan(1000);
});
