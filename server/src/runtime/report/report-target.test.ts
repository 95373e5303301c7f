import {expect, test} from 'vitest';
import {isTokenMissing} from './report-target.ts';

test('KRTSCOPE_URL without a token is noticed', () => {
  expect(isTokenMissing({})).toBe(false);
  expect(isTokenMissing({KRTSCOPE_URL: 'off'})).toBe(false);
  expect(isTokenMissing({KRTSCOPE_URL: 'http://127.0.0.1:7777'})).toBe(true);
  expect(isTokenMissing({KRTSCOPE_URL: 'http://127.0.0.1:7777', KRTSCOPE_TOKEN: 'x'})).toBe(false);
  expect(isTokenMissing({KRTSCOPE_URL: 'http://127.0.0.1:7777/?token=x'})).toBe(false);
});
