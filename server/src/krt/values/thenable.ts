// Promises where an answer is needed now: taken for an answer, each would be a yes.

import {EngineError} from './error.ts';

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  return typeof (value as {then?: unknown}).then === 'function';
}

/** The value itself; throws if it is a promise, and says of what. `what` is put into words only then. */
export function refusePromise<T>(value: T, what: {toString(): string}): T {
  if (!isThenable(value)) return value;
  silenceRejection(value);
  throw new EngineError(
    'async-callback',
    `${what} returned a promise; the engine asks and goes on: answer at once, and write what comes later into a source`,
  );
}

/** Its rejection would be nobody's: what is wrong has been said. */
export function silenceRejection(promise: PromiseLike<unknown>): void {
  // Not Promise.resolve: that gives a promise of the user's back as it is, with methods of his own.
  new Promise(resolve => resolve(promise)).catch(() => {});
}

/** As quiet, for an answer that is not taken: a promise, or those in a list, or in a list beside a status. */
export function silenceRejections(answer: unknown, depth = 2): void {
  try {
    if (isThenable(answer)) silenceRejection(answer);
    else if (depth > 0 && (Array.isArray(answer) || answer instanceof Set)) {
      for (const one of answer) silenceRejections(one, depth - 1);
    }
  } catch {
    // What cannot be looked at is nobody's promise; why the answer is not taken has been said.
  }
}
