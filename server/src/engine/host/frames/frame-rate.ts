// How often frames go out: every 50 ms, and every 250 while more than 2,000 changes a second come in, when twenty
// drawings a second would show nothing that four do not.

export const FRAME_MS = 50;
export const BUSY_FRAME_MS = 250;
/** Writes from outside in one second. */
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

  /** Milliseconds between two frames at the moment. */
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

/** Milliseconds between two words about how far something is. */
const PROGRESS_MS = 100;

/** Calls at most ten times a second. */
export function throttle<T>(call: (value: T) => void): (value: T) => void {
  let told = Number.NEGATIVE_INFINITY;
  return value => {
    const now = performance.now();
    if (now - told < PROGRESS_MS) return;
    told = now;
    call(value);
  };
}
