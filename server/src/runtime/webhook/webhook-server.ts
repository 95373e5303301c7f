// The HTTPS server that the API server calls: paths and their handlers, and a certificate that may be renewed
// on disk while it runs.

import {readFileSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Server} from 'node:https';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Clock, systemClock} from '../../kube/clock.ts';
import {type Logger, silentLogger} from '../log/logger.ts';
import {HttpServer, notFound} from '../manager/http-server.ts';
import type {ServerRunnable} from '../manager/runnable.ts';
import {Metrics} from '../metrics/metrics.ts';

export interface WebhookServerOptions {
  /** 9443; 0 picks a free one. */
  port?: number | undefined;
  /** Every address of the machine. */
  host?: string | undefined;
  /** Where `tls.crt` and `tls.key` are; otherwise k8s-webhook-server/serving-certs in the system's temp folder. */
  certDir?: string | undefined;
  certName?: string | undefined;
  keyName?: string | undefined;
  /** The certificate itself, instead of files. */
  tls?: Certificate | undefined;
}

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Certificate {
  cert: string;
  key: string;
}

/** How often the files are looked at. */
const reloadEvery = 10_000;

export class WebhookServer implements ServerRunnable {
  readonly serves = 'webhooks';
  readonly #options: WebhookServerOptions;
  readonly #paths = new Map<string, WebhookHandler>();
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #ready = Promise.withResolvers<void>();
  #http: HttpServer | undefined;

  constructor(
    options: WebhookServerOptions = {},
    around: {clock?: Clock; log?: Logger; metrics?: Metrics} = {},
  ) {
    this.#options = options;
    this.#clock = around.clock ?? systemClock;
    this.#log = around.log ?? silentLogger;
    this.#metrics = around.metrics ?? new Metrics();
    this.#ready.promise.catch(() => {});
  }

  get port(): number {
    return this.#http?.port ?? 0;
  }

  needLeaderElection(): boolean {
    return false;
  }

  /** Also while it runs. A path that is taken throws. */
  register(path: string, handler: WebhookHandler): void {
    if (!path.startsWith('/')) throw new Error(`a webhook's path begins with a slash, not as in "${path}"`);
    if (this.#paths.has(path)) throw new Error(`there is a webhook at ${path} already`);
    this.#paths.set(path, handler);
  }

  /** Resolves when it answers. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  async start(signal: AbortSignal): Promise<void> {
    try {
      const certificate = this.#read();
      const {host = '', port = 9443} = this.#options;
      this.#http = new HttpServer({
        address: `${host.includes(':') ? `[${host}]` : host}:${port}`,
        name: 'webhook',
        serves: 'webhooks',
        tls: certificate,
        handler: (request, response, url) => this.#serve(request, response, url.pathname),
      });
      await this.#http.bind();
      this.#watch(certificate, signal);
      this.#ready.resolve();
    } catch (error) {
      this.#ready.reject(error);
      throw error;
    }
    await this.#http.start(signal);
  }

  async #serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const handler = this.#paths.get(path);
    if (!handler) return notFound(response);
    const {webhookInFlight, webhookLatency, webhookRequests} = this.#metrics;
    const inFlight = webhookInFlight.labels({webhook: path});
    const end = webhookLatency.startTimer({webhook: path});
    inFlight.inc();
    response.once('close', () => {
      inFlight.dec();
      end();
      webhookRequests.inc({webhook: path, code: String(response.statusCode)});
    });
    try {
      await handler(request, response);
    } catch (error) {
      this.#log.error('a webhook threw', {path, error});
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  /** Certificates are renewed on disk, months into a program's life. */
  #watch(current: Certificate, signal: AbortSignal): void {
    if (this.#options.tls) return;
    let last = current;
    let cancel = () => {};
    const look = () => {
      cancel = this.#clock.after(reloadEvery, look);
      try {
        const read = this.#read();
        if (read.cert === last.cert && read.key === last.key) return;
        (this.#http?.server as Server | undefined)?.setSecureContext(read);
        last = read;
      } catch (error) {
        // Half of it may be written: the next look finds the rest.
        this.#metrics.certificateErrors.inc();
        this.#log.error('the certificate cannot be used; the last one stays', {error});
      }
    };
    cancel = this.#clock.after(reloadEvery, look);
    signal.addEventListener('abort', () => cancel(), {once: true});
  }

  #read(): Certificate {
    if (this.#options.tls) return this.#options.tls;
    const folder = this.#options.certDir ?? join(tmpdir(), 'k8s-webhook-server', 'serving-certs');
    this.#metrics.certificateReads.inc();
    const text = (name: string) => readFileSync(join(folder, name), 'utf8');
    return {cert: text(this.#options.certName ?? 'tls.crt'), key: text(this.#options.keyName ?? 'tls.key')};
  }
}
