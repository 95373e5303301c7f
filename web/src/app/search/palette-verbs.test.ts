import {expect, test} from 'vitest';
import {ageWords, parseAge, whySearch} from './palette-verbs.ts';

test('an age is a number and a unit, with or without "ago"', () => {
  expect(parseAge('compare 5 min ago')).toBe(300_000);
  expect(parseAge('compare 90s')).toBe(90_000);
  expect(parseAge('go to 1 h ago')).toBe(3_600_000);
  expect(parseAge('compare')).toBeNull();
  expect([300_000, 90_000, 3_600_000].map(ageWords)).toEqual(['5 min ago', '90 s ago', '1 h ago']);
});

test('why needs something to ask about', () => {
  expect(whySearch('why cart')).toBe('cart');
  expect(whySearch('why ')).toBeNull();
  expect(whySearch('whyever')).toBeNull();
});
