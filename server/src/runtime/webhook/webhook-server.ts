// The HTTPS server that the API server calls. It loads a renewed certificate from disk while it runs.

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
  /** Default: 9443. 0 takes a free port. */
  port?: number | undefined;
  /** Default: all addresses of the machine. */
  host?: string | undefined;
  /** The folder of `tls.crt` and `tls.key`. Default: k8s-webhook-server/serving-certs in the temp folder. */
  certDir?: string | undefined;
  certName?: string | undefined;
  keyName?: string | undefined;
  /** The certificate, instead of files. */
  tls?: Certificate | undefined;
}

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Certificate {
  cert: string;
  key: string;
}

/** Milliseconds between checks of the files. */
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
  #provider: (() => Promise<Certificate>) | undefined;

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

  /** May be called while the server runs. Throws on a duplicate path. */
  register(path: string, handler: WebhookHandler): void {
    if (!path.startsWith('/')) throw new Error(`the webhook path "${path}" must begin with a slash`);
    if (this.#paths.has(path)) throw new Error(`a webhook at ${path} already exists`);
    this.#paths.set(path, handler);
  }

  /**
   * Asks for the certificate at the start, instead of reading files. A certificate in the options wins.
   */
  provideCertificate(provider: () => Promise<Certificate>): void {
    if (this.#options.tls || this.#options.certDir !== undefined)
      throw new Error(
        'the webhook server has a certificate already; remove tls and certDir from its options, or set manage: false',
      );
    this.#provider = provider;
  }

  /** Serves new connections with another certificate. */
  useCertificate({cert, key}: Certificate): void {
    (this.#http?.server as Server | undefined)?.setSecureContext({cert, key});
  }

  /** Resolves when the server answers. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  async start(signal: AbortSignal): Promise<void> {
    try {
      const {cert, key} = this.#provider ? await this.#provider() : this.#read();
      const certificate = {cert, key};
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
      this.#log.error('webhook failed', {path, error});
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  /** Certificates expire while a program runs, so check the files for a new one. */
  #watch(current: Certificate, signal: AbortSignal): void {
    if (this.#options.tls || this.#provider) return;
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
        // The files may be half written. The next check finds the rest.
        this.#metrics.certificateErrors.inc();
        this.#log.error('cannot use the new certificate, keeping the last one', {error});
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
