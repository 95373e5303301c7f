// Converts an error inside the engine process to the failure that a person or a script reads.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {RolledOff, Unanswerable} from '../../explain/records.ts';

/** Refuses a command. Nothing has changed. */
export class CommandRefused extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function failureOf(error: unknown): ApiFailure {
  if (error instanceof CommandRefused) return error.failure;
  if (error instanceof RolledOff) {
    return {
      code: 'rolled-off',
      message: error.message,
      hint: `use at=${error.nearest}, or start with a larger --history-runs or --history-mb`,
      nearest: error.nearest,
    };
  }
  if (error instanceof Unanswerable) return {code: error.code, message: error.message, hint: error.hint};
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `the engine could not answer: ${message}`,
    hint: 'this is a defect of krtscope; please report it with your request',
  };
}
