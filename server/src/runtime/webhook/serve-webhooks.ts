// Serves admission and conversion webhooks on the manager's webhook server, with certificates and configurations.

import type {IncomingMessage} from 'node:http';
import type {Clock} from '../../kube/clock.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../client/client.ts';
import {isForbidden, isNotFound} from '../client/error-checks.ts';
import {rawPatch} from '../client/patch.ts';
import type {Logger} from '../log/logger.ts';
import type {Runnable} from '../manager/runnable.ts';
import type {Metrics} from '../metrics/metrics.ts';
import type {CustomResource} from '../resource/define-resource.ts';
import {CustomResourceDefinition} from '../scheme/built-in-kinds.ts';
import type {ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import {answerAdmission} from './admission-review.ts';
import type {AdmissionWebhook} from './admission-webhook.ts';
import {CertificateRotation, checkEvery, type ServingCertificate} from './certificate-rotation.ts';
import {conversionPath, serveConversions} from './conversion-webhook.ts';
import {
  clientConfig,
  type WebhookAddress,
  webhookConfigurations,
  webhookPath,
} from './webhook-configurations.ts';
import type {WebhookServer} from './webhook-server.ts';

/** The part of a manager that webhooks use. */
export interface WebhookHost {
  readonly webhookServer: WebhookServer;
  readonly client: Client;
  readonly mapper: Mapper;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
  add(runnable: Runnable): void;
}

export interface ServeWebhooksOptions {
  /** The name of the configurations, and the field owner of what the manager writes into them. */
  name: string;
  webhooks?: readonly AdmissionWebhook[] | undefined;
  /** Resources whose CRDs get the conversion webhook. */
  conversions?: readonly CustomResource[] | undefined;
  /** Where the API server finds this process. A function is called once the server listens, for a free port. */
  address: WebhookAddress | (() => WebhookAddress);
  /**
   * The Secret that shares the certificate between replicas. Default: `NAME-webhook-certificate` in the namespace
   * of the Service; none for a url.
   */
  secret?: ObjectKey | false | undefined;
  /** False: the certificate and the configurations come from elsewhere, such as cert-manager. Default: true. */
  manage?: boolean | undefined;
  /** Milliseconds before the end of a certificate at which a new one is made. Default: 30 days. */
  renewBefore?: number | undefined;
}

/** Serves the webhooks once the manager starts. Resolves `ready` when the API server knows them. */
export function serveWebhooks(
  manager: WebhookHost,
  options: ServeWebhooksOptions,
): {readonly ready: Promise<void>} {
  const {webhooks = [], conversions = []} = options;
  const {webhookServer, log} = manager;
  if (webhooks.length + conversions.length === 0)
    throw new Error('serveWebhooks has nothing to serve; give it webhooks or conversions');
  if (conversions.length > 0) serveConversions(manager, conversions);
  for (const webhook of webhooks)
    webhookServer.register(webhookPath(webhook), async (request, response) => {
      const {code, body, panic} = await answerAdmission(await readJson(request), webhook, log);
      if (panic !== undefined) log.error('admission webhook failed', {kind: webhook.kind.kind, error: panic});
      const text = typeof body === 'string';
      response.writeHead(code, {'content-type': text ? 'text/plain' : 'application/json'});
      response.end(text ? body : JSON.stringify(body));
    });
  const installed = Promise.withResolvers<void>();
  installed.promise.catch(() => {});
  if (options.manage === false) void webhookServer.ready().then(installed.resolve, installed.reject);
  else new ManagedWebhooks(manager, options).begin(installed);
  return {ready: installed.promise};
}

class ManagedWebhooks {
  readonly #manager: WebhookHost;
  readonly #options: ServeWebhooksOptions;
  readonly #rotation: CertificateRotation;
  #ca = '';

  constructor(manager: WebhookHost, options: ServeWebhooksOptions) {
    this.#manager = manager;
    this.#options = options;
    const {address} = options;
    const service = typeof address === 'object' && 'service' in address ? address.service : undefined;
    const secret =
      options.secret === false
        ? undefined
        : (options.secret ??
          (service && {namespace: service.namespace, name: `${options.name}-webhook-certificate`}));
    const hosts = service
      ? [`${service.name}.${service.namespace}.svc`, `${service.name}.${service.namespace}.svc.cluster.local`]
      : ['localhost', '127.0.0.1', ...hostOf(address)];
    this.#rotation = new CertificateRotation({hosts, secret, renewBefore: options.renewBefore}, manager);
  }

  begin(installed: PromiseWithResolvers<void>): void {
    const {webhookServer, clock, log} = this.#manager;
    let served: ServingCertificate | undefined;
    webhookServer.provideCertificate(async () => {
      served = await this.#rotation.certificate();
      return served;
    });
    this.#manager.add({
      needLeaderElection: () => false,
      start: async signal => {
        try {
          await webhookServer.ready();
          if (served) await this.#install(served);
          installed.resolve();
        } catch (error) {
          installed.reject(error);
          throw error;
        }
        while (!signal.aborted) {
          await wait(clock, checkEvery, signal);
          if (signal.aborted) return;
          await this.#check().catch(error =>
            log.error('cannot renew the webhook certificate, trying again', {error}),
          );
        }
      },
    });
  }

  /** Loads a certificate that another replica made, or makes a new one in time. */
  async #check(): Promise<void> {
    const certificate = await this.#rotation.certificate();
    if (certificate.ca === this.#ca) return;
    await this.#install(certificate);
    this.#manager.webhookServer.useCertificate(certificate);
  }

  /** The API server must trust a certificate before it is served. */
  async #install({ca}: ServingCertificate): Promise<void> {
    const {client, mapper} = this.#manager;
    const {name, webhooks = [], conversions = []} = this.#options;
    const address =
      typeof this.#options.address === 'function' ? this.#options.address() : this.#options.address;
    const resolved = await Promise.all(
      webhooks.map(async webhook => ({webhook, resource: await mapper.resource(webhook.kind)})),
    );
    for (const object of webhookConfigurations(resolved, {name, address, ca}))
      await this.#write(object, () => client.apply(object, {fieldOwner: name, force: true}));
    for (const {plural, group} of conversions) {
      const webhook = {
        conversionReviewVersions: ['v1'],
        clientConfig: clientConfig({address, ca}, conversionPath),
      };
      const {apiVersion, kind} = CustomResourceDefinition;
      const definition = {apiVersion, kind, metadata: {name: `${plural}.${group}`}} as KubeObject;
      const spec = {conversion: {strategy: 'Webhook', webhook}};
      await this.#write(definition, () => client.patch(definition, rawPatch('merge', {spec})));
    }
    this.#ca = ca;
  }

  async #write({kind, metadata}: KubeObject, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!isForbidden(error) && !isNotFound(error)) throw error;
      const todo = isForbidden(error)
        ? 'give the manager the rights create and patch on it, or put the certificate into caBundle yourself and set manage: false'
        : 'install it before the manager starts';
      this.#manager.log.error(`the API server will not call the webhooks: ${todo}`, {
        object: `${kind} ${metadata.name}`,
        error,
      });
    }
  }
}

function hostOf(address: ServeWebhooksOptions['address']): string[] {
  return typeof address === 'object' && 'url' in address ? [new URL(address.url).hostname] : [];
}

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const cancel = clock.after(ms, () => resolve());
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      {once: true},
    );
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
