import {expect, test} from 'vitest';
import {compareVersions} from './resource-version.ts';

test('decimal versions compare as integers, however long', () => {
  expect(compareVersions('9', '10')).toBeLessThan(0);
  expect(compareVersions('90071992547409930', '90071992547409929')).toBeGreaterThan(0);
  expect(compareVersions('7', '7')).toBe(0);
});

test('others are only equal or unknown', () => {
  expect(compareVersions('a', 'a')).toBe(0);
  expect(compareVersions('a', 'b')).toBeUndefined();
  expect(compareVersions('', '3')).toBeUndefined();
});
