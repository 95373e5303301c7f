// Keeps a process from writing on a lease that may be another's by now. A write that is still on its way to the
// socket when the time is over is aborted: a process that was stopped for a while wakes up in the middle of one.

import type {Clock} from '../../kube/clock.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';

/** Nothing was sent. */
export class LeaseExpiredError extends Error {
  override readonly name = 'LeaseExpiredError';
}

export class WriteFence {
  readonly #clock: Clock;
  readonly #renewDeadline: number;
  #renewed: number | undefined;
  #closed = false;
  #lapse = new AbortController();
  #cancel: () => void = () => {};

  constructor(clock: Clock, renewDeadline: number) {
    this.#clock = clock;
    this.#renewDeadline = renewDeadline;
  }

  /** The lease was renewed by a request that was sent at `at`. */
  renewed(at: number): void {
    // An answer that comes after we gave up must not let us write again.
    if (this.#closed) return;
    this.#renewed = at;
    this.#cancel();
    if (this.#lapse.signal.aborted) this.#lapse = new AbortController();
    const left = at + this.#renewDeadline - this.#clock.now();
    this.#cancel = this.#clock.after(left, () => this.#lapse.abort(this.#error()));
  }

  /** No further write, whatever the clock says. */
  close(): void {
    this.#closed = true;
    this.#cancel();
    if (this.#renewed === undefined) return;
    this.#renewed = Number.NEGATIVE_INFINITY;
    this.#lapse.abort(this.#error());
  }

  /** Throws when this process has led and may not lead any more. One that never led writes freely. */
  check(): void {
    if (this.#renewed === undefined) return;
    if (this.#clock.now() - this.#renewed > this.#renewDeadline) throw this.#error();
  }

  /** The wire, with writes behind the fence. Reads go through. */
  around(wire: Wire): Wire {
    const request = async <T>(options: RequestOptions) => {
      if ((options.method ?? 'GET') === 'GET') return wire.request<T>(options);
      this.check();
      if (this.#renewed === undefined) return wire.request<T>(options);
      const signals = [this.#lapse.signal, ...(options.signal ? [options.signal] : [])];
      return wire.request<T>({...options, signal: AbortSignal.any(signals)});
    };
    return {
      server: wire.server,
      readOnly: wire.readOnly,
      clock: wire.clock,
      request,
      stream: options => wire.stream(options),
      close: () => wire.close(),
    };
  }

  #error(): LeaseExpiredError {
    return new LeaseExpiredError(
      `not sent: the lease was last renewed over ${this.#renewDeadline / 1000} s ago, so another may lead by now`,
    );
  }
}
