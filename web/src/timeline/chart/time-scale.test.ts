import type {Bucket, Timeline} from '@krtscope/shared/timeline.ts';
import {expect, test} from 'vitest';
import {
  bars,
  bucketOf,
  dropOverlapping,
  isInRange,
  panRange,
  sequenceAtX,
  sumBuckets,
  ticks,
  timeAtX,
  xOfTime,
  zoomRange,
} from './time-scale.ts';

const bucket = (at: number, sequence: number, changed = 0, equal = 0, failed = 0): Bucket => ({
  at,
  sequence,
  changed,
  equal,
  failed,
  writes: changed > 0 ? 1 : 0,
  people: 0,
});
const buckets = [bucket(0, 3, 4), bucket(10, 3), bucket(20, 3), bucket(30, 7, 1, 2, 1), bucket(40, 8, 0, 9)];
const line: Timeline = {
  from: 0,
  to: 50,
  buckets,
  gaps: [],
  kept: {runs: 1, bytes: 1, oldest: 2, newest: 8, since: 0, limits: {runs: 1, megabytes: 1}},
};

test('a moment stands over the bucket its batch ran in, not over the quiet ones after it', () => {
  expect(bucketOf(buckets, 3)).toBe(0);
  expect(bucketOf(buckets, 5)).toBe(3);
  expect(bucketOf(buckets, 8)).toBe(4);
  expect(bucketOf(buckets, 99)).toBe(4);
  expect(bucketOf([], 1)).toBe(0);
});

test('the pointer means the state at the end of the bucket under it; the last one is live', () => {
  expect(sequenceAtX(line, 100, 0)).toBe(3);
  expect(sequenceAtX(line, 100, 65)).toBe(7);
  expect(sequenceAtX(line, 100, 99)).toBeNull();
  expect(sequenceAtX({...line, kept: {...line.kept, oldest: 5}}, 100, 0)).toBe(5);
});

test('bars are as tall as their runs, with a floor for a single one and nothing for none', () => {
  const drawn = bars(buckets, 28);
  expect(drawn[1]).toMatchObject({changed: 0, equal: 0, failed: 0});
  const total = (at: number) => drawn[at]!.changed + drawn[at]!.equal + drawn[at]!.failed;
  expect(total(4)).toBeCloseTo(28);
  expect(total(0)).toBeLessThan(28);
  expect(drawn[3]!.equal).toBeCloseTo(2 * drawn[3]!.changed);
});

test('time and pixels are each other’s inverse, and stay inside', () => {
  expect(timeAtX(line, 100, xOfTime(line, 100, 20))).toBeCloseTo(20);
  expect(xOfTime(line, 100, 999)).toBe(100);
  expect(xOfTime({from: 5, to: 5}, 100, 5)).toBe(100);
});

test('ticks are round times that leave room for their words', () => {
  const {times, seconds} = ticks({from: 61_000, to: 661_000}, 660);
  expect(times.every(at => at % 120_000 === 0)).toBe(true);
  expect(times.length).toBeGreaterThan(3);
  expect(seconds).toBe(false);
  expect(ticks({from: 0, to: 240_000}, 1000).seconds).toBe(true);
  const week = ticks({from: 0, to: 7 * 86_400_000}, 900);
  expect([week.times.length, week.days]).toEqual([7, true]);
});

test('texts on the axis: the first claim stands, what would touch it or leave the axis goes', () => {
  const text = (x: number, wide: number) => ({x, wide});
  expect(dropOverlapping([text(50, 40), text(80, 40), text(120, 40), text(5, 40)], 200)).toEqual([
    text(50, 40),
    text(120, 40),
  ]);
});

test('zoom keeps what is under the pointer, never goes below one second; pan moves by its share', () => {
  expect(zoomRange({from: 0, to: 100_000}, 0.5, 50_000)).toEqual({from: 25_000, to: 75_000});
  const close = zoomRange({from: 0, to: 1500}, 0.5, 700);
  expect(close.to - close.from).toBe(1000);
  expect(panRange({from: 100, to: 200}, -0.5)).toEqual({from: 50, to: 150});
});

test('a stretch says what ran in it', () => {
  expect(sumBuckets(buckets, 0, 30)).toEqual({runs: 8, changed: 5, failed: 1, writes: 2, first: 3, last: 7});
});

test('the newest moment is in the range, although its bookmark was made after the end', () => {
  expect(isInRange(line, {sequence: 8, at: 51})).toBe(true);
  expect(isInRange(line, {sequence: 9, at: 49})).toBe(false);
  expect(isInRange(line, {sequence: 2, at: 1})).toBe(true);
  expect(isInRange(line, {sequence: 2, at: -1})).toBe(false);
});
