// The interval between frames: 50 ms, or 250 ms during more than 2,000 changes a second, when faster drawing shows no
// more. Rates and counts slow down first, above 200 changes a second, so that rows stay fast.

export const FRAME_MS = 50;
export const BUSY_FRAME_MS = 250;
/** Outside writes in one second. */
const BUSY_CHANGES = 2000;
/** From here on, rates, sparks and counts need not be exact in every frame. */
const SHED_CHANGES = 200;
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

  /** The current number of milliseconds between two answers that consist of rates and counts. */
  countsInterval(now: number): number {
    this.#turn(now);
    return Math.max(this.#count, this.#before) > SHED_CHANGES ? BUSY_FRAME_MS : FRAME_MS;
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
