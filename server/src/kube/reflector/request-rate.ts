// How often one reflector asks. Breaks that follow each other would each be followed by their own questions, and a
// server that is coming back would be asked most by those who wait for it.

import type {DynamicClient, DynamicClientReader} from '../client/dynamic-client.ts';
import {type Clock, sleep} from '../clock.ts';

const most = 3;
/** A second, and what a link may take off it: what was sent a second apart may arrive closer together. */
const span = 1050;

export class ReflectorRateLimit {
  readonly #clock: Clock;
  /** When the last few were sent, oldest first. */
  readonly #sent: number[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the next request may leave, or when the signal aborts: then it must not. */
  waitForTurn(signal?: AbortSignal): Promise<void> {
    this.#queue = this.#queue.then(() => this.#wait(signal));
    return this.#queue;
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const oldest = this.#sent.length < most ? Number.NEGATIVE_INFINITY : (this.#sent[0] ?? 0);
    const rest = oldest + span - this.#clock.now();
    if (rest > 0) await sleep(this.#clock, rest, signal);
    if (signal?.aborted) return;
    // By when it left, not by when it might have: a timer may be late.
    this.#sent.push(this.#clock.now());
    if (this.#sent.length > most) this.#sent.shift();
  }
}

/** Reads through `client`, at that pace. The pages of a list follow each other at once: they are one question. */
export function limitReadRate(client: DynamicClient, pace: ReflectorRateLimit): DynamicClientReader {
  const turn = (signal?: AbortSignal) => pace.waitForTurn(signal);
  return {
    get: (resource, ref, options) => client.get(resource, ref, {...options, turn}),
    list: (resource, options) =>
      client.list(resource, options?.continue === undefined ? {...options, turn} : options),
    watch: (resource, options) => client.watch(resource, {...options, turn}),
  };
}
