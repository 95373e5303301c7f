// Stops writes when another process may hold the lease. A stopped process may resume in the middle of a write. So the
// lease is checked again right before the bytes are written. The connection of an unfinished write is closed.

import type {Clock} from '../../kube/clock.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';

/** The write was not sent. */
export class LeaseExpiredError extends Error {
  override readonly name = 'LeaseExpiredError';
}

const emptyDelete = {apiVersion: 'v1', kind: 'DeleteOptions'};

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

  /** A request of time `at` renewed the lease. */
  renewed(at: number): void {
    // A late answer must not enable writes again.
    if (this.#closed) return;
    this.#renewed = at;
    this.#cancel();
    if (this.#lapse.signal.aborted) this.#lapse = new AbortController();
    const left = at + this.#renewDeadline - this.#clock.now();
    this.#cancel = this.#clock.after(left, () => this.#lapse.abort(this.#error()));
  }

  /** Stops all further writes. */
  close(): void {
    this.#closed = true;
    this.#cancel();
    if (this.#renewed === undefined) return;
    this.#renewed = Number.NEGATIVE_INFINITY;
    this.#lapse.abort(this.#error());
  }

  /** Throws when this process has led and its lease may have expired. A process that never led may write. */
  check(): void {
    if (this.#renewed === undefined) return;
    if (this.#clock.now() - this.#renewed > this.#renewDeadline) throw this.#error();
  }

  /** Wraps the wire: writes are checked, reads pass. */
  around(wire: Wire): Wire {
    const request = async <T>(options: RequestOptions) => {
      if ((options.method ?? 'GET') === 'GET') return wire.request<T>(options);
      this.check();
      if (this.#renewed === undefined) return wire.request<T>(options);
      const lapse = this.#lapse.signal;
      // Only a request with a body can be checked while it is sent.
      const body = options.body ?? (options.method === 'DELETE' ? emptyDelete : undefined);
      return wire.request<T>({
        ...options,
        body,
        signal: options.signal ? AbortSignal.any([lapse, options.signal]) : lapse,
        beforeSend: () => this.#checkOrLapse(),
      });
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

  /** Also ends the other writes of an expired lease, before a timer would. */
  #checkOrLapse(): void {
    try {
      this.check();
    } catch (error) {
      this.#lapse.abort(error);
      throw error;
    }
  }

  #error(): LeaseExpiredError {
    return new LeaseExpiredError(
      `not sent: the last renewal of the lease was over ${this.#renewDeadline / 1000} s ago, so another process may lead`,
    );
  }
}
