// Measures how long other programs delayed this process, as the sum of late timers.

const every = 20;
/** Normal inaccuracy of timers. */
const usual = 3;

export class EventLoopLag {
  /** Milliseconds since the start. */
  total = 0;
  #last = performance.now();
  readonly #timer = setInterval(() => {
    const now = performance.now();
    const late = now - this.#last - every;
    if (late > usual) this.total += late;
    this.#last = now;
  }, every);

  end(): void {
    clearInterval(this.#timer);
  }
}
