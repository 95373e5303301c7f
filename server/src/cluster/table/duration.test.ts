// Ages as kubectl prints them.
import {expect, test} from 'vitest';
import {humanDuration} from './duration.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [5, '5s'],
  [119, '119s'],
  [125, '2m5s'],
  [9 * MINUTE, '9m'],
  [90 * MINUTE, '90m'],
  [3 * HOUR + 5 * MINUTE, '3h5m'],
  [26 * HOUR, '26h'],
  [2 * DAY + 3 * HOUR, '2d3h'],
  [9 * DAY, '9d'],
  [800 * DAY, '2y70d'],
])('%i seconds are %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});
