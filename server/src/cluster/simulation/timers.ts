// Timers that stop together with the cluster and do not keep the process alive. Their errors are logged, so
// that one refused write cannot end the demo.

import type {Clock} from '../../kube/clock.ts';
import {logProblem} from '../problem-log.ts';

/** Node's timers fire at once beyond this. */
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

/** Calls `act` repeatedly until the returned function is called. */
export function repeatEvery(clock: Clock, milliseconds: number, act: () => void): () => void {
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(milliseconds, () => {
      next();
      runLoggingErrors(act);
    });
  };
  next();
  return () => cancel();
}

function runLoggingErrors(act: () => void): void {
  try {
    act();
  } catch (error) {
    logProblem(error instanceof Error ? error.message : String(error));
  }
}
