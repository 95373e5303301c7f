// Limits the silence of one request, together with the caller's signals. A large response over a slow link has no
// limit as long as bytes arrive.

import type {Clock} from '../clock.ts';
import {ApiError, ConnectionError, failureOf, ReadOnlyError, rootMessage} from '../error.ts';

export class TimeLimit {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #signals: readonly AbortSignal[];
  #timeout: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #onExpired: (() => void) | undefined;
  #expired = false;
  #cancel: () => void;
  #lastBytesAt: number;

  constructor(clock: Clock, ms: number, signals: (AbortSignal | undefined)[]) {
    this.#clock = clock;
    this.#ms = ms;
    this.#signals = signals.filter(signal => signal !== undefined);
    this.#lastBytesAt = clock.now();
    this.#cancel = this.#wait(ms);
  }

  get aborted(): boolean {
    return this.#expired || this.#signals.some(signal => signal.aborted);
  }

  get reason(): unknown {
    return this.#signals.find(signal => signal.aborted)?.reason ?? timedOut();
  }

  /** Made on demand: a combined signal takes longer than the rest of a small request. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    this.#timeout = new AbortController();
    if (this.#expired) this.#timeout.abort();
    this.#signal = AbortSignal.any([this.#timeout.signal, ...this.#signals]);
    return this.#signal;
  }

  /** Calls `run` when the limit or a signal ends the request. At most one at a time. */
  onAbort(run: (reason: unknown) => void): () => void {
    const abort = () => run(this.reason);
    const ignore = () => {
      this.#onExpired = undefined;
      for (const signal of this.#signals) signal.removeEventListener('abort', abort);
    };
    this.#onExpired = abort;
    for (const signal of this.#signals) signal.addEventListener('abort', abort, {once: true});
    return ignore;
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
      if (left > 0) {
        this.#cancel = this.#wait(left);
        return;
      }
      this.#expired = true;
      this.#timeout?.abort();
      this.#onExpired?.();
    });
  }

  /** Returns the error to throw: our timeout, the caller's abort, or a connection error. */
  explain(error: unknown, stage: ConnectionError['stage'], what: string): unknown {
    if (error instanceof ApiError || error instanceof ConnectionError || error instanceof ReadOnlyError)
      return error;
    if (this.#expired)
      return new ConnectionError('timeout', stage, `${what}: no response for ${this.#ms / 1000} s`, {
        cause: error,
      });
    if (this.aborted) return this.reason;
    return new ConnectionError(failureOf(error), stage, `${what}: ${rootMessage(error)}`, {cause: error});
  }
}

function timedOut(): DOMException {
  return new DOMException('The request took too long', 'TimeoutError');
}
