// Runs one test under many orders of events. A failure names its seed, which repeats it exactly.

import {type ApiServer, type ApiServerOptions, startApiServer} from '../api-server.ts';
import type {MessageDelays} from './delayed-wire.ts';
import {VirtualClock} from './virtual-clock.ts';

export interface PermuteOptions extends Pick<ApiServerOptions, 'definitions' | 'controllers'> {
  /** The number of orders. Default: 200. */
  runs?: number | undefined;
  /** The first seed. Default: 1. */
  seed?: number | undefined;
  /** Fails a run after this many milliseconds of virtual time. Default: one hour. */
  limit?: number | undefined;
}

/** What one run of the test receives. */
export interface Permutation {
  server: ApiServer;
  clock: VirtualClock;
  seed: number;
}

/** From orders near to those of a quiet machine to a watch that lags for seconds. */
const LONGEST_DELAYS = [2, 20, 200, 3000];
const HOUR = 60 * 60_000;

/** Throws at the first run that fails. Its message has the seed, its cause is the error of the test. */
export async function permute(
  test: (run: Permutation) => Promise<void>,
  options: PermuteOptions = {},
): Promise<void> {
  const {runs = 200, seed: first = 1, limit = HOUR, definitions, controllers = false} = options;
  for (let seed = first; seed < first + runs; seed++) {
    const clock = new VirtualClock({seed, limit});
    const delays: MessageDelays = {min: 0, max: LONGEST_DELAYS[seed % LONGEST_DELAYS.length]!};
    const server = await startApiServer({
      clock,
      seed,
      delays,
      controllers,
      ...(definitions && {definitions}),
    });
    try {
      await Promise.race([test({server, clock, seed}), clock.expired]);
    } catch (cause) {
      const message = `seed ${seed} fails: ${cause instanceof Error ? cause.message : String(cause)}. Repeat it with permute(test, {seed: ${seed}, runs: 1})`;
      process.stderr.write(`${message}\n`);
      throw new Error(message, {cause});
    } finally {
      await server.stop();
    }
  }
}
