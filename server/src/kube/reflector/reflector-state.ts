// What a reflector is doing, in words a person can read, and what went wrong, told apart by what helps.

import {type ApiError, ConnectionError, isApiError} from '../error.ts';
import {type Resource, resourceName} from '../resource.ts';

/**
 * `listing`: the first list is under way. `synced`: the cache follows the server. `reconnecting`: it was
 * synced, the watch was lost, and the cache shows what was last seen. The others never had an answer that
 * could be used, or lost it: their reason says why.
 */
export type ReflectorPhase =
  | 'listing'
  | 'synced'
  | 'forbidden'
  | 'unauthorized'
  | 'not installed'
  | 'unreachable'
  | 'reconnecting';

export interface ReflectorState {
  phase: ReflectorPhase;
  reason: string;
  /** Objects seen so far, while listing, and how many there are, where the server says so. */
  seen: number;
  total?: number;
}

/** The watch was lost and could not be resumed: what happened in between is known only by its result. */
export interface Gap {
  reason: string;
  /** How long nothing was heard, in milliseconds. */
  lasted: number;
  /** Objects that were added, changed or gone when listed again. */
  differed: number;
}

/** The state a failed list or watch leads to. `missing`: an API server says that there is no such kind. */
export function stateOfFailure(
  error: unknown,
  resource: Resource,
  synced: boolean,
  missing = false,
): Omit<ReflectorState, 'seen'> {
  if (isApiError(error)) return stateOfAnswer(error, resource, synced, missing);
  if (error instanceof ConnectionError && error.stage === 'decode')
    return {phase: synced ? 'reconnecting' : 'unreachable', reason: error.message};
  const message = error instanceof Error ? error.message : String(error);
  // Nothing was sent: the server has nothing to do with it.
  if (error instanceof ConnectionError && error.failure === 'credentials')
    return {phase: 'unauthorized', reason: message};
  if (error instanceof ConnectionError && error.failure === 'tls' && isOwnCertificate(message))
    return {phase: 'unauthorized', reason: `the client certificate and its key do not fit: ${message}`};
  if (error instanceof ConnectionError && error.stage === 'watch')
    return {phase: synced ? 'reconnecting' : 'unreachable', reason: `the watch was lost: ${message}`};
  return {phase: 'unreachable', reason: `the server does not answer: ${message}`};
}

/** What Node says of a certificate or key that it was given, before it sends either. */
function isOwnCertificate(message: string): boolean {
  return /key values mismatch|no start line|bad base64|PEM lib|unsupported.*DECODER/i.test(message);
}

function stateOfAnswer(
  error: ApiError,
  resource: Resource,
  synced: boolean,
  missing: boolean,
): Omit<ReflectorState, 'seen'> {
  const name = resourceName(resource);
  const away = synced ? 'reconnecting' : 'unreachable';
  if (error.code === 403)
    return {phase: 'forbidden', reason: `you may not list and watch ${name}: ${error.message}`};
  if (error.code === 401)
    return {phase: 'unauthorized', reason: `the server does not accept these credentials: ${error.message}`};
  if (missing) {
    const version = resource.group ? `${resource.group}/${resource.version}` : resource.version;
    return {
      phase: 'not installed',
      reason: `this cluster has no ${name} in ${version}; they appear when it does`,
    };
  }
  if (error.code === 404)
    return {phase: away, reason: 'a 404 came that no API server wrote: something else answers in its place'};
  if (error.code === 410) return {phase: away, reason: 'the server forgot where we were: listing again'};
  if (error.code === 429) return {phase: away, reason: `the server asks us to wait: ${error.message}`};
  return {phase: away, reason: `the server answered ${error.code}: ${error.message}`};
}

/** The server knows where we were: the watch may go on from there. */
export function isResumable(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.stage !== 'decode';
  return isApiError(error, 429) || (isApiError(error, 503) && error.retryAfter !== undefined);
}

/** Nobody answered, or only what stands before the server did. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.stage !== 'decode' && error.failure !== 'credentials';
  return isApiError(error, 500, 502, 503, 504) && error.status === undefined;
}
