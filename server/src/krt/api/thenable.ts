// Promises where an answer is needed now: taken for an answer, each would be a yes.

import {EngineError} from './error.ts';

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  return typeof (value as {then?: unknown}).then === 'function';
}

/** The value itself; throws if it is a promise, and says of what. */
export function refusePromise<T>(value: T, what: string): T {
  // Mostly it is a text or a truth value.
  if (typeof value !== 'object' || value === null || !isThenable(value)) return value;
  quiet(value);
  throw new EngineError(
    'async-callback',
    `${what} returned a promise; the engine asks and goes on: answer at once, and write what comes later into a source`,
  );
}

/** Its rejection would be nobody's: what is wrong has been said. */
export function quiet(promise: PromiseLike<unknown>): void {
  Promise.resolve(promise).catch(() => {});
}
