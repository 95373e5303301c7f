// The interval between frames: 50 ms, or 250 ms during more than 2,000 changes a second, when faster drawing shows no
// more.

export const FRAME_MS = 50;
export const BUSY_FRAME_MS = 250;
/** Outside writes in one second. */
const BUSY_CHANGES = 2000;
const SECOND = 1000;

export class FrameRate {
  #second = 0;
  #count = 0;
  #before = 0;

  add(changes: number, now: number): void {
    this.#turn(now);
    this.#count += changes;
  }

  /** The current number of milliseconds between two frames. */
  interval(now: number): number {
    this.#turn(now);
    return Math.max(this.#count, this.#before) > BUSY_CHANGES ? BUSY_FRAME_MS : FRAME_MS;
  }

  #turn(now: number): void {
    const second = Math.floor(now / SECOND);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#count : 0;
    this.#count = 0;
    this.#second = second;
  }
}

/** Milliseconds between two progress messages. */
const PROGRESS_MS = 100;

/** Limits calls to ten a second. */
export function throttle<T>(call: (value: T) => void): (value: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return value => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    call(value);
  };
}
