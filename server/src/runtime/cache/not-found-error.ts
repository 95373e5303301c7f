// The server's error for a missing object, for reads that do not ask the server.

import {ApiError} from '../../kube/error.ts';

/** Names the kind, because a cache does not know the plural: `Deployment.apps "web" not found`. */
export function notFound(group: string, kind: string, name: string): ApiError {
  const message = `${group ? `${kind}.${group}` : kind} "${name}" not found`;
  return new ApiError(404, message, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message,
    reason: 'NotFound',
    details: {name, ...(group ? {group} : {}), kind},
    code: 404,
  });
}
