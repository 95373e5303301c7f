// The state of a reflector with a readable reason, and the classes of failures by their remedy.

import {type ApiError, ConnectionError, isApiError} from '../error.ts';
import {type Resource, resourceName} from '../resource.ts';

/**
 * `listing`: the first list is running. `synced`: the cache follows the server. `reconnecting`: the cache was
 * synced and the watch is lost, so the cache shows its last state. In the other phases the server gives no
 * usable answer; `reason` says why.
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
  /** Objects read so far while listing. `total` is set when the server tells the count. */
  seen: number;
  total?: number;
}

/** The watch was lost and could not resume. Only the result of the changes in between is known. */
export interface Gap {
  reason: string;
  /** The duration of the gap in milliseconds. */
  lasted: number;
  /** Objects that the next list added, changed or removed. */
  differed: number;
  /** Set when a comparison with the server found that the watch had lost events: their number. */
  missed?: number | undefined;
}

/** Returns the state after a failed list or watch. `missing`: an API server confirms that the kind is missing. */
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
  // The request was not sent, so the server is not the cause.
  if (error instanceof ConnectionError && error.failure === 'credentials')
    return {phase: 'unauthorized', reason: message};
  if (error instanceof ConnectionError && error.failure === 'tls' && isOwnCertificate(message))
    return {phase: 'unauthorized', reason: `the client certificate and its key do not match: ${message}`};
  if (error instanceof ConnectionError && error.stage === 'watch')
    return {phase: synced ? 'reconnecting' : 'unreachable', reason: `the watch was lost: ${message}`};
  if (!(error instanceof ConnectionError))
    return {phase: synced ? 'reconnecting' : 'unreachable', reason: `cannot process the objects: ${message}`};
  return {phase: 'unreachable', reason: `the server does not answer: ${message}`};
}

/** Recognises Node's errors about our own certificate or key, which occur before anything is sent. */
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
  const phase = synced ? 'reconnecting' : 'unreachable';
  if (error.code === 403)
    return {phase: 'forbidden', reason: `you may not list and watch ${name}: ${error.message}`};
  if (error.code === 401)
    return {phase: 'unauthorized', reason: `the server does not accept these credentials: ${error.message}`};
  if (missing) {
    const version = resource.group ? `${resource.group}/${resource.version}` : resource.version;
    return {
      phase: 'not installed',
      reason: `this cluster does not serve ${name} in ${version}; they appear once it does`,
    };
  }
  if (error.code === 404)
    return {
      phase,
      reason: 'something other than an API server answered 404: check proxies and load balancers',
    };
  if (error.code === 410) return {phase, reason: 'the watch expired: listing again'};
  if (error.code === 429) return {phase, reason: `the server asks to wait: ${error.message}`};
  return {phase, reason: `the server answered ${error.code}: ${error.message}`};
}

/** True when the watch may continue from the last version. */
export function isResumable(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.stage !== 'decode';
  return isApiError(error, 429) || (isApiError(error, 503) && error.retryAfter !== undefined);
}

/** True when no server answered, or only a proxy in front of it. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.stage !== 'decode' && error.failure !== 'credentials';
  return isApiError(error, 500, 502, 503, 504) && error.status === undefined;
}
