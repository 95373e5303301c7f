// Limits the requests of one reflector. Without a limit, every broken connection would cause new requests, and a
// recovering server would receive the most.

import type {DynamicClient, DynamicClientReader} from '../client/dynamic-client.ts';
import {type Clock, sleep} from '../clock.ts';

const most = 3;
/** One second and a margin, because requests may arrive closer together than they were sent. */
const span = 1050;

export class ReflectorRateLimit {
  readonly #clock: Clock;
  /** The times of the last requests, oldest first. */
  readonly #sent: number[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the next request may leave. Also resolves when the signal aborts: then do not send it. */
  waitForTurn(signal?: AbortSignal): Promise<void> {
    this.#queue = this.#queue.then(() => this.#wait(signal));
    return this.#queue;
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const oldest = this.#sent.length < most ? Number.NEGATIVE_INFINITY : (this.#sent[0] ?? 0);
    const rest = oldest + span - this.#clock.now();
    if (rest > 0) await sleep(this.#clock, rest, signal);
    if (signal?.aborted) return;
    // Use the actual time, because a timer may be late.
    this.#sent.push(this.#clock.now());
    if (this.#sent.length > most) this.#sent.shift();
  }
}

/** Limits the reads of `client`. Later pages of a list are not limited. */
export function limitReadRate(client: DynamicClient, rate: ReflectorRateLimit): DynamicClientReader {
  const turn = (signal?: AbortSignal) => rate.waitForTurn(signal);
  return {
    get: (resource, ref, options) => client.get(resource, ref, {...options, turn}),
    list: (resource, options) =>
      client.list(resource, options?.continue === undefined ? {...options, turn} : options),
    watch: (resource, options) => client.watch(resource, {...options, turn}),
  };
}
