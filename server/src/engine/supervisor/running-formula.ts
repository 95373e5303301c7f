// Which formula runs in the engine process right now, as far as main has heard, and since when: one that does not come
// to an end is told of, once.
import type {Culprit} from '../link/commands.ts';
import {cpuTimeOf} from './cpu-time.ts';

/** Milliseconds of its process's work after which a formula that was announced should have come to an end. */
const PATIENCE_MS = 1000;
/** The same by the clock on the wall: a machine that is busy with other things is slow, and the formula is not to blame. */
const WALL_CLOCK_LIMIT_MS = 10_000;
const TICK_MS = 100;

export class RunningFormulaMonitor {
  readonly #onLate: (culprit: Culprit) => void;
  readonly #pid: () => number;
  #running: Culprit | undefined;
  #since = 0;
  /** Milliseconds that the process had worked when this announcement was first looked at. */
  #worked: number | undefined;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: () => number, onLate: (culprit: Culprit) => void) {
    this.#pid = pid;
    this.#onLate = onLate;
  }

  note(culprit: Culprit): void {
    this.#running = culprit;
    this.#since = Date.now();
    this.#looks = 0;
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
    this.#looks += 1;
    if (this.#looks === 1) this.#worked = cpuTimeOf(this.#pid());
    const passed = Date.now() - this.#since;
    // Main itself may have slept: the end may lie unread, and one more look finds that out.
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
  const said = reason.includes(name) ? reason : `the engine process ended while ${name} ran: ${reason}`;
  return `${said}; it is quarantined until its code is changed`;
}
