// Watches one engine process from outside: a heartbeat over the channel and its resident memory from /proc.
// It only says what is wrong; the supervisor ends the process.
import {readFile} from 'node:fs/promises';

export interface WatchdogOptions {
  pid: number;
  /** Resident megabytes it may take: the heap limit does not count buffers. */
  limitMb: number;
  /** Milliseconds without a heartbeat that mean it is stuck. */
  silenceMs: number;
  ping(n: number): void;
  /** `slow`: it may only be taking long, and did nothing else wrong. */
  onTrouble(reason: string, slow: boolean): void;
}

const PING_MS = 1000;
const MEMORY_MS = 200;
const PAGE = 4096;
const START_MS = 30_000;

export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #heard = Date.now();
  #n = 0;
  #waiting = false;
  /** Loading its code takes a busy machine longer than any answer. */
  #patience = START_MS;
  #ended = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#timers.push(setInterval(() => this.#beat(), Math.min(PING_MS, options.silenceMs / 3)));
    this.#timers.push(setInterval(() => void this.#weigh(), MEMORY_MS));
    for (const timer of this.#timers) timer.unref();
  }

  /** Any message from the process is a sign of life; a pong also brings its memory, where /proc has none. */
  heard(rss?: number): void {
    this.#heard = Date.now();
    this.#waiting = false;
    this.#patience = 0;
    if (rss !== undefined) this.#judge(rss);
  }

  stop(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  #beat(): void {
    const now = Date.now();
    const silence = now - this.#heard;
    if (this.#waiting && silence > Math.max(this.#patience, this.#options.silenceMs)) {
      this.#report(`it did not answer for ${(silence / 1000).toFixed(1)} s`, true);
      return;
    }
    // Silence counts only from a question on: main itself may have slept.
    if (!this.#waiting) this.#heard = now;
    this.#waiting = true;
    this.#n += 1;
    this.#options.ping(this.#n);
  }

  async #weigh(): Promise<void> {
    try {
      const statm = await readFile(`/proc/${this.#options.pid}/statm`, 'utf8');
      this.#judge(Number(statm.split(' ')[1]) * PAGE);
    } catch {
      // No /proc here, or the process has just ended: pongs and the exit say the same.
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
