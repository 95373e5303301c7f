// Which formula runs in the engine process right now, as far as main has heard, and since when: one that does not come
// to an end is told of, once.
import type {Culprit} from '../link/commands.ts';

/** Milliseconds after which a formula that was announced should have come to an end. */
const PATIENCE_MS = 1000;
const TICK_MS = 100;

export class Announced {
  readonly #onLate: (culprit: Culprit) => void;
  #running: Culprit | undefined;
  #since = 0;
  /** Main itself may have slept: its end may lie unread, and one more look finds that out. */
  #suspected = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(onLate: (culprit: Culprit) => void) {
    this.#onLate = onLate;
  }

  note(culprit: Culprit): void {
    this.#running = culprit;
    this.#since = Date.now();
    this.#suspected = false;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), TICK_MS);
    this.#timer.unref();
  }

  rest(): void {
    this.#running = undefined;
  }

  /** The process has ended: who it was, if a formula was running. */
  take(): Culprit | undefined {
    const culprit = this.#running;
    this.stop();
    return culprit;
  }

  stop(): void {
    this.#running = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (this.#running === undefined) {
      this.stop();
      return;
    }
    if (Date.now() - this.#since < PATIENCE_MS) return;
    if (!this.#suspected) this.#suspected = true;
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#onLate(this.#running);
    }
  }
}
