// All HTTP requests to the server: adds session and moment, turns failures into ApiFailure.
import type {ApiFailure} from '@krtscope/shared/session.ts';

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

/** Throws `Refused` for every answer that is not a success, and when no answer comes. */
export async function request<T>(address: string, options: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, {
      ...options,
      headers: {accept: 'application/json', ...options.headers},
    });
  } catch (error) {
    throw noAnswerError(error, 'The krtscope server does not answer.');
  }
  if (response.status === 204) return undefined as T;
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => null);
    throw new RequestError(toFailure(body, response.status), response.status);
  }
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw noAnswerError(error, 'The krtscope server closed the connection before its answer was complete.');
  }
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
