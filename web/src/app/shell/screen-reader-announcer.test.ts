import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {announce, changesText, useAnnouncement} from './screen-reader-announcer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('at most one message in five seconds, and the newest wins', () => {
  announce('1 item changed');
  vi.advanceTimersByTime(0);
  expect(useAnnouncement.getState().text).toBe('1 item changed');
  announce('2 items changed');
  vi.advanceTimersByTime(2000);
  announce('12 items changed, 1 failed');
  expect(useAnnouncement.getState().text).toBe('1 item changed');
  vi.advanceTimersByTime(3000);
  expect(useAnnouncement.getState().text).toBe('12 items changed, 1 failed');
});

test('changes in words, and silence where nothing changed', () => {
  expect(changesText(0, 0)).toBeNull();
  expect(changesText(1, 0)).toBe('1 item changed');
  expect(changesText(12, 1)).toBe('12 items changed, 1 failed');
});
