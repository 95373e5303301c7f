// Quantities in canonical form.
import {expect, test} from 'vitest';
import {canonicalQuantity, compareQuantities} from './quantity.ts';

test.each([
  ['0.5', '500m'],
  ['1024Ki', '1Mi'],
  ['1000m', '1'],
  ['1.5Gi', '1536Mi'],
  ['1e3', '1e3'],
  ['0', '0'],
  ['2000', '2k'],
  ['100n', '100n'],
  ['-1', '-1'],
])('%s is written %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test.each(['', 'x', '1Q', '1.2.3', '--1'])('%j is refused', text => {
  expect(canonicalQuantity(text)).toBeUndefined();
});

test('quantities compare by value, not by text', () => {
  expect(compareQuantities('1', '1000m')).toBe(0);
  expect(compareQuantities('1Mi', '1M')).toBe(1);
});
