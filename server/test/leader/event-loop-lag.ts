// How long this process was held up by others on the machine: what its timers were late, added up.

const every = 20;
/** Timers are never exact. */
const usual = 3;

export class EventLoopLag {
  /** Milliseconds since the beginning. */
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
