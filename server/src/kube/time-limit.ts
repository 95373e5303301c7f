// A deadline joined with the caller's signals, on the injected clock, and what an error means under it.

import type {Clock} from './clock.ts';
import {ApiError, ConnectionError, failureOf, ReadOnlyError, rootMessage} from './error.ts';

export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #cancel: () => void;
  readonly #ms: number;

  constructor(clock: Clock, ms: number, signals: (AbortSignal | undefined)[]) {
    this.#ms = ms;
    this.#cancel = clock.after(ms, () => this.#timeout.abort());
    this.signal = AbortSignal.any([this.#timeout.signal, ...signals.filter(signal => signal !== undefined)]);
  }

  lift(): void {
    this.#cancel();
  }

  /** What an error means here: our deadline, the caller's abort, or the connection. */
  explain(error: unknown, stage: ConnectionError['stage'], what: string): unknown {
    if (error instanceof ApiError || error instanceof ConnectionError || error instanceof ReadOnlyError)
      return error;
    if (this.#timeout.signal.aborted)
      return new ConnectionError('timeout', stage, `${what}: no answer within ${this.#ms / 1000} s`, {
        cause: error,
      });
    if (this.signal.aborted) return this.signal.reason;
    return new ConnectionError(failureOf(error), stage, `${what}: ${rootMessage(error)}`, {cause: error});
  }
}
