// The answer of a server for what is not there, where no server was asked.

import {ApiError} from '../../kube/error.ts';

/** A cache knows kinds and not resources, so it names the kind: `Deployment.apps "web" not found`. */
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
