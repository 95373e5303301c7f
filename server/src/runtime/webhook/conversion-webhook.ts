// The webhook that converts a program's resources between their versions, on the manager's webhook server.

import type {IncomingMessage} from 'node:http';
import type {Logger} from '../log/logger.ts';
import type {Metrics} from '../metrics/metrics.ts';
import type {CustomResource} from '../resource/define-resource.ts';
import {answerConversion} from './conversion-review.ts';
import type {WebhookServer} from './webhook-server.ts';

/** What it needs of a manager. */
export interface ConversionHost {
  readonly webhookServer: WebhookServer;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Where controller-runtime has it, too. */
export const conversionPath = '/convert';

/** Serves the conversions of these resources; each must have some. The CRD names the address: `definition({conversion})`. */
export function serveConversions(
  {webhookServer, metrics, log}: ConversionHost,
  resources: readonly Pick<CustomResource, 'kind' | 'converter'>[],
  path = conversionPath,
): void {
  const converters = resources.map(({kind, converter}) => {
    if (!converter) throw new Error(`${kind} has no conversions: give defineResource a hub and conversions`);
    return converter;
  });
  webhookServer.register(path, async (request, response) => {
    const {code, body, panic} = answerConversion(await readJson(request), converters);
    if (panic !== undefined) {
      metrics.conversionPanics.inc();
      log.error('a conversion threw', {error: panic});
    }
    const text = typeof body === 'string';
    response.writeHead(code, {'content-type': text ? 'text/plain' : 'application/json'});
    response.end(text ? body : JSON.stringify(body));
  });
}

/** Undefined where it is no JSON: that is answered like a review without a request. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
