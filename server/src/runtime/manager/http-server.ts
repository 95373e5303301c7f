// A small HTTP server that closes when the manager stops.

import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createSecureServer, type ServerOptions} from 'node:https';
import type {AddressInfo} from 'node:net';
import type {ServerRunnable} from './runnable.ts';
import {waitForAbort} from './runnable-group.ts';

export type HttpHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown;

export interface HttpServerOptions {
  /** `host:port`. `:8080` listens on all addresses; port 0 takes a free port. */
  address: string;
  handler: HttpHandler;
  tls?: Pick<ServerOptions, 'cert' | 'key' | 'SNICallback'> | undefined;
  serves?: ServerRunnable['serves'] | undefined;
  /** The name in error messages. */
  name: string;
}

export class HttpServer implements ServerRunnable {
  readonly serves: ServerRunnable['serves'];
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #ready = Promise.withResolvers<void>();
  #bound: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.serves = options.serves ?? 'http';
    const listener = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response);
    this.#server = options.tls ? createSecureServer(options.tls, listener) : createServer(listener);
    // `start` reports the failure.
    this.#ready.promise.catch(() => {});
  }

  /** The listening port; 0 until it is bound. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  get server(): Server {
    return this.#server;
  }

  needLeaderElection(): boolean {
    return false;
  }

  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Binds the port early, so that a wrong address fails before anything runs. */
  bind(): Promise<void> {
    this.#bound ??= new Promise((resolve, reject) => {
      const {host, port} = parseAddress(this.#options.address, this.#options.name);
      this.#server.once('error', error =>
        reject(
          new Error(
            `the ${this.#options.name} address ${this.#options.address} cannot be bound: ${error.message}`,
            {
              cause: error,
            },
          ),
        ),
      );
      this.#server.listen({port, host}, () => resolve());
    });
    return this.#bound;
  }

  async start(signal: AbortSignal): Promise<void> {
    try {
      await this.bind();
      this.#ready.resolve();
    } catch (error) {
      this.#ready.reject(error);
      throw error;
    }
    await waitForAbort(signal);
    await this.close();
  }

  close(): Promise<void> {
    return new Promise(resolve => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const fail = (error: unknown) => {
      if (!response.headersSent) response.writeHead(500, {'content-type': 'text/plain; charset=utf-8'});
      response.end(`internal server error: ${error instanceof Error ? error.message : error}\n`);
    };
    try {
      const result = this.#options.handler(request, response, url);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}

export function notFound(response: ServerResponse): void {
  response.writeHead(404, {'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff'});
  response.end('404 page not found\n');
}

/** `:8080`, `127.0.0.1:0`, `[::1]:9443`. */
export function parseAddress(address: string, name: string): {host: string | undefined; port: number} {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535)
    throw new Error(`the ${name} address ${JSON.stringify(address)} is not host:port; example: ":8080"`);
  return {host: match[1] || match[2] || undefined, port};
}
