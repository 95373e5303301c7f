// The conversion webhook on the manager's webhook server.

import type {IncomingMessage} from 'node:http';
import type {Logger} from '../log/logger.ts';
import type {Metrics} from '../metrics/metrics.ts';
import type {CustomResource} from '../resource/define-resource.ts';
import {answerConversion} from './conversion-review.ts';
import type {WebhookServer} from './webhook-server.ts';

/** The part of a manager that the webhook uses. */
export interface ConversionHost {
  readonly webhookServer: WebhookServer;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The same path as in controller-runtime. */
export const conversionPath = '/convert';

/** Serves the conversions of these resources. Put the address into the CRD with `definition({conversion})`. */
export function serveConversions(
  {webhookServer, metrics, log}: ConversionHost,
  resources: readonly Pick<CustomResource, 'kind' | 'converter'>[],
  path = conversionPath,
): void {
  const converters = resources.map(({kind, converter}) => {
    if (!converter)
      throw new Error(`${kind} has no conversions; add a hub and conversions to defineResource`);
    return converter;
  });
  webhookServer.register(path, async (request, response) => {
    const {code, body, panic} = answerConversion(await readJson(request), converters);
    if (panic !== undefined) {
      metrics.conversionPanics.inc();
      log.error('conversion failed', {error: panic});
    }
    const text = typeof body === 'string';
    response.writeHead(code, {'content-type': text ? 'text/plain' : 'application/json'});
    response.end(text ? body : JSON.stringify(body));
  });
}

/** Returns undefined for invalid JSON, which is handled like a review without a request. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
