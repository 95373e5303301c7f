// A failure in one line for users: the server's message and what to do.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {RequestError} from './http.ts';

/** Joins message and hint; a message that is a clause gets a full stop too. */
export function failureText({message, hint}: ApiFailure): string {
  return /[.!?…]$/.test(message) ? `${message} ${hint}` : `${message}; ${hint}`;
}

export function errorText(error: unknown): string {
  return error instanceof RequestError ? failureText(error.failure) : String(error);
}
