// Watches the first moments of a spare that takes over. A spare that neither answers nor works is reported after a
// second. The watchdog alone would wait twenty.

const TICK_MS = 100;
/** The number of checks without an answer. Counting checks works even if main itself has slept. */
const MAX_LOOKS = 10;
/** The limit for a spare that uses CPU time: on a busy machine it waits for its turn. */
const MAX_BUSY_LOOKS = 100;

export interface TakeoverOptions {
  /** CPU time in milliseconds; undefined if unknown. */
  cpuTime(): number | undefined;
  onMute(reason: string): void;
}

export class Takeover {
  readonly #options: TakeoverOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #worked: number | undefined;
  #looks = 0;

  constructor(options: TakeoverOptions) {
    this.#options = options;
    this.#worked = options.cpuTime();
    this.#timer = setInterval(() => this.#look(), TICK_MS);
    this.#timer.unref();
  }

  /** The spare has answered or ended. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#looks += 1;
    if (this.#looks < MAX_LOOKS) return;
    const now = this.#options.cpuTime();
    const isIdle = now !== undefined && now === this.#worked;
    if (!isIdle && this.#looks < MAX_BUSY_LOOKS) return;
    this.stop();
    this.#options.onMute(
      `the process that waited to take over did not answer for ${(this.#looks * TICK_MS) / 1000} s`,
    );
  }
}
