import {expect, test} from 'vitest';
import {syncWaitText} from './sync-wait-text.ts';

test('what is under way says how far it is and how long it will take; else who holds it', () => {
  expect(syncWaitText({progress: {done: 12_000, total: 150_000, seconds: 14}})).toBe(
    '12,000 of 150,000, about 14 s to go',
  );
  expect(syncWaitText({progress: {done: 1, total: 9, seconds: 300}, state: 'listing'})).toBe(
    'listing 1 of 9, about 5 min to go',
  );
  expect(syncWaitText({progress: {done: 1, total: 9, seconds: 300}}, true)).toBe('1 of 9');
  expect(syncWaitText({waitingFor: 'Pods', listed: 3})).toBe('waits for Pods');
  expect(syncWaitText({listed: 3000})).toBe('listing 3,000');
  expect(syncWaitText({})).toBe('waiting');
});
