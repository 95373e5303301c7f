// Restores real timers after each unit test, because a failed test may leave fake ones for the next file of
// its worker.
import {afterEach, vi} from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});
