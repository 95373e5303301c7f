// The HTTPS face: who is asking, which verb of which resource, and every answer or refusal as JSON.

import {createServer, type Server} from 'node:https';
import type {Api} from '../api.ts';
import {withConversions} from '../kinds/webhook-conversion.ts';
import {logProblem} from '../problem-log.ts';
import {Exchange, type RequestSide, type ResponseSide} from './exchange.ts';
import type {RbacAccess} from './rbac-access.ts';
import {answerResource} from './requests/resource-request.ts';
import {answerNonResourceUrl} from './responses/non-resource-urls.ts';
import {badRequest, noSuchPath, StatusError} from './responses/status-error.ts';
import {routeRequest} from './route.ts';

export function createApiServer(api: Api, access: RbacAccess, tls: {key: string; cert: string}): Server {
  const server = createServer(tls, (request, response) => {
    // A watch's lines are small and must not wait for more.
    response.socket?.setNoDelay(true);
    void answerRequest(api, access, request, response);
  });
  // Watches are quiet for long; Node's own deadlines would cut them.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 120_000;
  server.headersTimeout = 125_000;
  return server;
}

/** A path that cannot be decoded is the client's mistake. */
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

/** The old form of a watch, /api/v1/watch/…, means the same as the parameter. */
function withoutWatch(parts: string[], query: URLSearchParams): string[] {
  const at = parts[0] === 'api' ? 2 : 3;
  if (parts[at] !== 'watch' || parts.length === at + 1) return parts;
  query.set('watch', 'true');
  return parts.toSpliced(at, 1);
}

/** Answers one request, wherever it comes from. */
export async function answerRequest(
  api: Api,
  access: RbacAccess,
  request: RequestSide,
  response: ResponseSide,
): Promise<void> {
  const exchange = new Exchange(request, response);
  try {
    const user = access.authenticate(request);
    const parts = withoutWatch(pathParts(exchange.path), exchange.query);
    const target = routeRequest(api, parts);
    if (target) await withConversions(() => answerResource(api, access, user, target, exchange));
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

/** Under a served group version an unknown resource gets a Status, elsewhere the plain page. */
function refusePath(api: Api, parts: string[], exchange: Exchange): void {
  const [root, group = '', version = ''] = parts;
  const served = api.resources.versions();
  if (root === 'api') throw noSuchPath();
  if (root === 'apis' && (parts.length === 3 || served.some(v => v.group === group && v.version === version)))
    throw noSuchPath();
  exchange.text(404, '404 page not found\n', 'text/plain; charset=utf-8');
}
