// Asks the server whether a token is the right one, before the page uses it.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {bearer} from '../../stream/access-token.ts';
import {apiPath, RequestError, request} from '../../stream/http.ts';

/** The token in a pasted text: the token itself, or the address that krtscope printed. */
export function tokenIn(text: string): string {
  const typed = text.trim();
  if (!/^https?:\/\//.test(typed)) return typed;
  return URL.canParse(typed) ? (new URL(typed).searchParams.get('token') ?? '') : typed;
}

export async function tryToken(token: string): Promise<'right' | ApiFailure> {
  try {
    await request(apiPath('/sessions'), {headers: {authorization: bearer(token)}});
    return 'right';
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.failure;
  }
}
