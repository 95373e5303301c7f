// Watches one engine process: a heartbeat over the channel and the resident memory from /proc. It only reports
// trouble; the supervisor ends the process.
import {readFile} from 'node:fs/promises';

export interface WatchdogOptions {
  pid: number;
  /** The limit of resident memory in megabytes. The heap limit does not count buffers. */
  limitMb: number;
  /** Milliseconds without a heartbeat until the process counts as stuck. */
  silenceMs: number;
  ping(n: number): void;
  /** `slow` says that it only took long. */
  onTrouble(reason: string, slow: boolean): void;
}

const PING_MS = 1000;
const MEMORY_MS = 200;
const PAGE = 4096;
const START_MS = 30_000;

export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #lastMessage = performance.now();
  #n = 0;
  #waiting = false;
  /** On a busy machine, loading the code takes longer than any answer. */
  #patience = START_MS;
  #ended = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#timers.push(setInterval(() => this.#beat(), Math.min(PING_MS, options.silenceMs / 3)));
    this.#timers.push(setInterval(() => void this.#weigh(), MEMORY_MS));
    for (const timer of this.#timers) timer.unref();
  }

  /** Any message is a sign of life. A pong also reports memory, for systems without /proc. */
  noteMessage(rss?: number): void {
    this.#lastMessage = performance.now();
    this.#waiting = false;
    this.#patience = 0;
    if (rss !== undefined) this.#judge(rss);
  }

  stop(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  #beat(): void {
    const now = performance.now();
    const silence = now - this.#lastMessage;
    if (this.#waiting && silence > Math.max(this.#patience, this.#options.silenceMs)) {
      this.#report(`it did not answer for ${(silence / 1000).toFixed(1)} s`, true);
      return;
    }
    // Silence counts from a ping on, because main itself may have slept.
    if (!this.#waiting) this.#lastMessage = now;
    this.#waiting = true;
    this.#n += 1;
    this.#options.ping(this.#n);
  }

  async #weigh(): Promise<void> {
    try {
      const statm = await readFile(`/proc/${this.#options.pid}/statm`, 'utf8');
      this.#judge(Number(statm.split(' ')[1]) * PAGE);
    } catch {
      // There is no /proc, or the process has just ended. Pongs and the exit event say the same.
    }
  }

  #judge(rss: number): void {
    const megabytes = rss / 1024 / 1024;
    if (megabytes > this.#options.limitMb) {
      this.#report(
        `it took ${Math.round(megabytes)} MB of memory, more than the ${this.#options.limitMb} MB it may`,
        false,
      );
    }
  }

  #report(reason: string, slow: boolean): void {
    if (this.#ended) return;
    this.stop();
    this.#options.onTrouble(reason, slow);
  }
}
