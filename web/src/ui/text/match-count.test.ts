import {expect, test} from 'vitest';
import {matchCount} from './match-count.ts';

test('a fetch by index says what it found, never "0 of 0"', () => {
  expect(matchCount({matched: 0, scanned: 0})).toBe('no match');
  expect(matchCount({matched: 2, scanned: 0})).toBe('2 found');
  expect(matchCount({matched: 1, scanned: 13})).toBe('1 of 13');
});
