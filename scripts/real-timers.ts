// After each unit test: a clock that a failed test left standing would stop the next file of the same worker.
import {afterEach, vi} from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});
