// Verbs are synchronous, and webhooks are not. A verb throws a pending call; `withPendingCalls` makes the call and
// runs the verb again. The verb has not written anything at that point.
import {AsyncLocalStorage} from 'node:async_hooks';

const MOST_ROUNDS = 100;

/** What one request remembers between the runs of its verb. */
const memory = new AsyncLocalStorage<Map<string, unknown>>();

export abstract class PendingCallError extends Error {
  abstract call(): Promise<void>;
}

export function remembered<T>(key: string): T | undefined {
  return memory.getStore()?.get(key) as T | undefined;
}

export function remember(key: string, value: unknown): void {
  memory.getStore()?.set(key, value);
}

/** Makes a value once for a request, so that a second run gives the same object. */
export function makeOnce<T>(key: string, make: () => T): T {
  const found = remembered<T>(key);
  if (found !== undefined) return found;
  const made = make();
  remember(key, made);
  return made;
}

/** Runs a verb, and again after each call that it needs. */
export function withPendingCalls<T>(act: () => T | Promise<T>): Promise<T> {
  return memory.run(new Map(), () => runRounds(act));
}

async function runRounds<T>(act: () => T | Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof PendingCallError) || round >= MOST_ROUNDS) throw error;
      await error.call();
    }
  }
}
