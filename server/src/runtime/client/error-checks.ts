// Recognises errors of the server by code and reason.

import {isApiError} from '../../kube/error.ts';

export function isNotFound(error: unknown): boolean {
  return isApiError(error, 404);
}

/** An object of that name exists. */
export function isAlreadyExists(error: unknown): boolean {
  return isApiError(error, 409) && error.reason === 'AlreadyExists';
}

/** Another write came first, or another manager owns an applied field. */
export function isConflict(error: unknown): boolean {
  return isApiError(error, 409) && error.reason !== 'AlreadyExists';
}

export function isInvalid(error: unknown): boolean {
  return isApiError(error, 422);
}

export function isForbidden(error: unknown): boolean {
  return isApiError(error, 403);
}

/** Resolves to undefined for a missing object: `await ignoreNotFound(client.get(Pod, key))`. */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
