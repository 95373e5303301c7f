// Checks what a reconciler returns. A misspelt field or a wrong type would otherwise mean "done" and stop the polling.

import {messageOf} from '../log/error-text.ts';
import type {Result} from './reconciler.ts';

const fields = new Set(['requeueAfter', 'requeue', 'priority', 'error']);

/** The reconciler returned something that is not a Result. */
class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError';

  constructor(reason: string) {
    super(`the result of the reconcile is not valid: ${reason}`);
  }
}

/** Returns a copy with the fields of a Result, so that a getter runs only once. */
export function checkResult(answer: unknown): Result | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer !== 'object' || Array.isArray(answer))
    throw new InvalidResultError(`it is ${shown(answer)}; return an object, or nothing`);
  const result: Result = {...answer};
  const unknown = Object.keys(result).find(name => !fields.has(name));
  if (unknown !== undefined)
    throw new InvalidResultError(
      `unknown field ${unknown}; a result may have requeueAfter, requeue, priority and error`,
    );
  const {requeueAfter, priority} = result;
  if (requeueAfter !== undefined && !(Number.isFinite(requeueAfter) && requeueAfter >= 0))
    throw new InvalidResultError(
      `requeueAfter is ${shown(requeueAfter)}; it must be a number of milliseconds of at least 0`,
    );
  if (priority !== undefined && !Number.isFinite(priority))
    throw new InvalidResultError(`priority is ${shown(priority)}; it must be a number`);
  return result;
}

function shown(value: unknown): string {
  return typeof value === 'number'
    ? String(value)
    : typeof value === 'string'
      ? JSON.stringify(value)
      : messageOf(value);
}
