// Delays and pulses that a cluster can drop all at once when it stops, that never keep the process alive, and
// whose failures are told and survived: the demo must not die of one refused write.

import type {Clock} from '../../kube/clock.ts';
import {logProblem} from '../problem-log.ts';

/** Beyond this Node's timers fire at once. */
const LONGEST = 2 ** 31 - 1;

export class Timers implements Clock {
  readonly #pending = new Set<NodeJS.Timeout>();

  now(): number {
    return performance.now();
  }

  random(): number {
    return Math.random();
  }

  after(milliseconds: number, act: () => void): () => void {
    const timer = setTimeout(
      () => {
        this.#pending.delete(timer);
        runLoggingErrors(act);
      },
      Math.min(milliseconds, LONGEST),
    );
    timer.unref();
    this.#pending.add(timer);
    return () => {
      clearTimeout(timer);
      this.#pending.delete(timer);
    };
  }

  stop(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}

/** Calls again and again; stop it with clearInterval. */
export function repeatEvery(milliseconds: number, act: () => void): NodeJS.Timeout {
  return setInterval(() => runLoggingErrors(act), milliseconds).unref();
}

function runLoggingErrors(act: () => void): void {
  try {
    act();
  } catch (error) {
    logProblem(error instanceof Error ? error.message : String(error));
  }
}
