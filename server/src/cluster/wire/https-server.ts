// The HTTPS server: authenticates, routes to a verb of a resource, and answers errors as JSON.

import {createServer, type Server} from 'node:https';
import {withPendingCalls} from '../admission/pending-call.ts';
import type {Api} from '../api.ts';
import {logProblem} from '../problem-log.ts';
import {Exchange, type RequestSide, type ResponseSide} from './exchange.ts';
import type {RbacAccess} from './rbac-access.ts';
import {answerResource} from './requests/resource-request.ts';
import {answerNonResourceUrl} from './responses/non-resource-urls.ts';
import {badRequest, noSuchPath, StatusError} from './responses/status-error.ts';
import {routeRequest} from './route.ts';

export function createApiServer(api: Api, access: RbacAccess, tls: {key: string; cert: string}): Server {
  const server = createServer(tls, (request, response) => {
    // The small events of a watch must not wait for more data.
    response.socket?.setNoDelay(true);
    void answerRequest(api, access, request, response);
  });
  // Watches are quiet for long, and Node's timeouts would cut them.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 120_000;
  server.headersTimeout = 125_000;
  return server;
}

/** An invalid path is the client's error. */
function pathParts(path: string): string[] {
  try {
    return path
      .split('/')
      .filter(part => part !== '')
      .map(decodeURIComponent);
  } catch {
    throw badRequest(`the path ${JSON.stringify(path)} is not a valid URL path`);
  }
}

/** The old path of a watch, /api/v1/watch/…, equals the parameter. */
function withoutWatch(parts: string[], query: URLSearchParams): string[] {
  const at = parts[0] === 'api' ? 2 : 3;
  if (parts[at] !== 'watch' || parts.length === at + 1) return parts;
  query.set('watch', 'true');
  return parts.toSpliced(at, 1);
}

/** Answers one request, from HTTP or from this process. */
export async function answerRequest(
  api: Api,
  access: RbacAccess,
  request: RequestSide,
  response: ResponseSide,
): Promise<void> {
  const exchange = new Exchange(request, response);
  try {
    const user = access.authenticate(request);
    exchange.user = user;
    const parts = withoutWatch(pathParts(exchange.path), exchange.query);
    const target = routeRequest(api, parts);
    if (target)
      await withPendingCalls(() => {
        // A verb that waited for webhooks runs again from the start.
        exchange.warnings.length = 0;
        return answerResource(api, access, user, target, exchange);
      });
    else {
      access.authorizePath(user, exchange.path, request.method ?? 'GET');
      const sent = answerNonResourceUrl(api, parts, exchange);
      if (!sent) refusePath(api, parts, exchange);
    }
  } catch (error) {
    exchange.fail(error);
    if (!(error instanceof StatusError)) logProblem(`${request.method} ${request.url}`, error);
  }
}

/** An unknown resource of a served group version gets a Status, other paths a plain page. */
function refusePath(api: Api, parts: string[], exchange: Exchange): void {
  const [root, group = '', version = ''] = parts;
  const served = api.resources.versions();
  if (root === 'api') throw noSuchPath();
  if (root === 'apis' && (parts.length === 3 || served.some(v => v.group === group && v.version === version)))
    throw noSuchPath();
  exchange.text(404, '404 page not found\n', 'text/plain; charset=utf-8');
}
