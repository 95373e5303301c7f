// Sends requests to one cluster as one user: pooled connections, typed errors, timeouts, Retry-After, cancellation.
// dynamic-client.ts builds the paths; reflector.ts decides when to retry.

import type {IncomingHttpHeaders} from 'node:http';
import {arch, platform} from 'node:process';
import {Readable} from 'node:stream';
import {type Dispatcher, WebSocket} from 'undici';
import {type Clock, sleep, systemClock} from '../clock.ts';
import type {Credentials} from '../credentials/credentials.ts';
import type {TlsMaterial} from '../credentials/endpoint.ts';
import {ApiError, ConnectionError, ReadOnlyError} from '../error.ts';
import {checkedBody} from './checked-body.ts';
import {makeDispatcher} from './dispatcher.ts';
import {exchange, type ResponseStart} from './exchange.ts';
import {brokenOff, errorOf, parseBody, type ResponseHead, readError, textOf, warningsOf} from './response.ts';
import type {ServerSocket} from './server-socket.ts';
import {TimeLimit} from './time-limit.ts';

export const userAgent = `krtscope/0.1.0 (${platform}/${arch})`;

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Resolves when a request may leave, or when the signal aborts. */
export type RequestGate = (signal: AbortSignal) => Promise<void>;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Starts at the server's root and is percent-encoded. */
  path: string;
  query?: Query | undefined;
  accept?: string | undefined;
  /** A string is sent as it is, other values as JSON. */
  body?: unknown;
  contentType?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds of silence before the request fails; for a stream, until its headers. */
  timeout?: number | undefined;
  /** The link is slow, so ask for a compressed response. */
  compress?: boolean | undefined;
  /** How often a 429 or 5xx with Retry-After is retried. */
  retries?: number | undefined;
  /** Awaited before each request, retries included. */
  turn?: RequestGate | undefined;
  /** Called right before each part of the body is written to the connection. Throws to stop the request. */
  beforeSend?: (() => void) | undefined;
}

export interface Answer<T> {
  code: number;
  headers: IncomingHttpHeaders;
  warnings: string[];
  body: T;
}

export interface TransportOptions {
  /** Sends only GET requests. Default true, because krtscope itself never changes a cluster. */
  readOnly?: boolean;
  clock?: Clock;
  /** Called for every response and failure. `code` 0 is a connection failure. */
  onAnswer?: (answer: {method: string; path: string; code: number; ms: number}) => void;
  /** Called with the bytes of each body that was sent or completely received, as they cross the network. */
  onBody?: (body: {method: string; direction: 'sent' | 'received'; bytes: number}) => void;
  /** Called before a request is sent again; `code` 0 is a connection failure. */
  onRetry?: (retry: {method: string; code: number}) => void;
  onWarning?: (warning: string) => void;
}

/** The part of a transport that a client uses. Tests and the embedded cluster implement it without a network. */
export type Wire = Pick<Transport, 'server' | 'readOnly' | 'clock' | 'request' | 'stream' | 'close'>;

interface RawRequest extends Omit<Dispatcher.DispatchOptions, 'headers' | 'origin'> {
  origin: string;
  headers: Record<string, string | string[]>;
}

const defaultTimeout = 30_000;
const defaultRetries = 10;
/** Bytes per millisecond. On slower links compression saves time. */
const slowLink = 2000;

export class Transport {
  readonly server: string;
  readonly readOnly: boolean;
  readonly clock: Clock;
  readonly #credentials: Credentials;
  readonly #options: TransportOptions;
  readonly #origin: string;
  /** The path of a server below a path, as behind Rancher. */
  readonly #basePath: string;
  #compress: boolean;
  readonly #closing = new AbortController();
  #agent: {dispatcher: Dispatcher; tls: TlsMaterial} | undefined;

  constructor(credentials: Credentials, options: TransportOptions = {}) {
    this.#credentials = credentials;
    this.#options = options;
    this.server = credentials.endpoint.server;
    this.readOnly = options.readOnly ?? true;
    this.clock = options.clock ?? systemClock;
    const {hostname, origin, pathname} = new URL(this.server);
    this.#origin = origin;
    this.#basePath = pathname.replace(/\/+$/, '');
    // On this machine compression only costs time, unless a tunnel to another machine starts here. #measureLink
    // detects that.
    this.#compress = !/^(localhost|127\.|\[::1\])/.test(hostname);
  }

  /** Returns the complete JSON response. Throws ApiError, ConnectionError, ReadOnlyError or the abort reason. */
  async request<T = unknown>(options: RequestOptions): Promise<Answer<T>> {
    const retries = options.retries ?? defaultRetries;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once<T>(options);
      } catch (error) {
        const wait =
          error instanceof ApiError && (error.code === 429 || error.code >= 500)
            ? error.retryAfter
            : undefined;
        if (wait === undefined || attempt >= retries) throw error;
        this.#options.onRetry?.({method: options.method ?? 'GET', code: (error as ApiError).code});
        await sleep(this.clock, wait * 1000, options.signal);
        options.signal?.throwIfAborted();
      }
    }
  }

  /** Opens an endless response, such as a watch. Aborting the signal closes it. */
  async stream(options: RequestOptions): Promise<Answer<Readable>> {
    const limit = new TimeLimit(this.clock, options.timeout ?? defaultTimeout, [
      options.signal,
      this.#closing.signal,
    ]);
    try {
      const answer = await this.#send(options, limit, (dispatcher, request) =>
        dispatcher.request({...request, signal: limit.signal}),
      );
      if (answer.statusCode !== 200) throw this.#withReason(await readError(answer, limit));
      return {code: 200, headers: answer.headers, warnings: warningsOf(answer.headers), body: answer.body};
    } finally {
      limit.lift();
    }
  }

  /** Opens a WebSocket with the same connections and credentials. Rejects if the server refuses it. */
  async webSocket(path: string, query: Query, protocols: string[]): Promise<ServerSocket> {
    const {headers, tls} = await this.#credentials.authorize();
    const url = `${this.server.replace(/^http/, 'ws')}${path}${encodeQuery(query)}`;
    const socket = new WebSocket(url, {
      protocols,
      dispatcher: this.#dispatcher(tls),
      headers: {'user-agent': userAgent, ...headers} as Record<string, string>,
    });
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), {once: true});
      socket.addEventListener('error', ({message, error}) => {
        const reason = (error as Error | undefined)?.cause ?? error;
        const text = reason instanceof Error ? reason.message : message;
        reject(
          new ConnectionError('other', 'request', `GET ${this.server}${path}: ${text || 'it was refused'}`),
        );
      });
    });
    return socket as ServerSocket;
  }

  /** Ends every request and stream. Later requests fail. */
  async close(): Promise<void> {
    this.#closing.abort(new ConnectionError('other', 'request', 'the transport was closed'));
    await this.#agent?.dispatcher.destroy();
  }

  async #once<T>(options: RequestOptions): Promise<Answer<T>> {
    const limit = new TimeLimit(this.clock, options.timeout ?? defaultTimeout, [
      options.signal,
      this.#closing.signal,
    ]);
    try {
      const answer = await this.#send(options, limit, (dispatcher, request) =>
        exchange(dispatcher, this.#withCompression(request, options), limit),
      );
      const text = await this.#readText(answer, options, limit);
      if (answer.statusCode >= 300) throw this.#withReason(errorOf(answer, text));
      const warnings = warningsOf(answer.headers);
      for (const warning of warnings) this.#options.onWarning?.(warning);
      return {code: answer.statusCode, headers: answer.headers, warnings, body: parseBody(text, answer) as T};
    } finally {
      limit.lift();
    }
  }

  async #readText(
    answer: ResponseStart,
    {method = 'GET'}: RequestOptions,
    limit: TimeLimit,
  ): Promise<string> {
    const started = this.clock.now();
    try {
      const bytes = await answer.body;
      if (answer.statusCode < 300) {
        this.#measureLink(bytes.length, this.clock.now() - started);
        this.#options.onBody?.({method, direction: 'received', bytes: bytes.length});
      }
      return await textOf(answer, bytes);
    } catch (error) {
      throw limit.explain(error, 'request', brokenOff);
    }
  }

  /** Adds the reason to a 401, because "Unauthorized" alone does not help. */
  #withReason(error: ApiError): ApiError {
    const why = error.code === 401 ? this.#credentials.why?.() : undefined;
    if (why === undefined) return error;
    return new ApiError(error.code, `${error.message}: ${why}`, error.status, error.retryAfter);
  }

  /** After a large and slow response, later requests ask for compression. */
  #measureLink(bytes: number, ms: number): void {
    if (bytes > 32 * 1024 && ms > 0 && bytes / ms < slowLink) this.#compress = true;
  }

  async #send<R extends ResponseHead & {body: unknown}>(
    options: RequestOptions,
    limit: TimeLimit,
    send: (dispatcher: Dispatcher, request: RawRequest) => Promise<R>,
  ): Promise<R> {
    const method = options.method ?? 'GET';
    if (this.readOnly && method !== 'GET')
      throw new ReadOnlyError(`krtscope only reads: ${method} ${options.path} was not sent`);
    const what = `${method} ${this.server}${options.path}`;
    let stale = false;
    for (let attempt = 0; ; attempt++) {
      if (options.turn !== undefined) {
        await options.turn(limit.signal);
        limit.restart();
      }
      if (limit.aborted) throw limit.explain(limit.reason, 'request', what);
      const started = this.clock.now();
      const report = (code: number) =>
        this.#options.onAnswer?.({method, path: options.path, code, ms: this.clock.now() - started});
      let answer: R;
      try {
        const {dispatcher, request} = await this.#raw(method, options);
        answer = await send(dispatcher, request);
      } catch (error) {
        report(0);
        const problem = limit.explain(error, 'request', what);
        // The server may close an idle pooled connection at any time, so retry once.
        const mayRetry = method === 'GET' && attempt === 0 && problem instanceof ConnectionError;
        if (!mayRetry || problem.failure !== 'reset') throw problem;
        this.#options.onRetry?.({method, code: 0});
        continue;
      }
      report(answer.statusCode);
      if (answer.statusCode === 401 && !stale && this.#credentials.refresh()) {
        stale = true;
        this.#options.onRetry?.({method, code: 401});
        if (answer.body instanceof Readable) answer.body.resume();
        continue;
      }
      return answer;
    }
  }

  async #raw(
    method: string,
    options: RequestOptions,
  ): Promise<{dispatcher: Dispatcher; request: RawRequest}> {
    const {headers, tls} = await this.#credentials.authorize();
    const text =
      options.body === undefined || typeof options.body === 'string'
        ? options.body
        : JSON.stringify(options.body);
    if (text !== undefined && this.#options.onBody)
      this.#options.onBody({method, direction: 'sent', bytes: Buffer.byteLength(text)});
    const {beforeSend} = options;
    const checked = text === undefined || !beforeSend ? undefined : checkedBody(text, beforeSend);
    const request: RawRequest = {
      origin: this.#origin,
      path: `${this.#basePath}${options.path}${encodeQuery(options.query)}`,
      method: method as Dispatcher.HttpMethod,
      headers: {
        accept: options.accept ?? 'application/json',
        'user-agent': userAgent,
        ...(text === undefined ? {} : {'content-type': options.contentType ?? 'application/json'}),
        ...(checked === undefined ? {} : {'content-length': String(checked.bytes)}),
        ...headers,
      },
      // undici takes an iterable, which its types leave out.
      body: checked === undefined ? (text ?? null) : (checked.parts as unknown as Readable),
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    return {dispatcher: this.#dispatcher(tls), request};
  }

  #withCompression(request: RawRequest, {compress}: RequestOptions): RawRequest {
    if (!this.#compress && compress !== true) return request;
    return {...request, headers: {'accept-encoding': 'gzip', ...request.headers}};
  }

  #dispatcher(tls: TlsMaterial): Dispatcher {
    const current = this.#agent;
    if (current && isSameMaterial(current.tls.cert, tls.cert) && isSameMaterial(current.tls.key, tls.key))
      return current.dispatcher;
    // After a certificate rotation, running requests finish on the old connections.
    if (current) void current.dispatcher.close().catch(() => {});
    const dispatcher = makeDispatcher(
      {...this.#credentials.endpoint.tls, ...tls},
      this.#credentials.endpoint.proxy,
    );
    this.#agent = {dispatcher, tls};
    return dispatcher;
  }
}

function isSameMaterial(a: Buffer | string | undefined, b: Buffer | string | undefined): boolean {
  return a === b || String(a) === String(b);
}

function encodeQuery(query: Query | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) pairs.append(name, one);
    else pairs.append(name, String(value));
  }
  const text = pairs.toString();
  return text && `?${text}`;
}
