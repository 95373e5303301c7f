// Telling the server's refusals apart, by its own word for them.

import {isApiError} from '../../kube/error.ts';

export function isNotFound(error: unknown): boolean {
  return isApiError(error, 404);
}

/** There is one of that name. */
export function isAlreadyExists(error: unknown): boolean {
  return isApiError(error, 409) && error.reason === 'AlreadyExists';
}

/** Somebody wrote in between, or owns an applied field. */
export function isConflict(error: unknown): boolean {
  return isApiError(error, 409) && error.reason !== 'AlreadyExists';
}

export function isInvalid(error: unknown): boolean {
  return isApiError(error, 422);
}

export function isForbidden(error: unknown): boolean {
  return isApiError(error, 403);
}

/** Undefined where there is none: `await ignoreNotFound(client.get(Pod, key))`. */
export async function ignoreNotFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
