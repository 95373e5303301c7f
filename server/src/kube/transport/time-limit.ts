// A limit on silence joined with the caller's signals, on the injected clock, and what an error means under it. A
// large answer over a slow link may take as long as it takes, as long as it moves.

import type {Clock} from '../clock.ts';
import {ApiError, ConnectionError, failureOf, ReadOnlyError, rootMessage} from '../error.ts';

export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #clock: Clock;
  readonly #ms: number;
  #cancel: () => void;
  #heard: number;

  constructor(clock: Clock, ms: number, signals: (AbortSignal | undefined)[]) {
    this.#clock = clock;
    this.#ms = ms;
    this.#heard = clock.now();
    this.#cancel = this.#wait(ms);
    this.signal = AbortSignal.any([this.#timeout.signal, ...signals.filter(signal => signal !== undefined)]);
  }

  lift(): void {
    this.#cancel();
  }

  /** Something came: the silence begins anew. */
  heard(): void {
    this.#heard = this.#clock.now();
  }

  #wait(ms: number): () => void {
    return this.#clock.after(ms, () => {
      const left = this.#heard + this.#ms - this.#clock.now();
      if (left > 0) this.#cancel = this.#wait(left);
      else this.#timeout.abort();
    });
  }

  /** What an error means here: our deadline, the caller's abort, or the connection. */
  explain(error: unknown, stage: ConnectionError['stage'], what: string): unknown {
    if (error instanceof ApiError || error instanceof ConnectionError || error instanceof ReadOnlyError)
      return error;
    if (this.#timeout.signal.aborted)
      return new ConnectionError('timeout', stage, `${what}: nothing was heard for ${this.#ms / 1000} s`, {
        cause: error,
      });
    if (this.signal.aborted) return this.signal.reason;
    return new ConnectionError(failureOf(error), stage, `${what}: ${rootMessage(error)}`, {cause: error});
  }
}
