// The wall clock of the engine process.

let clockOrigin = performance.timeOrigin;
/** The smallest lag behind the wall clock to correct. */
const CLOCK_STEP_MS = 5000;

/**
 * Milliseconds since 1970 with a fraction: runs take microseconds. The monotonic clock stops while the machine sleeps,
 * so this follows the wall clock forward. It never steps back, because records must stay in order.
 */
export function wallClockNow(): number {
  const now = clockOrigin + performance.now();
  const lag = Date.now() - now;
  if (lag < CLOCK_STEP_MS) return now;
  clockOrigin += lag;
  return now + lag;
}
