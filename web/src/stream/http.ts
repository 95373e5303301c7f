// All HTTP requests to the server: adds session and moment, turns failures into ApiFailure.
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {authorize, markRefused, useAccessToken} from './access-token.ts';
import {useConnection} from './server-connection.ts';

export class RequestError extends Error {
  readonly failure: ApiFailure;
  readonly status: number;

  constructor(failure: ApiFailure, status: number) {
    super(failure.message);
    this.failure = failure;
    this.status = status;
  }
}

/** The URL of an API path; `null` values are left out. */
export function apiPath(
  path: string,
  query: Record<string, string | number | null | undefined> = {},
): string {
  const [base, own] = path.split('?', 2);
  const search = new URLSearchParams(own);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && !search.has(name)) search.set(name, String(value));
  }
  const text = search.toString();
  return `/api/v1${base}${text ? `?${text}` : ''}`;
}

/** A request's body, as JSON. */
export function jsonRequest(method: string, body?: unknown, signal?: AbortSignal): RequestInit {
  return {
    method,
    signal: signal ?? null,
    ...(body !== undefined && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
  };
}

/** Throws `RequestError` for every answer that is not a success, and when no answer comes. */
export async function request<T>(address: string, options: RequestInit = {}): Promise<T> {
  const response = await send(address, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw noAnswerError(error, 'The krtscope server closed the connection before its answer was complete.');
  }
}

/** Fetches a file. Returns its bytes and the name that the server gave it. */
export async function requestFile(address: string): Promise<{blob: Blob; name: string | null}> {
  const response = await send(address, {headers: {accept: '*/*'}});
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
  try {
    return {blob: await response.blob(), name};
  } catch (error) {
    throw noAnswerError(error, 'The krtscope server closed the connection before the file was complete.');
  }
}

async function send(address: string, options: RequestInit): Promise<Response> {
  const {token} = useAccessToken.getState();
  const headers = {accept: 'application/json', ...(options.headers as Record<string, string>)};
  let response: Response;
  try {
    response = await fetch(address, {...options, headers: authorize(headers)});
  } catch (error) {
    throw noAnswerError(error, 'The krtscope server does not answer.');
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  const failure = toFailure(body, response.status);
  // A request with its own token says nothing about the page's token.
  if ((failure.code === 'unauthorized' || failure.code === 'forbidden') && !('authorization' in headers))
    markRefused(token, useConnection.getState().session === null, failure);
  throw new RequestError(failure, response.status);
}

/** The error for a missing answer; a cancelled request reports the cancellation. */
function noAnswerError(error: unknown, message: string): unknown {
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return new RequestError({code: 'no-answer', message, hint: 'Is it still running?'}, 0);
}

function toFailure(body: unknown, status: number): ApiFailure {
  if (typeof body === 'object' && body !== null && 'code' in body && 'message' in body) {
    return body as ApiFailure;
  }
  return {code: 'internal', message: `The server answered ${status}.`, hint: 'Its log on stderr says why.'};
}
