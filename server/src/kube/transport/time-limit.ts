// Limits the silence of one request, together with the caller's signals. A large response over a slow link has no
// limit as long as bytes arrive.

import type {Clock} from '../clock.ts';
import {ApiError, ConnectionError, failureOf, ReadOnlyError, rootMessage} from '../error.ts';

export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #clock: Clock;
  readonly #ms: number;
  #cancel: () => void;
  #lastBytesAt: number;

  constructor(clock: Clock, ms: number, signals: (AbortSignal | undefined)[]) {
    this.#clock = clock;
    this.#ms = ms;
    this.#lastBytesAt = clock.now();
    this.#cancel = this.#wait(ms);
    this.signal = AbortSignal.any([this.#timeout.signal, ...signals.filter(signal => signal !== undefined)]);
  }

  lift(): void {
    this.#cancel();
  }

  /** Restarts the limit, because bytes arrived. */
  restart(): void {
    this.#lastBytesAt = this.#clock.now();
  }

  #wait(ms: number): () => void {
    return this.#clock.after(ms, () => {
      const left = this.#lastBytesAt + this.#ms - this.#clock.now();
      if (left > 0) this.#cancel = this.#wait(left);
      else this.#timeout.abort();
    });
  }

  /** Returns the error to throw: our timeout, the caller's abort, or a connection error. */
  explain(error: unknown, stage: ConnectionError['stage'], what: string): unknown {
    if (error instanceof ApiError || error instanceof ConnectionError || error instanceof ReadOnlyError)
      return error;
    if (this.#timeout.signal.aborted)
      return new ConnectionError('timeout', stage, `${what}: no response for ${this.#ms / 1000} s`, {
        cause: error,
      });
    if (this.signal.aborted) return this.signal.reason;
    return new ConnectionError(failureOf(error), stage, `${what}: ${rootMessage(error)}`, {cause: error});
  }
}
