import type {Items} from '@krtscope/shared/items.ts';
import {expect, test} from 'vitest';
import {createTestGraphHost, pod} from '../testing-graph-host.ts';

function texts(length: number, count = 9) {
  const r = createTestGraphHost();
  r.sync();
  const long = 'a'.repeat(length);
  r.write({Pods: Array.from({length: count}, (_, i) => pod(`p-${i}`, {long, i: String(i)}))});
  return (q: string) => r.ask<Items>({ask: 'items', collection: 'Pods', q, limit: 20}).total;
}

test('a pattern that repeats is answered on short texts and refused on long ones, before it is tried', () => {
  const costly = 'metadata.labels.long~(.*a){20}b';
  expect(texts(100)(costly)).toBe(0);
  // Nine texts of a megabyte once blocked everything for 17 s.
  expect(() => texts(1_000_000)(costly)).toThrow(/would take too long .* 1000000 characters/);
});

test('what a pattern may take is counted for a pass, not for the life of a view', () => {
  const ask = texts(50_000);
  for (let i = 0; i < 40; i++) expect(ask('metadata.labels.long~^a+$')).toBe(9);
});

test('many texts count together', () => {
  expect(() => texts(600_000)('metadata.labels.long~(a|b)+(c|d)+e')).toThrow(/would take too long/);
});

test('two texts that would hold the engine process for longer than /readyz waits are refused', () => {
  const ask = texts(900_000, 2);
  expect(() => ask('metadata.labels.long~.*.*.*.*.*.*.*.*.*.*b')).toThrow(/would take too long/);
  expect(ask('metadata.labels.long~^a+$')).toBe(2);
});
