// The formula that runs in the engine process, as last announced, and since when. Reports once a formula that does
// not end.
import type {Culprit} from '../link/commands.ts';
import {cpuTimeOf} from './cpu-time.ts';

/** CPU time after which an announced formula should have ended. */
const PATIENCE_MS = 1000;
/** The same limit in elapsed time: on a busy machine a formula may wait for its turn. */
const WALL_CLOCK_LIMIT_MS = 10_000;
const TICK_MS = 100;

export class RunningFormulaMonitor {
  readonly #onLate: (culprit: Culprit) => void;
  readonly #pid: () => number;
  #running: Culprit | undefined;
  #since = 0;
  /** The CPU time of the process at the first check of this announcement. */
  #worked: number | undefined;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: () => number, onLate: (culprit: Culprit) => void) {
    this.#pid = pid;
    this.#onLate = onLate;
  }

  note(culprit: Culprit): void {
    this.#running = culprit;
    this.#since = performance.now();
    this.#looks = 0;
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), TICK_MS);
    this.#timer.unref();
  }

  rest(): void {
    this.#running = undefined;
  }

  /** The process has ended. Returns the formula that was running, if any. */
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
    this.#looks += 1;
    if (this.#looks === 1) this.#worked = cpuTimeOf(this.#pid());
    const passed = performance.now() - this.#since;
    // Main itself may have slept. The announcement of the end may be unread, so check once more.
    if (passed < PATIENCE_MS || this.#looks < 3) return;
    const now = cpuTimeOf(this.#pid());
    const worked = now === undefined || this.#worked === undefined ? passed : now - this.#worked + TICK_MS;
    if (worked < PATIENCE_MS && passed < WALL_CLOCK_LIMIT_MS) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#onLate(this.#running);
  }
}

export function quarantineMessage({name}: Culprit, reason: string): string {
  const message = reason.includes(name) ? reason : `the engine process ended while ${name} ran: ${reason}`;
  return `${message}; it is quarantined until its code is changed`;
}
