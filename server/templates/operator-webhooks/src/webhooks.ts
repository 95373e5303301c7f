// The admission webhooks of Websites: what the API server asks before it stores one.
import {defaulting, type Manager, serveWebhooks, validating, type WebhookAddress} from 'krtscope/runtime';
import {Website} from './website.ts';

/** Serves the webhooks and tells the API server where they are. */
export function addWebsiteWebhooks(
  manager: Manager,
  address: WebhookAddress | (() => WebhookAddress),
): {readonly ready: Promise<void>} {
  return serveWebhooks(manager, {
    name: 'website-operator',
    address,
    webhooks: [
      // Completes a Website: change the copy, the library computes the patch.
      defaulting(Website, website => {
        website.metadata.labels = {
          'app.kubernetes.io/managed-by': 'website-operator',
          ...website.metadata.labels,
        };
        return undefined;
      }),
      // Returns why a write is refused, or undefined.
      validating(Website, {
        create: ({spec}, {warn}) => {
          if (spec.replicas === 1) warn('one replica: the site is away while its node is');
          return spec.html.includes('<script') ? 'spec.html may not have scripts' : undefined;
        },
        update: ({spec}) => (spec.html.includes('<script') ? 'spec.html may not have scripts' : undefined),
      }),
    ],
  });
}
