// The first moments of a process that has waited and is needed now. One that neither answers nor works is told of after a
// second: the silence that a process may keep while it works would be twenty.

const TICK_MS = 100;
/** Looks without an answer. Not time: main itself may have slept, and the answer lie unread. */
const MAX_LOOKS = 10;
/** The same of one that works: on a busy machine it has to wait for its turn. */
const MAX_BUSY_LOOKS = 100;

export interface TakeoverOptions {
  /** Milliseconds that the process has worked; undefined if nobody knows. */
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

  /** It has answered, or ended. */
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
