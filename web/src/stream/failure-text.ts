// What went wrong, in one line for people: what the server says, and what to do about it.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {RequestError} from './http.ts';

/** Message and hint; a message that is a clause and no sentence is parted from its hint all the same. */
export function failureText({message, hint}: ApiFailure): string {
  return /[.!?…]$/.test(message) ? `${message} ${hint}` : `${message}; ${hint}`;
}

export function errorText(error: unknown): string {
  return error instanceof RequestError ? failureText(error.failure) : String(error);
}
