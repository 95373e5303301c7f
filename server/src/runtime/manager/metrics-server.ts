// Serves a manager's metrics and additional handlers on the same address.

import type {Metrics} from '../metrics/metrics.ts';
import {type HttpHandler, HttpServer, notFound} from './http-server.ts';
import {type MetricsOptions, metricsPath} from './manager-options.ts';
import type {MetricsAccess} from './metrics-access.ts';

export function metricsServer(
  metrics: Metrics,
  address: string,
  handlers: ReadonlyMap<string, HttpHandler>,
  tls: MetricsOptions['tls'],
  access?: MetricsAccess,
): HttpServer {
  return new HttpServer({
    address,
    tls,
    name: 'metrics',
    handler: async (request, response, url) => {
      const code = (await access?.check(request, url.pathname)) ?? 200;
      if (code !== 200) {
        const text = code === 401 ? 'Unauthorized: send a valid bearer token\n' : 'Forbidden\n';
        return response.writeHead(code, {'content-type': 'text/plain; charset=utf-8'}).end(text);
      }
      if (url.pathname !== metricsPath) {
        const handler = handlers.get(url.pathname);
        return handler ? handler(request, response, url) : notFound(response);
      }
      const text = await metrics.registry.metrics();
      response.writeHead(200, {'content-type': metrics.registry.contentType});
      response.end(text);
    },
  });
}
