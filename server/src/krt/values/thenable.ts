// Promises in places that need an answer at once. Taken as an answer, a promise would mean yes.

import {EngineError} from './error.ts';

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  return typeof (value as {then?: unknown}).then === 'function';
}

/** Gives the value, or throws if it is a promise. `what` becomes text only then. */
export function refusePromise<T>(value: T, what: {toString(): string}): T {
  if (!isThenable(value)) return value;
  silenceRejection(value);
  throw new EngineError(
    'async-callback',
    `${what} returned a promise; the engine asks and goes on: answer at once, and write what comes later into a source`,
  );
}

/** Handles a rejection that has already been reported in another way. */
export function silenceRejection(promise: PromiseLike<unknown>): void {
  // Promise.resolve would return the same object, with methods of its own.
  new Promise(resolve => resolve(promise)).catch(() => {});
}

/** The same for a rejected answer: a promise, a list of promises, or a list beside a status. */
export function silenceRejections(answer: unknown, depth = 2): void {
  try {
    if (isThenable(answer)) silenceRejection(answer);
    else if (depth > 0 && (Array.isArray(answer) || answer instanceof Set)) {
      for (const one of answer) silenceRejections(one, depth - 1);
    }
  } catch {
    // The answer cannot be read, and its error has been reported.
  }
}
